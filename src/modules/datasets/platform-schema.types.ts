import { createUnionType, Field, ObjectType } from '@nestjs/graphql';
import type * as model from '../../catalog/model/generated/aspects.js';
import { showsPartOf, showsRecord } from '../graphql/index.js';

@ObjectType('TableSchema', { description: 'A schema as one text.' })
export class TableSchema {
  @Field(() => String, {
    description: 'The text, such as a statement; empty for a dataset without a schema.',
  })
  schema!: string;
}

@ObjectType('KeyValueSchema', {
  description: 'The schemas of the key and of the value of a key-value store.',
})
export class KeyValueSchema {
  @Field(() => String) keySchema!: string;
  @Field(() => String) valueSchema!: string;
}

showsRecord('schema.KeyValueSchema', 'KeyValueSchema');
showsPartOf('KeyValueSchema', 'schema.KeyValueSchema');

export const PlatformSchema = createUnionType({
  name: 'PlatformSchema',
  description: 'The schema in the words of its platform.',
  types: () => [TableSchema, KeyValueSchema] as const,
  resolveType: (value: TableSchema | KeyValueSchema) => ('schema' in value ? TableSchema : KeyValueSchema),
});

/** Where each record of the union keeps its text. */
const TEXTS: Readonly<Record<string, string>> = {
  BinaryJsonSchema: 'schema',
  KafkaSchema: 'documentSchema',
  MySqlDDL: 'tableSchema',
  OracleDDL: 'tableSchema',
  OrcSchema: 'schema',
  OtherSchema: 'rawSchema',
  PrestoDDL: 'rawSchema',
};

/** `{"<namespace>.schema.MySqlDDL": {"tableSchema": "CREATE …"}}` as one of the two forms that clients know. */
export function platformSchema(
  stored: model.SchemaMetadata['platformSchema'],
): TableSchema | KeyValueSchema | null {
  const [member, record] = (Object.entries(stored)[0] ?? []) as [string?, Record<string, string>?];
  if (member === undefined || !record) return null;
  const name = member.slice(member.lastIndexOf('.') + 1);
  if (name === 'EspressoSchema')
    return { keySchema: record['tableSchema'] ?? '', valueSchema: record['documentSchema'] ?? '' };
  if (name === 'KeyValueSchema')
    return { keySchema: record['keySchema'] ?? '', valueSchema: record['valueSchema'] ?? '' };
  const text = TEXTS[name];
  return { schema: (text === undefined ? undefined : record[text]) ?? '' };
}
