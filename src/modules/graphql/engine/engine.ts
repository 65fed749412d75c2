import { Logger } from '@nestjs/common';
import type { LazyModuleLoader } from '@nestjs/core';
import {
  execute,
  GraphQLError,
  lexicographicSortSchema,
  OperationTypeNode,
  parse,
  printSchema,
  specifiedRules,
  validate,
  type GraphQLFieldResolver,
  type GraphQLFormattedError,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Principal } from '../../../catalog/auth/index.js';
import type { Compatibility } from '../../../catalog/compatibility/index.js';
import { CatalogError } from '../../../catalog/errors/index.js';
import type { Model } from '../../../catalog/model/index.js';
import { currentRequest, Limiter } from '../../../catalog/schedule/index.js';
import type { AuthenticatedRequest } from '../../auth/index.js';
import type { EntityReader } from '../../entities/index.js';
import { documentError, fetchingError, thrownBy, type EngineError } from '../errors.js';
import type { GraphqlLimits } from '../limits.js';
import type { GraphqlMetrics } from '../graphql-metrics.js';
import type { Operation } from '../operation.js';
import { DisplayNames } from '../model-types/display-names.js';
import { ParsedAspects } from '../parsed-aspects.js';
import { RequestContext, type ContextParts } from '../request-context.js';
import { CostMeter } from './cost-meter.js';
import { textInSlices } from './answer-text.js';
import { compiledSize, UNIT_BYTES } from './compiled-size.js';
import { aliasRule, checkDocument } from './document-bounds.js';
import { KnownDocuments, type Compiled, type KnownDocument } from './documents.js';
import { readInSlices } from './fast-resolvers.js';
import { asksForSchemaOnly, spreadIntrospection } from './introspection.js';
import { leafPass } from './leaf-values.js';
import { operationOf } from './operations.js';
import { makeSchema } from './schema.js';
import { checkSource } from './source-bounds.js';
import { unlessAborted, withinTime } from './time-limit.js';

interface EngineParts {
  readonly model: Model;
  readonly reader: EntityReader;
  readonly limits: GraphqlLimits;
  readonly metrics: GraphqlMetrics;
  readonly compatibility: Pick<Compatibility, 'graphqlTypes'>;
}

export interface GraphqlAnswer {
  /** The body, as JSON. */
  readonly text: string;
  /** The longest wait that one of the errors asks for, in seconds; 0 when none does. */
  readonly retryAfter: number;
}

/** The schema with all resolvers, compiled queries, and what runs them. */
export class GraphqlEngine {
  private readonly logger = new Logger(GraphqlEngine.name);

  private readonly documents = new KnownDocuments(KEPT_BYTES);
  private readonly large = new Limiter(LARGE_AT_ONCE);
  private readonly rules: readonly ValidationRule[];
  private readonly shared: ContextParts;

  private constructor(
    private readonly schema: GraphQLSchema,
    private readonly parts: EngineParts,
    classes: ContextParts['classes'],
  ) {
    this.shared = { ...parts, classes, names: new DisplayNames(parts.model), parsed: new ParsedAspects() };
    this.rules = [...specifiedRules, aliasRule(parts.limits)];
    spreadIntrospection();
  }

  /** @param resolvers made by the modules that they belong to */
  static async start(
    modules: LazyModuleLoader,
    resolvers: readonly object[],
    parts: EngineParts,
  ): Promise<GraphqlEngine> {
    const { schema, classes } = await makeSchema(modules, resolvers, parts);
    return new GraphqlEngine(schema, parts, classes);
  }

  sdl(): string {
    return printSchema(lexicographicSortSchema(this.schema));
  }

  /** Bytes that documents and compiled queries hold, as estimated. */
  get keptBytes(): number {
    return this.documents.bytes;
  }

  /** Runs an operation within the limits. What goes wrong in it is part of the answer. */
  async run(
    request: AuthenticatedRequest,
    principal: Principal,
    operation: Operation,
  ): Promise<GraphqlAnswer> {
    const context = new RequestContext(request, principal, this.shared);
    try {
      return await withinTime(this.answer(operation, context), context, this.parts.limits.timeoutMs);
    } catch (error) {
      const errors = documentErrors(error);
      if (!errors) throw error;
      const shown = errors.map((e) => documentError(e));
      return {
        text: JSON.stringify({ errors: shown, extensions: {} }),
        retryAfter: retryAfterOf(shown),
      };
    }
  }

  /** Without a promise of its own where the document is known, which nearly all are. */
  private answer(operation: Operation, context: RequestContext): Promise<GraphqlAnswer> {
    const known = this.documents.get(operation.query);
    if (known) return this.answerTo(known, operation, context);
    return this.read(operation.query, context).then((read) => this.answerTo(read, operation, context));
  }

  private answerTo(
    known: KnownDocument,
    operation: Operation,
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const { variables, operationName } = operation;
    const cost = CostMeter.check(this.schema, known.document, operationName, variables, this.parts.limits);
    const kept = known.answers.get(operationName ?? '');
    if (kept !== undefined) {
      this.parts.metrics.ran('kept');
      return Promise.resolve({ text: kept, retryAfter: 0 });
    }
    context.counts = cost > this.parts.limits.maxCost;
    const work = () => unlessAborted(this.worked(known, operation, context), context);
    return cost > LARGE ? this.large.run(work, context.signal) : work();
  }

  private async worked(
    known: KnownDocument,
    operation: Operation,
    context: RequestContext,
  ): Promise<GraphqlAnswer> {
    const { data, errors: thrown = [] } = await this.execute(known, operation, context);
    const errors = thrown.map((error) => this.shown(error, context.req));
    const { warnings = [] } = currentRequest() ?? {};
    const answer = {
      // Without data nothing was executed: what is undefined is left out.
      data,
      errors: errors.length > 0 ? errors : undefined,
      extensions: warnings.length > 0 ? { warnings } : {},
    };
    const text =
      context.slices.count === 0 ? JSON.stringify(answer) : await textInSlices(answer, context.slices);
    if (errors.length === 0 && asksForSchemaOnly(known.document, operation.operationName)) {
      known.answers.set(operation.operationName ?? '', text);
      this.documents.grow(operation.query, text.length * 2);
    }
    return { text, retryAfter: retryAfterOf(errors) };
  }

  private execute(
    known: KnownDocument,
    operation: Operation,
    context: RequestContext,
  ): Execution | Promise<Execution> {
    const interpret = () => {
      this.parts.metrics.ran('interpreted');
      return this.interpret(known, operation, context);
    };
    // Compiled queries do not count.
    if (context.counts) return interpret();
    const made = known.operations.get(operation.operationName ?? '');
    if (typeof made === 'object') return this.runCompiled(made, known, operation, context);
    return this.compiled(known, operation, context).then((compiled) =>
      compiled ? this.runCompiled(compiled, known, operation, context) : interpret(),
    );
  }

  private runCompiled(
    { run, pass }: Compiled,
    known: KnownDocument,
    operation: Operation,
    context: RequestContext,
  ): Execution | Promise<Execution> {
    this.parts.metrics.ran('compiled');
    const checked = (made: Execution): Execution | Promise<Execution> => {
      if (!pass || !made.data || pass(made.data)) return made;
      // The interpreter says where in the answer the value stands.
      context.startOver();
      return this.interpret(known, operation, context);
    };
    const made = run(undefined, context, { ...operation.variables }) as Execution | Promise<Execution>;
    return made instanceof Promise ? made.then(checked) : checked(made);
  }

  private interpret(
    { document }: KnownDocument,
    { variables, operationName }: Operation,
    context: RequestContext,
  ): Execution | Promise<Execution> {
    context.interpreted = true;
    return execute({
      schema: this.schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName,
      fieldResolver: readInSlices as GraphQLFieldResolver<unknown, unknown>,
    });
  }

  /** @throws InvalidDocument, GraphQLError, CatalogError */
  private async read(query: string, context: RequestContext): Promise<KnownDocument> {
    const { maxTokens } = this.parts.limits;
    await context.slices.turn();
    const tokens = checkSource(query, maxTokens);
    const document = parse(query, { maxTokens });
    checkDocument(document);
    await context.slices.turn();
    const faults = validate(this.schema, document, this.rules);
    if (faults.length > 0) throw new InvalidDocument(faults);
    const known: KnownDocument = { document, operations: new Map(), answers: new Map() };
    this.documents.add(query, known, query.length * 2 + tokens * TOKEN_BYTES);
    return known;
  }

  /**
   * The query as a program, from the second run on. Programs that would be large are never made: writing them takes
   * the event loop, and interpreting the document does not.
   */
  private async compiled(
    known: KnownDocument,
    { query, operationName }: Operation,
    context: RequestContext,
  ): Promise<Compiled | undefined> {
    const name = operationName ?? '';
    const operation = operationOf(known.document, operationName);
    if (!operation) return undefined;
    const found = known.operations.get(name);
    if (found !== 'ran once') {
      if (found === undefined) known.operations.set(name, 'ran once');
      return found === 'interpreted' ? undefined : found;
    }
    known.operations.set(name, 'interpreted');
    if (asksForSchemaOnly(known.document, operationName)) return undefined;
    const units = compiledSize(this.schema, known.document, operationName);
    this.parts.metrics.estimated(units);
    if (units === undefined) return undefined;
    await context.slices.turn();
    // What was written must not be written again.
    const disableLeafSerialization = operation.operation === OperationTypeNode.QUERY;
    const program = compileQuery(this.schema, known.document, operationName, { disableLeafSerialization });
    if (!isCompiledQuery(program)) return undefined;
    const pass = disableLeafSerialization ? leafPass(this.schema, known.document, operationName) : undefined;
    const made: Compiled = { run: program.query, pass };
    known.operations.set(name, made);
    this.documents.grow(query, units * UNIT_BYTES);
    return made;
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
  data?: object | null;
  errors?: readonly EngineError[];
}

/** Bytes of documents and compiled queries that are kept, as estimated. */
const KEPT_BYTES = 32 * 1024 * 1024;
/** Fields from which on an operation counts as large: what it has read and made takes up to some tens of megabytes. */
const LARGE = 10_000;
/** Large operations that go on at the same time: all take turns, so that more of them would only hold more memory. */
const LARGE_AT_ONCE = 2;
/** Bytes that a word or sign holds once it is part of a parsed document: 350 to 480 were measured. */
const TOKEN_BYTES = 500;

/** Validation found faults. */
class InvalidDocument extends Error {
  constructor(readonly errors: readonly GraphQLError[]) {
    super('invalid document');
  }
}

/** What was wrong before anything was executed; undefined for a fault of the service. */
function documentErrors(error: unknown): GraphQLError[] | undefined {
  if (error instanceof CatalogError) return [new GraphQLError(error.message, { originalError: error })];
  if (error instanceof GraphQLError) return [error];
  return error instanceof InvalidDocument ? [...error.errors] : undefined;
}

function retryAfterOf(errors: readonly GraphQLFormattedError[]): number {
  return errors.reduce(
    (longest, { extensions }) => Math.max(longest, Number(extensions?.['retryAfter'] ?? 0)),
    0,
  );
}
