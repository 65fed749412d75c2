import { Field, ObjectType } from '@nestjs/graphql';
import { Asset } from './asset.js';
import { keyParts } from './common.js';
import { PlatformAsset } from './described.js';
import { Entity, EntityObject, optional } from './entity.js';

@EntityObject('schemaField', 'A column as an entity of its own.')
export class SchemaFieldEntity extends Asset {
  @Field(() => String, optional)
  get fieldPath(): string | null {
    return keyParts(this.urnText)[1] ?? null;
  }

  @Field(() => Entity, { nullable: true, description: 'What it is a column of.' })
  get parent(): Entity | null {
    return this.context.entity(keyParts(this.urnText)[0]) ?? null;
  }
}

@ObjectType({ description: 'Title of a document.' })
export class DocumentInfo {
  @Field(() => String, optional) title!: string | null;
}

@EntityObject('document', 'A text.')
export class Document extends PlatformAsset {
  @Field(() => DocumentInfo, optional)
  info(): DocumentInfo | null {
    const value = this.value('documentInfo');
    return value ? { title: value.title ?? null } : null;
  }

  @Field(() => String, optional)
  subType(): string | null {
    return this.value('subTypes')?.typeNames[0] ?? null;
  }
}

@EntityObject('', 'An entity of any other kind, also one that a model of your own adds.')
export class GenericEntity extends Asset {
  @Field(() => String, { description: 'Its kind, as the model names it.' })
  override get entityName(): string {
    return super.entityName;
  }
}
