import { describe, expect, it } from '@jest/globals';
import { buildSchema, execute, getIntrospectionQuery, parse } from 'graphql';
import { Slices } from '../slices.js';
import { asksForSchemaOnly, spreadIntrospection } from './introspection.js';

describe('a query about the schema', () => {
  const names = Array.from({ length: 300 }, (_, i) => `T${i}`);
  const schema = buildSchema(
    `type Query { ${names.map((name) => `${name}: ${name}`).join(' ')} }
     ${names.map((name) => `type ${name} { a: Int b(c: [String!] = ["d"]): ${name}! }`).join('\n')}`,
  );

  it('is answered as the library does, but in slices', async () => {
    const document = parse(getIntrospectionQuery({ inputValueDeprecation: true }));
    const whole = await execute({ schema, document });
    spreadIntrospection();
    const slices = new Slices(new AbortController().signal);
    const answer = await execute({ schema, document, contextValue: { interpreted: true, slices } });
    expect(answer.errors).toBeUndefined();
    expect(answer).toEqual(whole);
    expect(slices.count).toBeGreaterThan(0);
  });

  it.each([
    ['{ __schema { types { name } } }', true],
    ['{ __typename __type(name: "T1") { name } }', true],
    ['query A { ...F } fragment F on Query { ... on Query { __schema { queryType { name } } } }', true],
    ['{ __schema { types { name } } T1 { a } }', false],
    ['query A { ...F } fragment F on Query { T1 { a } }', false],
    ['query A($name: String!) { __type(name: $name) { name } }', false],
  ])('%s is one: %s', (text, only) => {
    expect(asksForSchemaOnly(parse(text), undefined)).toBe(only);
  });

  it('is looked for by the name of the operation', () => {
    const document = parse('query A { __typename } query B { T1 { a } }');
    expect(asksForSchemaOnly(document, 'A')).toBe(true);
    expect(asksForSchemaOnly(document, 'B')).toBe(false);
    expect(asksForSchemaOnly(document, 'C')).toBe(false);
  });
});
