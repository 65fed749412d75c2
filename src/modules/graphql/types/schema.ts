import { Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../../catalog/model/generated/aspects.js';
import { GlobalTags, globalTags, GlossaryTerms, glossaryTerms } from './common.js';
import { Entity, optional, typeNamed, type EntityContext } from './entity.js';
import { SchemaFieldDataType } from './enums.js';
import { Long } from './scalars.js';

@ObjectType({ description: 'A column.' })
export class SchemaField {
  @Field(() => String, { description: 'Path of the column, dotted when it is nested.' }) fieldPath!: string;
  @Field(() => String, optional) label!: string | null;
  @Field(() => SchemaFieldDataType) type!: SchemaFieldDataType;
  @Field(() => String, { nullable: true, description: 'The type in the words of the platform.' })
  nativeDataType!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'What people wrote in the catalog; otherwise what the platform reports.',
  })
  description!: string | null;
  @Field(() => Boolean) nullable!: boolean;
  @Field(() => Boolean) recursive!: boolean;
  @Field(() => Boolean, optional) isPartOfKey!: boolean;
  @Field(() => Boolean, optional) isPartitioningKey!: boolean | null;
  @Field(() => String, optional) jsonPath!: string | null;
  @Field(() => GlobalTags, {
    nullable: true,
    description: 'Tags that came with the schema and those that people put on the column.',
  })
  tags!: GlobalTags | null;
  @Field(() => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  globalTags!: GlobalTags | null;
  @Field(() => GlossaryTerms, {
    nullable: true,
    description: 'Terms that came with the schema and those that people attached to the column.',
  })
  glossaryTerms!: GlossaryTerms | null;
  @Field(() => typeNamed('SchemaFieldEntity'), { nullable: true, description: 'The column as an entity.' })
  schemaFieldEntity!: Entity | null;
}

@ObjectType({ description: 'The columns of a dataset.' })
export class SchemaMetadata {
  @Field(() => String, optional) name!: string;
  @Field(() => Long) version!: number;
  @Field(() => String) hash!: string;
  @Field(() => String) platformUrn!: string;
  @Field(() => String, optional) datasetUrn!: string;
  @Field(() => [SchemaField]) fields!: SchemaField[];
  @Field(() => [String], optional) primaryKeys!: string[] | null;
  @Field(() => Long, optional) createdAt!: number | null;
}

@ObjectType({ description: 'What people wrote about a column.' })
export class EditableSchemaFieldInfo {
  @Field(() => String) fieldPath!: string;
  @Field(() => String, optional) description!: string | null;
  @Field(() => GlobalTags, optional) tags!: GlobalTags | null;
  @Field(() => GlobalTags, { nullable: true, deprecationReason: 'Use tags.' })
  globalTags!: GlobalTags | null;
  @Field(() => GlossaryTerms, optional) glossaryTerms!: GlossaryTerms | null;
}

@ObjectType({ description: 'What people wrote about the columns of a dataset.' })
export class EditableSchemaMetadata {
  @Field(() => [EditableSchemaFieldInfo]) editableSchemaFieldInfo!: EditableSchemaFieldInfo[];
}

const DATA_TYPES: Readonly<Record<string, SchemaFieldDataType>> = { RECORD: 'STRUCT' };

/** `{type: {"<ns>.schema.StringType": {}}}` is STRING; what is not known counts as STRUCT. */
function dataType(type: model.SchemaFieldDataType): SchemaFieldDataType {
  const record = Object.keys(type.type)[0] ?? '';
  const name = record
    .slice(record.lastIndexOf('.') + 1)
    .replace(/Type$/, '')
    .toUpperCase();
  return (
    DATA_TYPES[name] ?? (Object.hasOwn(SchemaFieldDataType, name) ? (name as SchemaFieldDataType) : 'STRUCT')
  );
}

/** Columns with the texts, tags and terms of both origins; what people wrote wins. */
export function schemaMetadata(
  value: model.SchemaMetadata | undefined,
  editable: model.EditableSchemaMetadata | undefined,
  urn: string,
  context: EntityContext,
): SchemaMetadata | null {
  if (!value) return null;
  const edited = new Map(editable?.editableSchemaFieldInfo.map((info) => [info.fieldPath, info]));
  return {
    name: value.schemaName,
    version: value.version,
    hash: value.hash,
    platformUrn: value.platform,
    datasetUrn: urn,
    primaryKeys: value.primaryKeys ?? null,
    createdAt: value.created.time,
    fields: value.fields.map((field) => schemaField(field, edited.get(field.fieldPath), urn, context)),
  };
}

function schemaField(
  field: model.SchemaField,
  edited: model.EditableSchemaFieldInfo | undefined,
  urn: string,
  context: EntityContext,
): SchemaField {
  const fieldUrn = `urn:li:schemaField:(${urn},${field.fieldPath})`;
  const tags = bothTags(field.globalTags, edited?.globalTags, fieldUrn, context);
  return {
    fieldPath: field.fieldPath,
    label: field.label ?? null,
    type: dataType(field.type),
    nativeDataType: field.nativeDataType,
    description: edited?.description ?? field.description ?? null,
    nullable: field.nullable,
    recursive: field.recursive,
    isPartOfKey: field.isPartOfKey,
    isPartitioningKey: field.isPartitioningKey ?? null,
    jsonPath: field.jsonPath ?? null,
    tags,
    globalTags: tags,
    glossaryTerms: bothTerms(field.glossaryTerms, edited?.glossaryTerms, fieldUrn, context),
    schemaFieldEntity: context.entity(fieldUrn),
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
      const fieldUrn = `urn:li:schemaField:(${urn},${info.fieldPath})`;
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
