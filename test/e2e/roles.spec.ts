import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
} from 'graphql';
import { TestCatalog } from '../harness/catalog.js';
import { permissionRowOf, permissionRows, type PermissionRow } from '../harness/roles-page.js';
import { each, operationsOf, urlOf } from '../harness/operations.js';
import { importSample } from '../harness/sample.js';
import { SHORT_WAITS } from './events/feed-reader.js';

const rows = permissionRows();
type Row = PermissionRow;
const ROLES = ['READER', 'EDITOR'] as const;

let catalog: TestCatalog;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  catalog = await TestCatalog.start(SHORT_WAITS);
  await importSample(catalog);
  for (const role of ROLES) tokens[role] = (await catalog.issueToken({ user: 'role', role })).token;
});
afterAll(() => catalog.stop());

it('the page has operations of all surfaces', () => {
  expect(rows.length).toBeGreaterThan(200);
  expect(new Set(rows.map(({ needs }) => needs))).toEqual(new Set(['read', 'write', 'delete', 'manage']));
});

describe.each(ROLES)('%s', (role) => {
  const used = new Set<Row>();

  it.each(['aspect-api', 'across-entities', 'generic', 'entities-v3-core', 'entities-v2-core'])(
    'may call of the document %s what the page says',
    async (document) => {
      const calls = (await operationsOf(catalog, document)).filter(
        // Of the documents with each kind, one.
        ({ pattern, open }) =>
          !open && (!document.includes('core') || /\/entity\/(batch\/)?tag(\/|$)/.test(pattern)),
      );
      expect(calls.length).toBeGreaterThan(5);
      const found = await each(calls, async (call) => {
        const row = permissionRowOf(call);
        used.add(row);
        // A dry run changes nothing, and needs less.
        const body =
          typeof call.body === 'object' && call.body !== null && 'dryRun' in call.body
            ? { ...call.body, dryRun: false }
            : call.body;
        const { status } = await catalog.request(call.method, urlOf(call), {
          token: tokens[role]!,
          headers: call.headers,
          ...(body !== undefined && { body }),
        });
        return `${row.call}: ${status === 403 ? 'no' : 'yes'}`;
      });
      expect(found).toEqual(
        calls.map((call) => `${permissionRowOf(call).call}: ${permissionRowOf(call)[role]}`),
      );
    },
  );

  it('was tried with every call of the page', async () => {
    expect((await catalog.get('/metrics', { token: tokens[role]! })).status).toBe(200);
    const others = rows.filter((row) => row.call.includes(' ') && !used.has(row));
    expect(others.map(({ call }) => call)).toEqual(['GET /metrics']);
  });
});

const schema = buildSchema(readFileSync('docs/schema.graphql', 'utf8'));

/** A value of the type with all that it must have. */
function valueOf(type: GraphQLInputType, name: string): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType, name);
  if (isListType(type)) return [valueOf(type.ofType, name)];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const needed = fields.filter((field) => isNonNullType(field.type));
    return Object.fromEntries(needed.map((field) => [field.name, valueOf(field.type, field.name)]));
  }
  if (isScalarType(type) && type.name === 'Boolean') return true;
  if (isScalarType(type) && ['Int', 'Long', 'Float'].includes(type.name)) return 1;
  // States of tours are the caller's own by their ids.
  if (name === 'id') return 'urn:li:corpuser:role-x';
  return /urn/i.test(name) ? 'urn:li:tag:PII' : 'x';
}

/** An operation that asks for one field, with what it must have. */
function operation(root: GraphQLObjectType, field: GraphQLField<unknown, unknown>) {
  const needed = field.args.filter((arg: GraphQLArgument) => isNonNullType(arg.type));
  const variables = Object.fromEntries(needed.map((arg) => [arg.name, valueOf(arg.type, arg.name)]));
  const declared = needed.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const given = needed.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const leaf = isScalarType(schema.getType(String(field.type).replaceAll(/[[\]!]/g, '')));
  const body = `${field.name}${given === '' ? '' : `(${given})`}${leaf ? '' : ' { __typename }'}`;
  const kind = root.name.toLowerCase();
  return { query: `${kind} ${declared === '' ? '' : `(${declared})`} { ${body} }`, variables };
}

const fields = [schema.getQueryType()!, schema.getMutationType()!].flatMap((root) =>
  Object.values(root.getFields()).map((field) => ({ root, field, name: field.name })),
);

describe.each(ROLES)('%s in GraphQL', (role) => {
  it.each(fields)('$name', async ({ root, field }) => {
    const row = rows.find(({ call }) => call === field.name)!;
    // The second time it is compiled.
    for (let i = 0; i < 2; i++) {
      const { body } = await catalog.post('/api/graphql', operation(root, field), { token: tokens[role]! });
      const refused = (body.errors ?? []).some((error: any) => error.extensions?.errorCode === 'NOT_ALLOWED');
      expect({ refused, why: body.errors?.map((error: any) => error.message) }).toMatchObject({
        refused: row[role] === 'no',
      });
    }
  });
});
