import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  buildClientSchema,
  getIntrospectionQuery,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isObjectType,
  isTypeSubTypeOf,
  isUnionType,
  parse,
  parseType,
  typeFromAST,
  validate,
  type GraphQLInputType,
  type GraphQLSchema,
  type TypeNode,
} from 'graphql';
import { TestCatalog } from '../../harness/catalog.js';
import { exceptions } from './client-exceptions.js';
import { data } from './support.js';

/**
 * What the field's MCP server, SDK, command line and web client name in GraphQL, a coordinate a line: `Type.field(arg: Type): Type`,
 * `Input.field: Type`, `Enum.VALUE`. Types as these clients know them, so variables are declared as they stand here.
 */
const COORDINATES = readFileSync(join(import.meta.dirname, 'client-coordinates.txt'), 'utf8')
  .trim()
  .split('\n');

interface Coordinate {
  type: string;
  name: string;
  args: Array<[name: string, type: string]>;
  /** Undefined for a value of an enum. */
  of: string | undefined;
}

function read(line: string): Coordinate {
  const [, type, name, args = '', of] = /^(\w+)\.(\w+)(?:\((.*)\))?(?:: (.*))?$/.exec(line) ?? [];
  if (type === undefined || name === undefined) throw new Error(`no coordinate: ${line}`);
  return {
    type,
    name,
    args: args === '' ? [] : args.split(', ').map((arg) => arg.split(': ') as [string, string]),
    of,
  };
}

/** The arguments and the type of a field, as a coordinate has them. */
function typeOf(field: { type: unknown; args?: ReadonlyArray<{ name: string; type: unknown }> }): string {
  const args = (field.args ?? []).map(({ name, type }) => `${name}: ${String(type)}`).join(', ');
  return `${args === '' ? '' : `(${args})`}: ${String(field.type)}`;
}

describe('what clients name in GraphQL', () => {
  let catalog: TestCatalog;
  let schema: GraphQLSchema;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    schema = buildClientSchema(await data(catalog, getIntrospectionQuery()));
  });
  afterAll(() => catalog?.stop());

  /** Whether a variable that is declared so may stand where a type is asked for. */
  const accepts = (asked: GraphQLInputType, declared: string): boolean => {
    const type = typeFromAST(schema, parseType(declared) as TypeNode & { kind: never });
    return type !== undefined && isTypeSubTypeOf(schema, type, asked);
  };

  /** A document that asks for a field of an entity or of the root. */
  const documentFor = ({ type, name, args }: Coordinate, leaf: boolean): string | undefined => {
    const declared = args.length > 0 ? `(${args.map(([arg, of]) => `$${arg}: ${of}`).join(', ')})` : '';
    const given = args.length > 0 ? `(${args.map(([arg]) => `${arg}: $${arg}`).join(', ')})` : '';
    const field = `${name}${given}${leaf ? '' : ' { __typename }'}`;
    if (type === 'Query') return `query ${declared} { ${field} }`;
    if (type === 'Mutation') return `mutation ${declared} { ${field} }`;
    const found = schema.getType(type);
    if (!isObjectType(found) || !found.getInterfaces().some((one) => one.name === 'Entity')) return undefined;
    return `query ${declared} { entity(urn: "urn:li:tag:x") { ... on ${type} { ${field} } } }`;
  };

  it.each(COORDINATES)('%s', (line) => {
    const coordinate = read(line);
    const { name, args, of } = coordinate;
    const type = schema.getType(coordinate.type);
    if (of === undefined) {
      expect(isEnumType(type) && type.getValue(name)?.name).toBe(name);
      return;
    }
    if (isInputObjectType(type)) {
      expect(accepts(type.getFields()[name]!.type, of)).toBe(true);
      return;
    }
    if (!isObjectType(type) && !isInterfaceType(type)) throw new Error(`${coordinate.type} has no fields`);
    const field = type.getFields()[name];
    // Documents select it beside fields of the same name on other types: nullability has to be the same as well.
    expect(String(field?.type)).toBe(of);
    for (const [arg, declared] of args) {
      const known = field!.args.find((one) => one.name === arg);
      expect({ arg, accepted: known && accepts(known.type, declared) }).toEqual({ arg, accepted: true });
    }
    const document = documentFor(coordinate, isLeafType(getNamedType(field!.type)));
    expect(document === undefined ? [] : validate(schema, parse(document))).toEqual([]);
  });

  it.each(exceptions())('not as clients know it: %s', (line, _reason, missing) => {
    const { type: typeName, name, of } = read(line);
    const type = schema.getType(typeName);
    const field = isObjectType(type) || isInputObjectType(type) ? type.getFields()[name] : undefined;
    const value = isEnumType(type) ? type.getValue(name) : undefined;
    expect((field ?? value) === undefined).toBe(missing);
    // What has become the same is no exception any more.
    if (field) expect(typeOf(field)).not.toBe(line.includes('(') ? line.slice(line.indexOf('(')) : `: ${of}`);
  });

  describe('where the reference is followed', () => {
    let followed: TestCatalog;
    let theirs: GraphQLSchema;
    beforeAll(async () => {
      followed = await TestCatalog.start({ CATALOG_COMPATIBILITY: 'reference' });
      theirs = buildClientSchema(await data(followed, getIntrospectionQuery()));
    });
    afterAll(() => followed?.stop());

    it.each(exceptions().filter(([, , , inReference]) => inReference))('as clients know it: %s', (line) => {
      const { type: typeName, name, of } = read(line);
      const type = theirs.getType(typeName);
      if (isEnumType(type)) expect(type.getValue(name)?.name).toBe(name);
      else expect(isObjectType(type) && String(type.getFields()[name]?.type)).toBe(of);
    });

    it('everything else is as it stands here', () => {
      const changed = exceptions().map(([line]) => line.replace(/[(:].*/, ''));
      const printed = (of: GraphQLSchema): string[] =>
        Object.values(of.getTypeMap()).flatMap((type) =>
          isObjectType(type) || isInterfaceType(type)
            ? Object.values(type.getFields()).map((field) => `${type.name}.${field.name}${typeOf(field)}`)
            : [],
        );
      const before = new Set(printed(schema));
      const others = printed(theirs).filter((line) => !before.has(line));
      expect(others.filter((line) => !changed.includes(line.replace(/[(:].*/, '')))).toEqual([]);
    });
  });

  it.each([
    ['OwnerType', ['CorpUser', 'CorpGroup']],
    ['PlatformSchema', ['KeyValueSchema', 'TableSchema']],
    ['PropertyValue', ['StringValue', 'NumberValue']],
  ])('the union %s', (name, members) => {
    const union = schema.getType(name);
    expect(isUnionType(union) && union.getTypes().map(String).sort()).toEqual([...members].sort());
  });

  it('are many, and each is here once', () => {
    expect(COORDINATES.length).toBeGreaterThan(600);
    expect(new Set(COORDINATES).size).toBe(COORDINATES.length);
  });
});
