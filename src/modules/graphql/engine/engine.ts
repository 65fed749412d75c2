import { LazyModuleLoader } from '@nestjs/core';
import { AbstractGraphQLDriver, GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import { GraphQLError, printSchema, type GraphQLSchema } from 'graphql';
import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import type { Model } from '../../../catalog/model/index.js';
import type { AuthenticatedRequest } from '../../auth/index.js';
import type { EntityReader } from '../../entities/index.js';
import { documentError, fetchingError } from '../errors.js';
import type { Operation } from '../operation.js';
import { RequestContext } from '../request-context.js';
import { entityClasses } from '../types/index.js';
import { EmbeddedMercuriusDriver } from './driver.js';
import { withFastResolvers } from './fast-resolvers.js';

interface EngineParts {
  readonly model: Model;
  readonly reader: EntityReader;
}

/** The modules around the engine, made when it starts. */
class GraphqlEngineModule {}

/** The schema with all resolvers, compiled queries, and what runs them. */
export class GraphqlEngine {
  private constructor(
    private readonly schema: GraphQLSchema,
    private readonly server: FastifyInstance,
    private readonly parts: EngineParts,
  ) {}

  static async start(
    modules: LazyModuleLoader,
    resolvers: readonly object[],
    parts: EngineParts,
  ): Promise<GraphqlEngine> {
    const loaded = await modules.load(
      () => ({
        module: GraphqlEngineModule,
        imports: [
          GraphQLModule.forRoot({
            driver: EmbeddedMercuriusDriver,
            autoSchemaFile: true,
            sortSchema: true,
            inheritResolversFromInterfaces: true,
            buildSchemaOptions: { orphanedTypes: entityClasses(), skipCheck: true },
            transformSchema: withFastResolvers,
            routes: false,
            jit: 1,
            cache: 512,
            errorFormatter: (execution: { data?: unknown; errors?: unknown }) => ({
              statusCode: 200,
              response: execution,
            }),
          } as never),
        ],
        // Made by their own modules, so that they can inject what these can.
        providers: [
          ...resolvers.map((resolver) => ({ provide: resolver.constructor, useValue: resolver })),
          // The framework looks for the arguments of methods in classes of providers only.
          ...entityClasses().map((type) => ({
            provide: type,
            useValue: Object.create(type.prototype) as object,
          })),
        ],
      }),
      { logger: false },
    );
    // Modules that come late are made, but not told that they are.
    await loaded.get(GraphQLModule, { strict: false }).onModuleInit();
    const { schema } = loaded.get(GraphQLSchemaHost, { strict: false });
    const driver = loaded.get(AbstractGraphQLDriver, { strict: false }) as unknown as EmbeddedMercuriusDriver;
    return new GraphqlEngine(schema, driver.server, parts);
  }

  sdl(): string {
    return printSchema(this.schema);
  }

  async run(
    request: AuthenticatedRequest,
    principal: Principal,
    operation: Operation,
  ): Promise<Record<string, unknown>> {
    const context = new RequestContext(request, principal, this.parts.model, this.parts.reader);
    const requestId = String((request as { id?: unknown }).id ?? '');
    try {
      const execution = await this.server.graphql(
        documentOf(operation),
        context as unknown as Record<string, unknown>,
        { ...operation.variables },
        operation.operationName,
      );
      const errors = (execution.errors as GraphQLError[] | undefined) ?? [];
      return {
        data: execution.data ?? null,
        ...(errors.length > 0 ? { errors: errors.map((error) => fetchingError(error, requestId)) } : {}),
        extensions: {},
      };
    } catch (error) {
      const errors = (error as { errors?: unknown }).errors;
      if (!Array.isArray(errors) || !errors.every((e) => e instanceof GraphQLError)) throw error;
      return { errors: errors.map((e) => documentError(e)), extensions: {} };
    }
  }
}

/** Compiled queries are kept by their text alone, so the name of the operation is made part of it. */
function documentOf({ query, operationName }: Operation): string {
  return operationName === undefined || /[\r\n]/.test(operationName) ? query : `${query}\n# ${operationName}`;
}
