import type { JsonSchema } from '../model/index.js';
import { DURATION } from './duration.js';

/**
 * What the parameters of routes are declared with: JSON Schemas. One is the check of a request, the TypeScript type of
 * what the handler gets, the phrase of the listing and the schema of the API documents at once.
 */

/** Where examples of calls find entities to name. */
export interface ExampleSource {
  /**
   * What examples name of a kind of entities: the aspect that people know it by.
   * @param of whether an event of a time series is wanted
   */
  example(kind: string, of?: 'timeseries'): ExampleAspect;
}

/** What only the model knows, as the API documents describe it. */
export interface DocumentSchemas extends ExampleSource {
  /** The name of a kind of entities. */
  entityName(): JsonSchema;
  entityNames(): string[];
  aspectNames(kind?: 'versioned' | 'timeseries'): string[];
  /** The URN of an entity of a kind that the model has. @param kind the only one that will do */
  knownUrn(kind?: string): JsonSchema;
  aspectName(kind?: 'versioned' | 'timeseries'): JsonSchema;
  /** A URN, also of a kind that the model does not have. */
  anyUrn(): JsonSchema;
  /** A type of relationships. @param wildcard whether `*` stands for all of them */
  relationshipName(of: 'all' | 'lineage', wildcard: boolean): JsonSchema;
  relationshipNames(): string[];
  /** The plain names of the records of all aspects. */
  recordNames(): string[];
  /** A schema that the document has for all. */
  common(name: string): JsonSchema;
  /** A schema under a name of its own, made when it is asked for the first time. */
  component(name: string, make: () => JsonSchema): JsonSchema;
}

/** Schemas that all of a document may refer to, by name: a module has them beside what reads or makes their values. */
export type SharedSchemas = Readonly<
  Record<string, (schemas: Pick<DocumentSchemas, 'common'>) => JsonSchema>
>;

/** An aspect of an entity of the sample. */
export interface ExampleAspect {
  /** Name of the kind. */
  readonly kind: string;
  readonly urn: string;
  /** Name of the aspect. */
  readonly aspect: string;
  /** Full name of its record. */
  readonly record: string;
  readonly value: unknown;
  /** A JSON Patch that adds what is stored already. */
  readonly patch: unknown;
}

/** How a document describes a parameter, where its own schema does not say all. */
const DOCUMENTED = Symbol('documented');
/** Marks what has a parser of its own, which also refuses that it is missing. */
const PARSED = Symbol('parsed');
/** Marks what is taken but not offered: other spellings, and what older clients send. */
const UNDOCUMENTED = Symbol('undocumented');
/** The name under which several routes of a document share a parameter. */
const SHARED = Symbol('shared');
const EXAMPLE = Symbol('example');
/** How a list of the query is written. */
const WRITTEN = Symbol('written');

type Documented = (schemas: DocumentSchemas) => JsonSchema;

/** One parameter: a JSON Schema, and a phrase about it. */
export interface ParameterSchema {
  readonly description: string;
}
export type ParameterSchemas = Readonly<Record<string, ParameterSchema>>;

/** The values that a JSON Schema allows, of the keywords that parameters are declared with. */
export type ValueOf<S> = S extends { enum: readonly (infer E)[] }
  ? E
  : S extends { type: 'string' }
    ? string
    : S extends { type: 'integer' }
      ? number
      : S extends { type: 'boolean' }
        ? boolean
        : S extends { type: 'array'; items: infer I }
          ? Array<ValueOf<I>>
          : S extends { properties: infer P; required: readonly (infer R)[] }
            ? Values<P, R>
            : S extends { properties: infer P }
              ? Values<P, never>
              : unknown;

/** What a handler gets of declared parameters. `R` are the names of those that must be there. */
export type Values<P, R> = {
  readonly [N in keyof P as N extends R ? N : never]: ValueOf<P[N]>;
} & {
  readonly [N in keyof P as N extends R ? never : N]?: ValueOf<P[N]>;
};

interface Text {
  readonly type: 'string';
  readonly description: string;
}
interface Integer {
  readonly type: 'integer';
  readonly minimum: number;
  readonly maximum: number;
  readonly description: string;
}
interface Flag {
  readonly type: 'boolean';
  readonly description: string;
}
interface List<I> {
  readonly type: 'array';
  readonly items: I;
  readonly description: string;
}
interface Anything {
  readonly description: string;
}

/** Any text, also an empty one. */
export const text = (description: string): Text => ({ type: 'string', description });

/** A text that says something: an empty one counts as missing. */
export const name = (description: string): Text & { readonly minLength: 1 } => ({
  type: 'string',
  minLength: 1,
  description,
});

/** A whole number, from 0 on unless said otherwise. */
export const integer = (
  description: string,
  {
    minimum = 0,
    maximum = Number.MAX_SAFE_INTEGER,
    ...rest
  }: { minimum?: number; maximum?: number; default?: number } = {},
): Integer => ({ type: 'integer', minimum, maximum, ...rest, description });

/** Epoch milliseconds, also before 1970. */
export const time = (description: string): Integer =>
  integer(description, { minimum: Number.MIN_SAFE_INTEGER });

export const flag = (description: string, fallback?: boolean): Flag => ({
  type: 'boolean',
  ...(fallback !== undefined && { default: fallback }),
  description,
});

export const listOf = <const I>(description: string, items: I): List<I> => ({
  type: 'array',
  items,
  description,
});

/** One of a few words. */
export const word = <const W extends string>(description: string, words: readonly W[], fallback?: W) => ({
  type: 'string' as const,
  enum: words,
  ...(fallback !== undefined && { default: fallback }),
  description,
});

type Texts = List<{ readonly type: 'string' }>;
const texts = (description: string, written: 'repeated' | 'restli'): Texts =>
  Object.assign(listOf(description, { type: 'string' as const }), { [WRITTEN]: written });

/** Names in a query: the parameter is repeated, or has several of them between commas. */
export const names = (description: string): Texts => texts(description, 'repeated');

/** Texts in a query: `List(a,b)`, or the parameter is repeated. */
export const restliList = (description: string): Texts => texts(description, 'restli');

export const writtenOf = (schema: object): 'repeated' | 'restli' | undefined =>
  (schema as { [WRITTEN]?: 'repeated' | 'restli' })[WRITTEN];

/** What tools that try a call out begin with. */
export const example = <S extends object>(value: unknown, schema: S): S =>
  Object.assign(schema, { [EXAMPLE]: value });

export const exampleOf = (schema: object): unknown => (schema as { [EXAMPLE]?: unknown })[EXAMPLE];

/** The name of a kind of entities; the handler looks it up. */
export const entityName = (description: string) =>
  documented(name(description), (schemas) => schemas.entityName());

/** A URN; the handler parses it. @param kind of entities, where others are refused */
export const urn = (description: string, kind?: string) =>
  documented(name(description), (schemas) => schemas.knownUrn(kind));

/** The name of an aspect; the handler looks it up. */
export const aspectName = (description: string, kind?: 'timeseries') =>
  documented(name(description), (schemas) => schemas.aspectName(kind));

/** Names of kinds of entities. */
export const entityNames = (description: string) =>
  documented(listOf(description, { type: 'string' }), (schemas) => ({
    type: 'array',
    items: schemas.entityName(),
  }));

/** What older clients send, and changes nothing. */
export const ignored = (description: string): Anything => ({ description });

/** A duration such as `5m`, or an empty text for none. */
export const duration = (description: string) => ({
  type: 'string' as const,
  pattern: DURATION,
  description,
});

/** A value that a parser of its own checks: the documents describe what that takes. */
export const parsed = (description: string, documentation: Documented): Anything =>
  Object.assign(documented({ description }, documentation), { [PARSED]: true });

/** A schema that the documents describe more closely than it is checked here, because the handler checks the rest. */
export const documented = <S extends object>(schema: S, documentation: Documented): S =>
  Object.assign(schema, { [DOCUMENTED]: documentation });

export const isParsed = (schema: object): boolean => PARSED in schema;

export const documentationOf = (schema: object): Documented | undefined =>
  (schema as { [DOCUMENTED]?: Documented })[DOCUMENTED];

export const undocumented = <S extends object>(schema: S): S =>
  Object.assign(schema, { [UNDOCUMENTED]: true });

export const isUndocumented = (schema: object): boolean => UNDOCUMENTED in schema;

/** A parameter that several routes have, under one name in the documents. */
export const shared = <S extends object>(name: string, schema: S): S =>
  Object.assign(schema, { [SHARED]: name });

export const sharedNameOf = (schema: object): string | undefined => (schema as { [SHARED]?: string })[SHARED];

/** The phrases about the parameters that are offered, for the listing. */
export function phrasesOf(parameters: ParameterSchemas): { parameters?: Record<string, string> } {
  const offered = Object.entries(parameters).filter(([, schema]) => !isUndocumented(schema));
  if (offered.length === 0) return {};
  return { parameters: Object.fromEntries(offered.map(([name, { description }]) => [name, description])) };
}
