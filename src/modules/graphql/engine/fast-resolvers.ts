import { TypeMetadataStorage } from '@nestjs/graphql';
import { isObjectType, type GraphQLFieldResolver, type GraphQLSchema } from 'graphql';

type Source = Record<string, unknown>;

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
    for (const field of Object.values(type.getFields())) {
      if (field.resolve?.name !== 'rootFieldResolver') continue;
      const descriptor = describedBy(target.prototype, field.name);
      if (descriptor === undefined) delete field.resolve;
      else if (descriptor.get) field.resolve = (source: Source) => source[field.name];
      else
        field.resolve = calling(
          field.name,
          field.args.map((arg) => arg.name),
        );
    }
  }
  return schema;
}

function calling(name: string, args: readonly string[]): GraphQLFieldResolver<Source, unknown> {
  return (source, given: Source) =>
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
