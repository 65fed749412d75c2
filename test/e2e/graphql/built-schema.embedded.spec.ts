import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  printSchema,
  type GraphQLSchema,
} from 'graphql';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';

const printed = (schema: GraphQLSchema) => printSchema(lexicographicSortSchema(schema));

/** The build puts modules together: what comes out must have the names that the source has, on any profile. */
describe('the built service', () => {
  let service: ServiceProcess;
  let home: string;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'catalog-schema-'));
    service = await ServiceProcess.start(home);
  });
  afterAll(async () => {
    await service.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('serves the schema of docs/schema.graphql', async () => {
    const query = getIntrospectionQuery({ inputValueDeprecation: true });
    const { status, body } = await service.post('/api/graphql', { query });
    expect({ status, errors: body.errors }).toEqual({ status: 200, errors: undefined });
    const documented = buildSchema(readFileSync(join(ROOT, 'docs', 'schema.graphql'), 'utf8'));
    expect(printed(buildClientSchema(body.data))).toBe(printed(documented));
  });

  it('describes every type, field, argument and value', () => {
    const schema = buildSchema(readFileSync(join(ROOT, 'docs', 'schema.graphql'), 'utf8'));
    const silent: string[] = [];
    const see = (place: string, { description }: { description?: string | null | undefined }) => {
      if (!description?.trim()) silent.push(place);
    };
    for (const type of Object.values(schema.getTypeMap())) {
      if (type.name.startsWith('__')) continue;
      see(type.name, type);
      if (isEnumType(type)) for (const value of type.getValues()) see(`${type.name}.${value.name}`, value);
      if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
      for (const field of Object.values(type.getFields())) {
        see(`${type.name}.${field.name}`, field);
        if ('args' in field)
          for (const arg of field.args) see(`${type.name}.${field.name}(${arg.name}:)`, arg);
      }
    }
    expect(silent).toEqual([]);
  });

  it('knows types by their documented names', async () => {
    const query = `query($input: RelationshipsInput!) {
      entity(urn: "urn:li:tag:none") { ... on Dataset { relationships(input: $input) { total } } } }`;
    const variables = { input: { types: [], direction: 'INCOMING' } };
    const { body } = await service.post('/api/graphql', { query, variables });
    expect(body).toEqual({ data: { entity: null }, extensions: {} });
  });
});
