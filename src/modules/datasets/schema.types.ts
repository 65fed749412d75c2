import { Field, ObjectType, registerEnumType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import { columnPath, columnUrn } from '../../catalog/urn/index.js';
import { GlossaryTerms, glossaryTerms } from '../glossary/graphql.js';
import {
  Asset,
  Entity,
  EntityObject,
  enumOf,
  keyParts,
  Long,
  optional,
  showsPartOf,
  showsRecord,
  typeNamed,
  type EntityContext,
  type Stored,
} from '../graphql/index.js';
import { GlobalTags, globalTags } from '../tags/graphql.js';
import { PlatformSchema, platformSchema } from './platform-schema.types.js';
import { writtenPath } from './written-columns.js';

export const SchemaFieldDataType = enumOf([
  'BOOLEAN',
  'FIXED',
  'STRING',
  'BYTES',
  'NUMBER',
  'DATE',
  'TIME',
  'ENUM',
  'NULL',
  'ARRAY',
  'MAP',
  'STRUCT',
  'UNION',
]);
export type SchemaFieldDataType = keyof typeof SchemaFieldDataType;
registerEnumType(SchemaFieldDataType, {
  name: 'SchemaFieldDataType',
  description: 'Kinds of columns, whatever their platform calls them.',
});

@EntityObject('schemaField', 'A column as an entity of its own.', 'SchemaFieldEntity')
export class SchemaFieldEntity extends Asset {
  @Field(() => String)
  get fieldPath(): string {
    return columnPath(keyParts(this.urnText)[1] ?? '');
  }

  @Field(() => Entity, { description: 'What it is a column of.' })
  get parent(): Entity {
    return this.context.entity(keyParts(this.urnText)[0] ?? '');
  }
}

/** Shows a column as it is stored: scalars are read where a query selects them, the rest is made there. */
@ObjectType('SchemaField', { description: 'A column.' })
export class SchemaField {
  private kind: SchemaFieldDataType | undefined;

  constructor(
    private readonly column: model.SchemaField,
    private readonly edited: model.EditableSchemaFieldInfo | undefined,
    private readonly datasetUrn: string,
    private readonly context: EntityContext,
  ) {}

  @Field(() => String, { description: 'Path of the column, dotted when it is nested.' })
  get fieldPath(): string {
    return this.column.fieldPath;
  }

  @Field(() => String, optional)
  get label(): string | null {
    return this.column.label ?? null;
  }

  @Field(() => SchemaFieldDataType)
  get type(): SchemaFieldDataType {
    return (this.kind ??= dataType(this.column.type));
  }

  @Field(() => String, { nullable: true, description: 'The type in the words of the platform.' })
  get nativeDataType(): string | null {
    return this.column.nativeDataType;
  }

  @Field(() => String, {
    nullable: true,
    description: 'What people wrote in the catalog; otherwise what the platform reports.',
  })
  get description(): string | null {
    return this.edited?.description ?? this.column.description ?? null;
  }

  @Field(() => Boolean)
  get nullable(): boolean {
    return this.column.nullable;
  }

  @Field(() => Boolean)
  get recursive(): boolean {
    return this.column.recursive;
  }

  @Field(() => Boolean, optional)
  get isPartOfKey(): boolean {
    return this.column.isPartOfKey;
  }

  @Field(() => Boolean, optional)
  get isPartitioningKey(): boolean | null {
    return this.column.isPartitioningKey ?? null;
  }

  @Field(() => String, optional)
  get jsonPath(): string | null {
    return this.column.jsonPath ?? null;
  }

  @Field(() => GlobalTags, {
    nullable: true,
    description: 'Tags that came with the schema and those that people put on the column.',
  })
  tags(): GlobalTags | null {
    return bothTags(this.column.globalTags, this.edited?.globalTags, this.urn, this.context);
  }

  @Field(() => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  globalTags(): GlobalTags | null {
    return this.tags();
  }

  @Field(() => GlossaryTerms, {
    nullable: true,
    description: 'Terms that came with the schema and those that people attached to the column.',
  })
  glossaryTerms(): GlossaryTerms | null {
    return bothTerms(this.column.glossaryTerms, this.edited?.glossaryTerms, this.urn, this.context);
  }

  @Field(() => typeNamed('SchemaFieldEntity'), { nullable: true, description: 'The column as an entity.' })
  schemaFieldEntity(): Entity | null {
    return this.context.entity(this.urn);
  }

  /** For what the model adds. */
  get stored(): object {
    return this.column;
  }

  private get urn(): string {
    return columnUrn(this.datasetUrn, this.column.fieldPath);
  }
}

@ObjectType('SchemaMetadata', { description: 'The columns of a dataset.' })
export class SchemaMetadata {
  @Field(() => String) name!: string;
  @Field(() => Long) version!: number;
  @Field(() => String) hash!: string;
  @Field(() => String) platformUrn!: string;
  @Field(() => String, optional) datasetUrn!: string;
  @Field(() => PlatformSchema, {
    nullable: true,
    description:
      'The schema in the words of its platform; platformSchemaRecord is the record as it is stored.',
  })
  platformSchema!: typeof PlatformSchema | null;
  @Field(() => Long, {
    nullable: true,
    description: 'Which version of the aspect it is; 0 for the latest.',
  })
  aspectVersion!: number;
  @Field(() => [SchemaField]) fields!: SchemaField[];
  @Field(() => [String], optional) primaryKeys!: string[] | null;
  @Field(() => Long, optional) createdAt!: number | null;
}

@ObjectType('EditableSchemaFieldInfo', { description: 'What people wrote about a column.' })
export class EditableSchemaFieldInfo {
  @Field(() => String) fieldPath!: string;
  @Field(() => String, optional) description!: string | null;
  @Field(() => GlobalTags, optional) tags!: GlobalTags | null;
  @Field(() => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  globalTags!: GlobalTags | null;
  @Field(() => GlossaryTerms, optional) glossaryTerms!: GlossaryTerms | null;
}

@ObjectType('EditableSchemaMetadata', { description: 'What people wrote about the columns of a dataset.' })
export class EditableSchemaMetadata {
  @Field(() => [EditableSchemaFieldInfo]) editableSchemaFieldInfo!: EditableSchemaFieldInfo[];
}

/** Records whose type is remembered: namespaces are up to clients. */
const MAX_DATA_TYPES = 1_000;

const DATA_TYPES: Readonly<Record<string, SchemaFieldDataType>> = { RECORD: 'STRUCT' };

/** By the name of the record in `{type: {"<ns>.schema.StringType": {}}}`. */
const dataTypes = new Map<string, SchemaFieldDataType>();

/** StringType is STRING; what is not known counts as STRUCT. */
export function dataType(type: model.SchemaFieldDataType): SchemaFieldDataType {
  const record = firstKey(type.type);
  const known = dataTypes.get(record);
  if (known !== undefined) return known;
  const name = record
    .slice(record.lastIndexOf('.') + 1)
    .replace(/Type$/, '')
    .toUpperCase();
  if (DATA_TYPES[name]) return DATA_TYPES[name];
  if (!Object.hasOwn(SchemaFieldDataType, name)) return 'STRUCT';
  if (dataTypes.size < MAX_DATA_TYPES) dataTypes.set(record, name as SchemaFieldDataType);
  return name as SchemaFieldDataType;
}

/** The list of all keys would be made for each column. */
function firstKey(record: object): string {
  for (const key in record) return key;
  return '';
}

showsRecord('schema.SchemaFieldDataType', 'SchemaFieldDataType', dataType);
showsRecord(
  'schema.SchemaField',
  'SchemaField',
  (value: model.SchemaField, context, owner) => new SchemaField(value, undefined, owner, context),
);

showsRecord('schema.SchemaMetadata', 'SchemaMetadata', (value: model.SchemaMetadata, context, owner) =>
  schemaMetadata(value, undefined, owner, context),
);
showsPartOf('SchemaMetadata', 'schema.SchemaMetadata');
showsPartOf('SchemaField', 'schema.SchemaField');

/** Columns with the texts, tags and terms of both origins; what people wrote wins. */
export function schemaMetadata(
  value: model.SchemaMetadata | undefined,
  editable: model.EditableSchemaMetadata | undefined,
  urn: string,
  context: EntityContext,
): (SchemaMetadata & Stored) | null {
  if (!value) return null;
  const edited = editable && new Map(editable.editableSchemaFieldInfo.map((info) => [info.fieldPath, info]));
  let columns: Set<string> | undefined;
  const isColumn = (path: string): boolean =>
    (columns ??= new Set(value.fields.map(({ fieldPath }) => fieldPath))).has(path);
  const writtenOf = (path: string) =>
    edited?.get(writtenPath(path, (written) => edited.has(written), isColumn));
  return {
    name: value.schemaName,
    version: value.version,
    hash: value.hash,
    platformUrn: value.platform,
    datasetUrn: urn,
    platformSchema: platformSchema(value.platformSchema),
    primaryKeys: value.primaryKeys ?? null,
    createdAt: value.created.time,
    aspectVersion: 0,
    stored: value,
    fields: value.fields.map((field) => new SchemaField(field, writtenOf(field.fieldPath), urn, context)),
  };
}

function bothTags(
  ingested: model.GlobalTags | undefined,
  written: model.GlobalTags | undefined,
  urn: string,
  context: EntityContext,
): GlobalTags | null {
  if (!ingested || !written) return globalTags(written ?? ingested, urn, context);
  const known = new Set(written.tags.map(({ tag }) => tag));
  const tags = [...written.tags, ...ingested.tags.filter(({ tag }) => !known.has(tag))];
  return globalTags({ tags }, urn, context);
}

function bothTerms(
  ingested: model.GlossaryTerms | undefined,
  written: model.GlossaryTerms | undefined,
  urn: string,
  context: EntityContext,
): GlossaryTerms | null {
  if (!ingested || !written) return glossaryTerms(written ?? ingested, urn, context);
  const known = new Set(written.terms.map((term) => term.urn));
  const terms = [...written.terms, ...ingested.terms.filter((term) => !known.has(term.urn))];
  return glossaryTerms({ ...written, terms }, urn, context);
}

export function editableSchemaMetadata(
  value: model.EditableSchemaMetadata | undefined,
  urn: string,
  context: EntityContext,
): EditableSchemaMetadata | null {
  if (!value) return null;
  return {
    editableSchemaFieldInfo: value.editableSchemaFieldInfo.map((info) => {
      const fieldUrn = columnUrn(urn, info.fieldPath);
      const tags = globalTags(info.globalTags, fieldUrn, context);
      return {
        fieldPath: info.fieldPath,
        description: info.description ?? null,
        tags,
        globalTags: tags,
        glossaryTerms: glossaryTerms(info.glossaryTerms, fieldUrn, context),
      };
    }),
  };
}
