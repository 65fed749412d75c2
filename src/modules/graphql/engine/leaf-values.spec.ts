import { describe, expect, it } from '@jest/globals';
import { GraphQLEnumType, buildSchema, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { leafPass } from './leaf-values.js';

const schema = buildSchema(`
  scalar Long
  enum Kind { TABLE VIEW }
  interface Thing { name: String }
  type Column { path: String! kind: Kind key: Boolean size: Int ratio: Float id: ID at: Long }
  type Table implements Thing { name: String columns: [Column!] rows: [[Column]] labels: [String!]! kinds: [[Kind]] }
  type View implements Thing { name: String kind: Kind! }
  type Query { thing: Thing things: [Thing] table(if: Boolean): Table }
`);
const kinds = schema.getType('Kind') as GraphQLEnumType;
kinds.getValue('TABLE')!.value = 1;

/** What a compiled query that does not check values answers, and whether the pass has a form for all of them. */
function answered(query: string, root: object, variables = {}) {
  const document = parse(query);
  const program = compileQuery(schema, document, undefined, { disableLeafSerialization: true });
  if (!isCompiledQuery(program)) throw new Error('not compiled');
  const made = program.query(root, {}, variables) as { data: object };
  const passed = leafPass(schema, document, undefined)!(made.data);
  return { passed, data: JSON.parse(JSON.stringify(made.data)) as unknown };
}

describe('the values of a compiled query', () => {
  it.each([
    ['texts', '{ table { name labels } }', { name: 't', labels: ['a', 'b'] }, undefined],
    [
      'a number as a text',
      '{ table { name labels } }',
      { name: 1, labels: [2, 'b'] },
      { name: '1', labels: ['2', 'b'] },
    ],
    ['what is absent', '{ table { name columns { path } } }', {}, { name: null, columns: null }],
    [
      'names of an enum',
      '{ table { columns { kind } } }',
      { columns: [{ kind: 1 }, { kind: null }] },
      { columns: [{ kind: 'TABLE' }, { kind: null }] },
    ],
    [
      'lists in lists',
      '{ table { kinds rows { path } } }',
      { kinds: [[1, null], null], rows: [[null, { path: 3 }]] },
      { kinds: [['TABLE', null], null], rows: [[null, { path: '3' }]] },
    ],
    [
      'other names',
      '{ table { a: columns { b: key c: size d: ratio e: id } } }',
      { columns: [{ key: 1, size: '2', ratio: 0.5, id: 7 }] },
      { a: [{ b: true, c: 2, d: 0.5, e: '7' }] },
    ],
    [
      'parts',
      '{ table { ...F columns { size } } } fragment F on Table { columns { path ...F2 } } fragment F2 on Column { key }',
      { columns: [{ size: 1, path: 2, key: 0 }] },
      { columns: [{ size: 1, path: '2', key: false }] },
    ],
  ])('are shown as their type has them: %s', (_what, query, table, shown) => {
    expect(answered(query, { table })).toEqual({ passed: true, data: { table: shown ?? table } });
  });

  it('are shown by the type that they are of, and where a condition lets them', () => {
    const query =
      'query q($no: Boolean!) { things { name ... on Table { labels @skip(if: $no) } ... on View { kind } } }';
    const things = [{ __typename: 'Table', name: 5, labels: [6] }, null, { __typename: 'View', kind: 1 }];
    expect(answered(query, { things }, { no: false }).data).toEqual({
      things: [{ name: '5', labels: ['6'] }, null, { name: null, kind: 'TABLE' }],
    });
    expect(answered(query, { things }, { no: true }).data).toEqual({
      things: [{ name: '5' }, null, { name: null, kind: 'TABLE' }],
    });
  });

  it.each([
    ['{ table { name } }', { name: {} }],
    ['{ table { labels } }', { labels: ['a', []] }],
    ['{ table { kinds } }', { kinds: [['TABLE']] }],
    ['{ table { columns { size } } }', { columns: [{ size: 1 }, { size: 0.5 }] }],
    ['{ table { columns { ratio } } }', { columns: [{ ratio: NaN }] }],
    ['{ table { columns { key } } }', { columns: [{ key: 'yes' }] }],
  ])('are told when one has no such form: %s', (query, table) => {
    expect(answered(query, { table }).passed).toBe(false);
  });
});
