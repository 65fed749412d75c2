import { Args, Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import {
  Asset,
  AuditStamp,
  auditStamp,
  CustomPropertiesEntry,
  customProperties,
  Entity,
  EntityObject,
  enumOf,
  FabricType,
  fabricIn,
  keyParts,
  LAST_MODIFIED,
  Long,
  optional,
  showsPartOf,
  typeNamed,
  type Stored,
  UNKNOWN_PLATFORM,
  UNKNOWN_STAMP,
} from '../graphql/index.js';
import './operation.types.js';
import {
  EditableSchemaMetadata,
  editableSchemaMetadata,
  SchemaMetadata,
  schemaMetadata,
} from './schema.types.js';

@ObjectType('DatasetProperties', {
  description: 'Name and description of a dataset, and further properties.',
})
export class DatasetProperties {
  @Field(() => String) name!: string;
  @Field(() => String, optional) qualifiedName!: string | null;
  @Field(() => FabricType, optional) origin!: FabricType | null;
  @Field(() => String, {
    nullable: true,
    description: 'What people wrote in the catalog; otherwise what the platform reports.',
  })
  description!: string | null;
  @Field(() => [CustomPropertiesEntry], optional) customProperties!: CustomPropertiesEntry[];
  @Field(() => String, optional) externalUrl!: string | null;
  @Field(() => Long, optional) created!: number | null;
  @Field(() => AuditStamp, { description: LAST_MODIFIED }) lastModified!: AuditStamp;
}

@ObjectType('DatasetEditableProperties', { description: 'What people wrote about a dataset.' })
export class DatasetEditableProperties {
  @Field(() => String, optional) name!: string | null;
  @Field(() => String, optional) description!: string | null;
}

@ObjectType('ViewProperties', { description: 'The statement behind a view.' })
export class ViewProperties {
  @Field(() => Boolean) materialized!: boolean;
  @Field(() => String) logic!: string;
  @Field(() => String, optional) formattedLogic!: string | null;
  @Field(() => String) language!: string;
}

const PlatformNativeType = enumOf(['TABLE', 'VIEW', 'DIRECTORY', 'STREAM', 'BUCKET']);
registerEnumType(PlatformNativeType, {
  name: 'PlatformNativeType',
  description: 'What a dataset is on its platform.',
});

@EntityObject('dataset', 'A table, view, topic, file or other collection of data with a schema.')
export class Dataset extends Asset {
  private parts: readonly string[] | undefined;

  @Field(() => String, { description: 'What it is called; otherwise its name in the URN.' })
  name(): string {
    const [properties, editable] = this.ownAndEditable();
    return editable?.name ?? properties?.name ?? this.keyName;
  }

  @Field(() => typeNamed('DataPlatform'), { description: 'Where the data lies.' })
  get platform(): Entity {
    return this.context.entity(this.keyParts[0] ?? UNKNOWN_PLATFORM);
  }

  @Field(() => FabricType, { description: 'Its environment.' })
  get origin(): FabricType {
    return fabricIn(this.keyParts);
  }

  @Field(() => PlatformNativeType, {
    nullable: true,
    description: 'Always null: the model does not say. subTypes names the kinds.',
  })
  get platformNativeType(): null {
    return null;
  }

  @Field(() => DatasetProperties, {
    nullable: true,
    description: 'Name, description and further properties.',
  })
  properties(): (DatasetProperties & Stored) | null {
    const [properties, editable] = this.ownAndEditable();
    if (!properties && !editable) return null;
    return {
      name: editable?.name ?? properties?.name ?? this.keyName,
      qualifiedName: properties?.qualifiedName ?? null,
      origin: this.origin,
      description: editable?.description ?? properties?.description ?? null,
      customProperties: customProperties(properties?.customProperties, this.urnText),
      externalUrl: properties?.externalUrl ?? null,
      created: properties?.created?.time ?? null,
      lastModified: auditStamp(properties?.lastModified) ?? UNKNOWN_STAMP,
      stored: properties,
      owner: this.urnText,
    };
  }

  @Field(() => String, { nullable: true, deprecationReason: 'Use properties.description.' })
  description(): string | null {
    return this.properties()?.description ?? null;
  }

  @Field(() => String, { nullable: true, deprecationReason: 'Use properties.externalUrl.' })
  uri(): string | null {
    return this.value('datasetProperties')?.uri ?? null;
  }

  @Field(() => DatasetEditableProperties, { nullable: true, description: 'What people wrote about it.' })
  editableProperties(): (DatasetEditableProperties & Stored) | null {
    const value = this.value('editableDatasetProperties');
    return value ? { name: value.name ?? null, description: value.description ?? null, stored: value } : null;
  }

  @Field(() => SchemaMetadata, { nullable: true, description: 'Its columns.' })
  schemaMetadata(
    @Args('version', { type: () => Long, nullable: true, description: '0, the default, is the latest.' })
    version?: number | null,
  ): SchemaMetadata | null {
    const [latest, editable] = this.values('schemaMetadata', 'editableSchemaMetadata');
    const schema = version ? this.context.version(this.urnText, 'schemaMetadata', version) : latest;
    const shown = schemaMetadata(schema, editable, this.urnText, this.context);
    return shown && { ...shown, aspectVersion: version ?? 0 };
  }

  @Field(() => EditableSchemaMetadata, {
    nullable: true,
    description: 'What people wrote about its columns.',
  })
  editableSchemaMetadata(): EditableSchemaMetadata | null {
    return editableSchemaMetadata(this.value('editableSchemaMetadata'), this.urnText, this.context);
  }

  @Field(() => ViewProperties, { nullable: true, description: 'The statement behind it, if it is a view.' })
  viewProperties(): ViewProperties | null {
    const value = this.value('viewProperties');
    if (!value) return null;
    return {
      materialized: value.materialized,
      logic: value.viewLogic,
      formattedLogic: value.formattedViewLogic ?? null,
      language: value.viewLanguage,
    };
  }

  private get keyName(): string {
    return this.keyParts[1] ?? '';
  }

  /** Read once, for several fields. */
  private get keyParts(): readonly string[] {
    return (this.parts ??= keyParts(this.urnText));
  }

  private ownAndEditable() {
    return this.values('datasetProperties', 'editableDatasetProperties');
  }
}

showsPartOf('DatasetProperties', 'dataset.DatasetProperties');
showsPartOf('DatasetEditableProperties', 'dataset.EditableDatasetProperties');
