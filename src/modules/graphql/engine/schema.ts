import type { LazyModuleLoader } from '@nestjs/core';
import { GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import type { GraphQLSchema } from 'graphql';
import type { Compatibility } from '../../../catalog/compatibility/index.js';
import type { Model } from '../../../catalog/model/index.js';
import { AspectEvents } from '../model-types/aspect-events.js';
import { describeAll } from '../model-types/descriptions.js';
import { EntityTypes } from '../model-types/entity-types.js';
import { asReferenceKnows } from '../model-types/reference-types.js';
import { shownClasses } from '../model-types/record-views.js';
import { entityClasses } from '../types/index.js';
import { SchemaDriver, type SchemaOptions } from './driver.js';
import { withFastResolvers } from './fast-resolvers.js';

interface SchemaParts {
  readonly model: Model;
  readonly compatibility: Pick<Compatibility, 'graphqlTypes'>;
}

/** The module around the resolvers, made with the schema. */
class GraphqlSchemaModule {}

/** Makes the schema of the classes of the modules and of the model. @param resolvers made by the modules that they belong to */
export async function makeSchema(
  modules: LazyModuleLoader,
  resolvers: readonly object[],
  parts: SchemaParts,
): Promise<{ schema: GraphQLSchema; classes: EntityTypes['classes'] }> {
  const events = resolvers.find((resolver) => resolver instanceof AspectEvents);
  const types = new EntityTypes(parts.model, events);
  const loaded = await modules.load(
    () => ({
      module: GraphqlSchemaModule,
      imports: [
        GraphQLModule.forRoot<SchemaOptions>({
          driver: SchemaDriver,
          autoSchemaFile: true,
          classes: [...resolvers.map((resolver) => resolver.constructor), ...entityClasses()],
          buildSchemaOptions: { orphanedTypes: [...entityClasses(), ...shownClasses()], skipCheck: true },
          transformSchema: (schema) => fromModel(types, schema, parts),
        }),
      ],
      // Made by their own modules, so that they can inject what these can.
      providers: [
        ...resolvers.map((resolver) => ({ provide: resolver.constructor, useValue: resolver })),
        // The framework looks for the arguments of methods in classes of providers only.
        ...entityClasses().map((type) => ({
          provide: type,
          useValue: Object.create(type.prototype as object) as object,
        })),
      ],
    }),
    { logger: false },
  );
  // Modules that come late are made, but not told that they are.
  await loaded.get(GraphQLModule, { strict: false }).onModuleInit();
  const { schema } = loaded.get(GraphQLSchemaHost, { strict: false });
  return { schema, classes: types.classes };
}

/** The hand-written schema with everything that the model adds. */
function fromModel(
  types: EntityTypes,
  written: GraphQLSchema,
  { model, compatibility }: SchemaParts,
): GraphQLSchema {
  types.eventsAskedLike(written, 'Dataset', 'datasetProfiles');
  const made = types.addFields(withFastResolvers(types.addTypes(written), types.classesByType));
  const schema = compatibility.graphqlTypes ? asReferenceKnows(made) : made;
  describeAll(schema, model);
  return schema;
}
