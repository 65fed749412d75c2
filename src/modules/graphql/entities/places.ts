import { Field, ObjectType } from '@nestjs/graphql';
import { keyParts } from '../types/common.js';
import {
  Described,
  described,
  Named,
  EditableDescription,
  editableDescription,
  PlacedAsset,
} from '../types/described.js';
import { Asset } from '../types/asset.js';
import { showsPartOf, type Stored } from '../model-types/record-views.js';
import { EntityObject, optional } from '../types/entity.js';

@ObjectType('DataPlatformProperties', { description: 'What is known about a data platform.' })
export class DataPlatformProperties {
  @Field(() => String, optional) displayName!: string | null;
  @Field(() => String, optional) type!: string | null;
  @Field(() => String) datasetNameDelimiter!: string;
  @Field(() => String, optional) logoUrl!: string | null;
}

@EntityObject('dataPlatform', 'A system that holds data.')
export class DataPlatform extends Asset {
  @Field(() => String, { description: 'Its name.' })
  name(): string {
    return this.value('dataPlatformInfo')?.name ?? keyParts(this.urnText)[0] ?? '';
  }

  @Field(() => DataPlatformProperties, { nullable: true, description: 'What is known about it.' })
  properties(): (DataPlatformProperties & Stored) | null {
    const value = this.value('dataPlatformInfo');
    if (!value) return null;
    return {
      displayName: value.displayName ?? null,
      type: value.type,
      datasetNameDelimiter: value.datasetNameDelimiter,
      logoUrl: value.logoUrl ?? null,
      stored: value,
    };
  }
}

@ObjectType('DataPlatformInstanceProperties', {
  description: 'Name and description of an installation of a platform.',
})
export class DataPlatformInstanceProperties extends Described {}

@EntityObject('dataPlatformInstance', 'One installation of a data platform.')
export class DataPlatformInstance extends PlacedAsset {
  @Field(() => String, { description: 'The id of the installation.' })
  get instanceId(): string {
    return keyParts(this.urnText)[1] ?? '';
  }

  @Field(() => DataPlatformInstanceProperties, optional)
  properties(): DataPlatformInstanceProperties | null {
    return described(this.value('dataPlatformInstanceProperties'), undefined, this.urnText);
  }

  protected override platformOfKey(): string | undefined {
    return keyParts(this.urnText)[0];
  }
}

@ObjectType('ContainerProperties', { description: 'Name and description of a container.' })
export class ContainerProperties extends Named {
  @Field(() => String, optional) qualifiedName!: string | null;
}

@ObjectType('ContainerEditableProperties', { description: 'What people wrote about a container.' })
export class ContainerEditableProperties extends EditableDescription {}

@EntityObject('container', 'A database, schema, folder or other place that holds data.')
export class Container extends PlacedAsset {
  @Field(() => String, { nullable: true, description: 'What it is called.' })
  name(): string | null {
    return this.value('containerProperties')?.name ?? keyParts(this.urnText)[0] ?? null;
  }

  @Field(() => ContainerProperties, {
    nullable: true,
    description: 'Name, description and further properties.',
  })
  properties(): ContainerProperties | null {
    const [value, editable] = this.values('containerProperties', 'editableContainerProperties');
    const shown = described(value, editable, this.urnText);
    return shown && { ...shown, qualifiedName: value?.qualifiedName ?? null };
  }

  @Field(() => ContainerEditableProperties, { nullable: true, description: 'What people wrote about it.' })
  editableProperties(): ContainerEditableProperties | null {
    return editableDescription(this.value('editableContainerProperties'), this.urnText);
  }
}

showsPartOf('DataPlatformProperties', 'dataplatform.DataPlatformInfo', true);
showsPartOf('ContainerProperties', 'container.ContainerProperties');
showsPartOf('DataPlatformInstanceProperties', 'dataplatforminstance.DataPlatformInstanceProperties');
showsPartOf('ContainerEditableProperties', 'container.EditableContainerProperties', true);
