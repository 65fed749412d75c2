import { TypeMetadataStorage } from '@nestjs/graphql';
import {
  defaultFieldResolver,
  isAbstractType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
} from 'graphql';

import type { RequestContext } from '../request-context.js';
import { Entity, recordingAspects } from '../types/index.js';

type Source = Record<string, unknown>;
type Read = (source: Source, given: Source) => unknown;

/**
 * The framework gives every field a function that reads a property. Where the property is plain data it goes, so that
 * compiled queries read it in line; methods of the classes are called with their arguments.
 */
export function withFastResolvers(schema: GraphQLSchema): GraphQLSchema {
  const classes = new Map(
    TypeMetadataStorage.getObjectTypesMetadata().map((metadata) => [metadata.name, metadata.target]),
  );
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) inSlices(type);
    if (!isObjectType(type)) continue;
    const target = classes.get(type.name) as { prototype: object } | undefined;
    if (!target) continue;
    const isEntity = target.prototype instanceof Entity;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve?.name !== 'rootFieldResolver') continue;
      const descriptor = describedBy(target.prototype, field.name);
      if (descriptor === undefined) {
        delete field.resolve;
        continue;
      }
      const read: Read = descriptor.get
        ? (source) => source[field.name]
        : calling(
            field.name,
            field.args.map((arg) => arg.name),
          );
      field.resolve = isEntity ? recordingOnce(type.name, field.name, read) : read;
    }
  }
  return schema;
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
  const value: unknown = defaultFieldResolver(source, args, context, info);
  return Array.isArray(value) && info.fieldNodes[0]?.selectionSet ? context.slices.spread(value) : value;
};

/** The first time, also learns which aspects the field reads. */
function recordingOnce(type: string, field: string, read: Read): Read {
  let known = false;
  return (source, given) => {
    if (known) return read(source, given);
    known = true;
    return recordingAspects(type, field, () => read(source, given));
  };
}

function calling(name: string, args: readonly string[]): Read {
  return (source, given) =>
    (source[name] as (...values: unknown[]) => unknown).apply(
      source,
      args.map((arg) => given[arg]),
    );
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
