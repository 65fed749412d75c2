import { TypeMetadataStorage } from '@nestjs/graphql';
import { isObjectType, type GraphQLSchema } from 'graphql';

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
