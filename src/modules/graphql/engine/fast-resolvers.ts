import { TypeMetadataStorage } from '@nestjs/graphql';
import {
  defaultFieldResolver,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';

import type { RequestContext } from '../request-context.js';
import { entitiesIn, type FieldInfo } from '../selected-aspects.js';
import { authorizing } from '../needs.js';
import { meteringSearches } from './metered-searches.js';
import { pointingIntoInput } from './input-pointers.js';
import { NOT_READ, noteAspects } from '../types/index.js';

type Source = Record<string, unknown>;
type Given = Record<string, unknown>;
type Resolve = GraphQLFieldResolver<Source, RequestContext, Given>;
type Field = GraphQLField<Source, RequestContext, Given>;
type Call = (source: Source, given: Given, context: RequestContext) => unknown;

/**
 * Replaces the resolvers that the framework gives to fields. A field of plain data gets none, so that compiled
 * queries read the property in line. A method of a class is called with its arguments. Entities in the results of
 * resolvers are collected, so that everything selected of them is read at once.
 * @param entities classes of entities that were made from the model, by the names of their types
 */
export function withFastResolvers(
  schema: GraphQLSchema,
  entities: ReadonlyMap<string, object>,
): GraphQLSchema {
  const written = TypeMetadataStorage.getObjectTypesMetadata();
  const classes = new Map<string, object>([
    ...written.map(({ name, target }) => [name, target] as const),
    ...entities,
  ]);
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) inSlices(type);
    if (!isObjectType(type)) continue;
    const target = classes.get(type.name) as { prototype: object } | undefined;
    for (const field of Object.values<Field>(type.getFields())) {
      if (!field.resolve) continue;
      meteringSearches(type.name, field as GraphQLField<unknown, RequestContext>);
      if (field.resolve.name === 'rootFieldResolver') {
        if (target) replaceResolver(field, type.name, describedBy(target.prototype, field.name));
      } else if (isCompositeType(getNamedType(field.type))) field.resolve = readingAhead(field.resolve);
      if (field.resolve)
        field.resolve = pointingIntoInput(
          field.resolve,
          field.args.map(({ name }) => name),
        );
      authorizing(type.name, field as GraphQLField<unknown, RequestContext>);
      if (field.resolve) field.resolve = counted(field.resolve);
    }
  }
  return schema;
}

function replaceResolver(field: Field, type: string, descriptor: PropertyDescriptor | undefined): void {
  const leaf = isLeafType(getNamedType(field.type));
  if (descriptor === undefined || (descriptor.get && leaf)) delete field.resolve;
  // Compiled queries would read it many times.
  else if (descriptor.get) field.resolve = (source) => source[field.name];
  else {
    const args = field.args.map((arg) => arg.name);
    field.resolve = waiting(type, field.name, calling(field.name, args));
  }
}

/** Counts a field where the fields of an answer are counted while it is made. */
function counted(resolve: Resolve): Resolve {
  return (source, args, context, info) => {
    if (context.counts) context.countField();
    return resolve(source, args, context, info);
  };
}

/** Also reads what is known to be needed of the entities in a value, all in one go. */
function readingAhead(resolve: Resolve): Resolve {
  const ahead = (value: unknown, { read, slices }: RequestContext, info: FieldInfo): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    let wait: Promise<void> | undefined;
    let reads = false;
    for (const [entity, selection] of entitiesIn(value, info)) {
      const aspects = selection.aspects(entity.typeName);
      if (aspects.length === 0) continue;
      reads = true;
      if (!read.has(entity.urn, aspects)) wait = read.read(entity.urn, aspects);
    }
    if (reads) wait ??= slices.fresh();
    if (!wait) return value;
    // Each field that needs what is read fails with it.
    const shown = () => value;
    return wait.then(shown, shown);
  };
  return (source, args, context, info) => {
    const value: unknown = resolve(source, args, context, info);
    if (value instanceof Promise) return value.then((found: unknown) => ahead(found, context, info));
    return ahead(value, context, info);
  };
}

/**
 * Calls a method of an entity again when what it lacked has been read. What the methods return is there at once for
 * everything that was read ahead: no promise is made for it.
 */
export function waiting(type: string, field: string, call: Call): Resolve {
  const resolve = (source: Source, given: Given, context: RequestContext): unknown => {
    try {
      return call(source, given, context);
    } catch (thrown) {
      if (thrown !== NOT_READ)
        return Promise.reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      const { aspects, over, turn } = context.read.lacked();
      if (aspects.length > 0) noteAspects(type, field, aspects);
      const again = () => resolve(source, given, context);
      return over.then(turn ? () => context.read.takingTurn(again) : again);
    }
  };
  return resolve;
}

/**
 * Each entity of a long list waits for its slice, also where nothing has to be read for it. Compiled queries cannot wait
 * there, and need a tenth of the time.
 */
function inSlices(type: GraphQLAbstractType): void {
  const resolve = type.resolveType;
  if (!resolve) return;
  type.resolveType = (value, context: RequestContext, info, of) => {
    const wait = context.interpreted ? context.slices.pace() : undefined;
    return wait ? wait.then(() => resolve(value, context, info, of)) : resolve(value, context, info, of);
  };
}

/**
 * What interpreted queries read plain data with. They complete each element of a list as soon as they have it: those of
 * a long one wait for their slice.
 */
export const readInSlices: GraphQLFieldResolver<unknown, RequestContext> = (source, args, context, info) => {
  if (context.counts) context.countField();
  const value: unknown = defaultFieldResolver(source, args, context, info);
  return Array.isArray(value) && info.fieldNodes[0]?.selectionSet ? context.slices.spread(value) : value;
};

function calling(name: string, args: readonly string[]): (source: Source, given: Given) => unknown {
  if (args.length === 0) return (source) => (source[name] as () => unknown)();
  return (source, given) =>
    (source[name] as (...values: unknown[]) => unknown)(...args.map((arg) => given[arg]));
}

function describedBy(prototype: object, name: string): PropertyDescriptor | undefined {
  for (
    let at: object | null = prototype;
    at && at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object
  ) {
    const descriptor = Object.getOwnPropertyDescriptor(at, name);
    if (descriptor) return descriptor;
  }
  return undefined;
}
