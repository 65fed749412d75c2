import { Inject } from '@nestjs/common';
import { AbstractGraphQLDriver, GraphQLSchemaFactory, type GqlModuleOptions } from '@nestjs/graphql';
import {
  isInterfaceType,
  isObjectType,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** By type and field, what the modules contribute. */
type Resolvers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface SchemaOptions extends GqlModuleOptions {
  /** Classes of resolvers, and those whose methods have arguments. */
  readonly classes?: readonly unknown[];
}

/**
 * Only makes the schema: operations reach it through our own endpoint, and are run by our own engine. The schema that the
 * framework makes of the decorators is the one that runs. By itself the framework would print it, parse the text, and
 * put the resolvers on the outcome and then back, which takes longer than all else at the start of the engine.
 */
export class SchemaDriver extends AbstractGraphQLDriver {
  @Inject(GraphQLSchemaFactory)
  private readonly factory!: GraphQLSchemaFactory;

  override async generateSchema(options: SchemaOptions): Promise<GraphQLSchema> {
    const { classes = [], buildSchemaOptions = {}, transformSchema } = options;
    const schema = await this.factory.create([...classes] as never[], buildSchemaOptions);
    const resolvers: Resolvers[] = [];
    await this.graphQlFactory.generateSchema({
      ...options,
      // What is made already is not made again: only the resolvers are looked for.
      autoSchemaFile: false,
      schema,
      typeDefs: [],
      transformResolvers: (found) => {
        resolvers.push(...([found].flat() as Resolvers[]));
        return found;
      },
      transformSchema: (made) => made,
    });
    resolveBy(schema, resolvers);
    return transformSchema ? transformSchema(schema) : schema;
  }

  start(_options: GqlModuleOptions): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** Gives fields their resolvers; those of an interface are for all types that have it, unless they have their own. */
function resolveBy(schema: GraphQLSchema, parts: readonly Resolvers[]): void {
  const resolvers: Record<string, Resolvers[string]> = {};
  for (const part of parts)
    for (const [name, fields] of Object.entries(part)) resolvers[name] = { ...resolvers[name], ...fields };
  for (const [name, fields] of Object.entries(resolvers)) {
    const type = schema.getType(name);
    if (isInterfaceType(type))
      for (const possible of schema.getPossibleTypes(type)) put(possible, fields, resolvers[possible.name]);
    else if (isObjectType(type)) put(type, fields);
    else throw new Error(`there are resolvers for ${name}, which is no type with fields`);
  }
}

function put(type: GraphQLObjectType, resolvers: Resolvers[string], own: Resolvers[string] = {}): void {
  const fields = type.getFields();
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = fields[name];
    if (field && typeof resolve === 'function' && !(name in own))
      field.resolve = resolve as GraphQLFieldResolver<unknown, unknown>;
  }
}
