import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLOutputType,
} from 'graphql';
import { isRecord, type JsonSchema } from '../../../catalog/model/index.js';
import type { RequestContext } from '../request-context.js';
import type { EntityContext } from '../types/entity.js';
import { sentenceOf } from './names.js';

export type Source = Readonly<Record<string, unknown>>;
export type Fields = Record<string, GraphQLFieldConfig<Source, RequestContext>>;

/** Makes what a query sees of a stored value that is there. `owner` is the URN of the entity that has the aspect. */
export type Shown = (value: unknown, context: EntityContext, owner: string) => unknown;

/** A type, and how its values come out of what is stored: as they are when `show` is undefined. */
export interface Shape {
  readonly type: GraphQLOutputType;
  readonly show?: Shown | undefined;
  /** Whether values may come out as null, which lists then leave out. */
  readonly partial?: boolean;
  /** Whether the value is a JSON text. */
  readonly json?: boolean;
  /** Whether the values are the entities that URNs name. */
  readonly entities?: boolean;
}

/** Which member of a union a value is: the name of its type. */
export const MEMBER = Symbol('member');

const JSON_TEXT = 'As JSON text.';

/** URNs of the entities that records belong to, for those whose fields name it. Records are shared and never changed. */
export const owners = new WeakMap<object, string>();

/** Members of unions that are no records: type, field, its type, description. */
export const SCALAR_OBJECTS: Readonly<Record<string, readonly [string, string, GraphQLOutputType, string]>> =
  {
    string: ['StringValue', 'stringValue', GraphQLString, 'A string.'],
    bytes: ['StringValue', 'stringValue', GraphQLString, 'A string.'],
    urn: ['StringValue', 'stringValue', GraphQLString, 'A string.'],
    boolean: ['BooleanValue', 'booleanValue', GraphQLBoolean, 'True or false.'],
    int: ['NumberValue', 'numberValue', GraphQLFloat, 'A number.'],
    long: ['NumberValue', 'numberValue', GraphQLFloat, 'A number.'],
    float: ['NumberValue', 'numberValue', GraphQLFloat, 'A number.'],
    double: ['NumberValue', 'numberValue', GraphQLFloat, 'A number.'],
  };

export function scalarObject(member: string, value: unknown): Record<string, unknown> {
  return { [(SCALAR_OBJECTS[member] ?? SCALAR_OBJECTS['string']!)[1]]: value };
}

export function memberOf(value: unknown): readonly [key: string, value: unknown] {
  return Object.entries(value as Source)[0] ?? ['', undefined];
}

export const toEntity: Shown = (urn, context) => context.entity(urn as string);

/** For records whose fields name the entity that they belong to. */
export const handOn: Shown = (value, _context, owner) => {
  owners.set(value as object, owner);
  return value;
};

export function listOf({ type, show, partial, entities }: Shape): Shape {
  const all: Shown | undefined =
    show && ((list, context, owner) => (list as unknown[]).map((value) => show(value, context, owner)));
  return {
    type: new GraphQLList(new GraphQLNonNull(type)),
    show:
      all && partial
        ? (list, context, owner) => (all(list, context, owner) as unknown[]).filter((value) => value !== null)
        : all,
    ...(entities && { entities }),
  };
}

/** Whether a property says by its name that it holds the text of URNs. */
export const isUrnText = (name: string) => /.Urns?$/.test(name);

/** `dataset` for `datasetUrn`, `datasets` for `datasetUrns`. */
export const bareName = (name: string) => name.replace(/Urn(s?)$/, '$1');

export function entryName(type: GraphQLOutputType): string {
  const name = String(type).replaceAll(/[[\]!]/g, '');
  return String(type).startsWith('[') ? `${name}List` : name;
}

export function isObject(schema: JsonSchema): boolean {
  return (
    schema.properties !== undefined || (schema.type === 'object' && !isRecord(schema.additionalProperties))
  );
}

export function fieldOf(
  { type, show, json, partial, entities }: Shape,
  property: string,
  field: string,
  present: boolean,
  schema: JsonSchema,
): GraphQLFieldConfig<Source, RequestContext> {
  const said = schema.description ?? sentenceOf(property);
  // The model speaks of the URNs that are stored.
  const description = entities
    ? said.replace(/^URNs? of (.)/, (_, first: string) => first.toUpperCase())
    : said;
  const config: GraphQLFieldConfig<Source, RequestContext> = {
    type: present && partial !== true ? new GraphQLNonNull(type) : type,
    description: json ? `${description} ${JSON_TEXT}` : description,
    ...(schema.deprecated === true && { deprecationReason: 'Not used any more.' }),
  };
  // Compiled queries read plain properties in line.
  if (show)
    config.resolve = (source, _given, context) => {
      const value = source[property];
      return value === undefined ? null : show(value, context, owners.get(source) ?? '');
    };
  else if (property !== field) config.resolve = (source) => source[property];
  return config;
}
