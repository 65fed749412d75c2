import { Field, ObjectType } from '@nestjs/graphql';
import { fabricIn, keyParts } from '../types/common.js';
import { Described, described, PlacedAsset, PlatformAsset } from '../types/described.js';
import { FabricType } from '../types/enums.js';
import { showsPartOf } from '../model-types/record-views.js';
import { EntityObject, optional } from '../types/entity.js';

/** Known by a name on its platform. */
@ObjectType({ isAbstract: true })
abstract class OnPlatform extends PlacedAsset {
  @Field(() => String)
  get name(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => String, { nullable: true, deprecationReason: 'Use properties.description.' })
  description(): string | null {
    return this.properties()?.description ?? null;
  }

  protected override platformOfKey(): string | undefined {
    return keyParts(this.urnText)[0];
  }

  abstract properties(): Described | null;
}

/** Known by its environment besides. */
@ObjectType({ isAbstract: true })
abstract class InEnvironment extends OnPlatform {
  @Field(() => FabricType, { description: 'Its environment.' })
  get origin(): FabricType {
    return fabricIn(keyParts(this.urnText));
  }
}

/** Known by a name in a namespace. */
@ObjectType({ isAbstract: true })
abstract class InNamespace extends PlatformAsset {
  @Field(() => String, { description: 'The namespace of its name.' })
  get featureNamespace(): string {
    return keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => String)
  get name(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => String, { nullable: true, deprecationReason: 'Use properties.description.' })
  description(): string | null {
    return this.properties()?.description ?? null;
  }

  abstract properties(): Described | null;
}

@ObjectType('MLModelProperties', { description: 'Description of a machine learning model.' })
export class MLModelProperties extends Described {}

@EntityObject('mlModel', 'A machine learning model.')
export class MLModel extends InEnvironment {
  @Field(() => MLModelProperties, optional)
  properties(): MLModelProperties | null {
    const [value, editable] = this.values('mlModelProperties', 'editableMlModelProperties');
    return described(value, editable, this.urnText);
  }
}

@ObjectType('MLModelGroupProperties', { description: 'Description of a group of models.' })
export class MLModelGroupProperties extends Described {}

@EntityObject('mlModelGroup', 'A group of machine learning models.')
export class MLModelGroup extends InEnvironment {
  @Field(() => MLModelGroupProperties, optional)
  properties(): MLModelGroupProperties | null {
    const [value, editable] = this.values('mlModelGroupProperties', 'editableMlModelGroupProperties');
    return described(value, editable, this.urnText);
  }
}

@ObjectType('MLFeatureTableProperties', { description: 'Description of a table of features.' })
export class MLFeatureTableProperties extends Described {}

@EntityObject('mlFeatureTable', 'A table of features.')
export class MLFeatureTable extends OnPlatform {
  @Field(() => MLFeatureTableProperties, optional)
  properties(): MLFeatureTableProperties | null {
    const [value, editable] = this.values('mlFeatureTableProperties', 'editableMlFeatureTableProperties');
    return described(value, editable, this.urnText);
  }

  @Field(() => MLFeatureTableProperties, { nullable: true, description: 'Another name of properties.' })
  featureTableProperties(): MLFeatureTableProperties | null {
    return this.properties();
  }
}

@ObjectType('MLFeatureProperties', { description: 'Description of a feature.' })
export class MLFeatureProperties extends Described {}

@EntityObject('mlFeature', 'A feature that models are trained with.')
export class MLFeature extends InNamespace {
  @Field(() => MLFeatureProperties, optional)
  properties(): MLFeatureProperties | null {
    const [value, editable] = this.values('mlFeatureProperties', 'editableMlFeatureProperties');
    return described(value, editable, this.urnText);
  }
}

@ObjectType('MLPrimaryKeyProperties', { description: 'Description of a primary key of a feature table.' })
export class MLPrimaryKeyProperties extends Described {}

@EntityObject('mlPrimaryKey', 'A primary key of a feature table.')
export class MLPrimaryKey extends InNamespace {
  @Field(() => MLPrimaryKeyProperties, optional)
  properties(): MLPrimaryKeyProperties | null {
    const [value, editable] = this.values('mlPrimaryKeyProperties', 'editableMlPrimaryKeyProperties');
    return described(value, editable, this.urnText);
  }
}

showsPartOf('MLModelProperties', 'ml.metadata.MLModelProperties');
showsPartOf('MLModelGroupProperties', 'ml.metadata.MLModelGroupProperties');
showsPartOf('MLFeatureProperties', 'ml.metadata.MLFeatureProperties');
showsPartOf('MLFeatureTableProperties', 'ml.metadata.MLFeatureTableProperties');
showsPartOf('MLPrimaryKeyProperties', 'ml.metadata.MLPrimaryKeyProperties');
