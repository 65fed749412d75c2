import { Logger } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { AbstractGraphQLDriver, GraphQLModule, GraphQLSchemaHost } from '@nestjs/graphql';
import {
  execute,
  GraphQLError,
  parse,
  printSchema,
  specifiedRules,
  validate,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../../catalog/auth/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import type { Model } from '../../../catalog/model/index.js';
import type { AuthenticatedRequest } from '../../auth/index.js';
import type { EntityReader } from '../../entities/index.js';
import { documentError, fetchingError, thrownBy, type EngineError } from '../errors.js';
import type { GraphqlLimits } from '../limits.js';
import type { Operation } from '../operation.js';
import { RequestContext } from '../request-context.js';
import { entityClasses } from '../types/index.js';
import { CostMeter } from './cost-meter.js';
import { EmbeddedMercuriusDriver } from './driver.js';
import { withFastResolvers } from './fast-resolvers.js';

interface EngineParts {
  readonly model: Model;
  readonly reader: EntityReader;
  readonly limits: GraphqlLimits;
}

/** The modules around the engine, made when it starts. */
class GraphqlEngineModule {}

/** The schema with all resolvers, compiled queries, and what runs them. */
export class GraphqlEngine {
  private readonly logger = new Logger(GraphqlEngine.name);

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
            cache: 256,
            graphql: { parseOptions: { maxTokens: parts.limits.maxTokens } },
            validationRules: [aliasRule(parts.limits)],
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
            useValue: Object.create(type.prototype as object) as object,
          })),
        ],
      }),
      { logger: false },
    );
    // Modules that come late are made, but not told that they are.
    await loaded.get(GraphQLModule, { strict: false }).onModuleInit();
    const { schema } = loaded.get(GraphQLSchemaHost, { strict: false });
    const driver = loaded.get<unknown, EmbeddedMercuriusDriver>(AbstractGraphQLDriver, { strict: false });
    driver.server.graphql.addHook('preExecution', async (schema, document, context, variables) => {
      const { operationName } = context as unknown as { operationName?: string };
      CostMeter.check(
        schema,
        document,
        operationName,
        (variables ?? {}) as Record<string, unknown>,
        parts.limits,
      );
    });
    return new GraphqlEngine(schema, driver.server, parts);
  }

  sdl(): string {
    return printSchema(this.schema);
  }

  /** Runs an operation within the limits. What goes wrong in it is part of the answer. */
  async run(
    request: AuthenticatedRequest,
    principal: Principal,
    operation: Operation,
  ): Promise<Record<string, unknown>> {
    const { model, reader, limits } = this.parts;
    const context = new RequestContext(request, principal, model, reader);
    try {
      const { data, errors = [] } = await withinTime(
        this.execute(operation, context),
        context,
        limits.timeoutMs,
      );
      return {
        data: data ?? null,
        ...(errors.length > 0 ? { errors: errors.map((error) => this.shown(error, request)) } : {}),
        extensions: {},
      };
    } catch (error) {
      const errors = documentErrors(error);
      if (!errors) throw error;
      return { errors: errors.map((e) => documentError(e)), extensions: {} };
    }
  }

  private execute(operation: Operation, context: RequestContext): Promise<Execution> {
    checkText(operation.query);
    // What inlines large values is not sent twice, and is too large to be kept.
    return operation.query.length > LARGEST_KEPT
      ? this.executeOnce(operation, context)
      : this.executeKept(operation, context);
  }

  private executeKept(operation: Operation, context: RequestContext): Promise<Execution> {
    const { variables, operationName } = operation;
    const carried = Object.assign(context, { operationName });
    return this.server.graphql(
      documentOf(operation),
      carried,
      { ...variables },
      operationName,
    ) as Promise<Execution>;
  }

  private async executeOnce(operation: Operation, context: RequestContext): Promise<Execution> {
    const { query, variables, operationName } = operation;
    const { limits } = this.parts;
    const document = parse(query, { maxTokens: limits.maxTokens });
    const faults = validate(this.schema, document, [...specifiedRules, aliasRule(limits)]);
    if (faults.length > 0)
      return Promise.reject(Object.assign(new Error('invalid document'), { errors: faults }));
    CostMeter.check(this.schema, document, operationName, variables, limits);
    return await execute({
      schema: this.schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName,
    });
  }

  private shown(error: EngineError, request: AuthenticatedRequest): GraphQLFormattedError {
    const requestId = (request as { id?: string }).id ?? '';
    const shown = fetchingError(error, requestId);
    if (shown.extensions?.['errorCode'] === 'INTERNAL') {
      const at = error.path?.join('.') ?? '';
      this.logger.error(new Error(`request ${requestId}: ${at} failed`, { cause: thrownBy(error) }));
    }
    return shown;
  }
}

interface Execution {
  data?: unknown;
  errors?: readonly EngineError[];
}

/** The longest text of a document that is kept with its compiled query. */
const LARGEST_KEPT = 16_384;

/** Compiled queries are kept by their text alone, so the name of the operation is made part of it. */
function documentOf({ query, operationName }: Operation): string {
  return operationName === undefined || /[\r\n]/.test(operationName) ? query : `${query}\n# ${operationName}`;
}

/** The library below takes a syntax tree as JSON for a document: past the limit of words, and past the validation. */
function checkText(query: string): void {
  try {
    JSON.parse(query);
  } catch {
    return;
  }
  throw refuse('GRAPHQL_INVALID', 'Syntax Error: "query" must be a GraphQL document, not JSON', '/query');
}

/** Gives up after the time: nothing more is read, and what was read is not shown. */
async function withinTime<T>(work: Promise<T>, context: RequestContext, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = refuse(
        'GRAPHQL_TIMEOUT',
        `the operation took longer than ${ms} ms and was given up; what it has written already is written`,
      );
      context.end(error);
      reject(error);
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // Whoever loses the race may still fail, and nobody waits for it.
    work.catch(() => undefined);
  }
}

/** What was wrong before anything was executed; undefined for what is nobody's fault but ours. */
function documentErrors(error: unknown): GraphQLError[] | undefined {
  if (error instanceof CatalogError) return [new GraphQLError(error.message, { originalError: error })];
  if (error instanceof GraphQLError) return [error];
  const errors = (error as { errors?: unknown }).errors;
  return Array.isArray(errors) && errors.every((e): e is GraphQLError => e instanceof GraphQLError)
    ? errors
    : undefined;
}

/** Aliases let one document ask the same thing many times. */
function aliasRule({ maxAliases }: GraphqlLimits): ValidationRule {
  return (context) => {
    let count = 0;
    return {
      Field(node) {
        if (!node.alias) return;
        count += 1;
        if (count !== maxAliases + 1) return;
        context.reportError(
          new GraphQLError(`at most ${maxAliases} aliases are allowed`, {
            nodes: node,
            extensions: { errorCode: 'GRAPHQL_TOO_COSTLY' },
          }),
        );
      },
    };
  };
}
