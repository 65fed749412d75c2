import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errors } from '@elastic/elasticsearch';
import { Transport, type TransportOptions, type TransportRequestParams } from '@elastic/transport';
import { refuse } from '../../../catalog/errors/index.js';
import { unlimited, type SearchBudget } from '../../../catalog/search/index.js';

/** Plain JSON media types and no product check: Elasticsearch from 7.10 on and OpenSearch take it. */
class PlainTransport extends Transport {
  constructor(options: TransportOptions) {
    const { productCheck: _, ...others } = options;
    super({
      ...others,
      vendoredHeaders: {
        jsonContentType: 'application/json',
        ndjsonContentType: 'application/x-ndjson',
        accept: 'application/json, text/plain',
      },
    });
  }
}

const REQUEST_TIMEOUT_MS = 60_000;
const PING_TIMEOUT_MS = 2_000;
/** A request that takes longer is looked after, this often: does the server answer anything at all? */
const LOOK_MS = 5_000;
/** How long it may take to answer that. */
const LOOK_TIMEOUT_MS = 5_000;
/** Pauses while the server says that it has too much to do. */
const BUSY_PAUSES_MS = [50, 100, 250, 500, 1000, 2000, 4000];
/** Pauses of a search of an engine that has just answered: its shards move, and others take their place soon. */
const MOVED_PAUSES_MS = [100, 400];
/** Pauses of a read of one document whose shard is only just beginning. */
const STARTING_PAUSES_MS = [50, 100, 250, 500, 1000, 2000];

interface ElasticRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
  /** Lines of newline-delimited JSON, each with its newline. */
  lines?: string;
}

/** Of a search: the engine ends it itself before; when it does not, something is wrong with the engine. */
const SEARCH_GRACE_MS = 5_000;

interface RequestOptions {
  signal?: AbortSignal;
  requestTimeout?: number;
}

/** How long to wait before the same request is made again; undefined when it is not. */
type Pause = (error: unknown, attempt: number) => number | undefined;

/** The server refused a request: what it said. */
export class ElasticError extends Error {
  override readonly name = 'ElasticError';

  constructor(
    readonly status: number,
    readonly type: string,
    reason: string,
  ) {
    super(`the search engine answered ${status}: ${reason}`);
  }
}

/** The connection to the server. Requests are made of paths and bodies, which all servers understand alike. */
export class ElasticClient {
  private readonly client: Client;
  private down = false;
  /** Requests under way, and when they began. */
  private readonly pending = new Map<AbortController, number>();
  private readonly watch: NodeJS.Timeout;

  constructor(url: URL) {
    this.client = new Client({
      node: url.href,
      Transport: PlainTransport,
      maxRetries: 1,
      requestTimeout: REQUEST_TIMEOUT_MS,
    });
    this.watch = setInterval(() => void this.look(), LOOK_MS).unref();
  }

  /** @throws ElasticError, or CatalogError SEARCH_UNAVAILABLE when there is no server or it has no room */
  async request<T>(
    request: ElasticRequest,
    options: RequestOptions = {},
    also: Pause = () => undefined,
  ): Promise<T> {
    const { method, path, query, body, lines } = request;
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.send(
          {
            method,
            path,
            ...(query && { querystring: query as Record<string, unknown> }),
            ...(body && { body: body as Record<string, unknown> }),
            ...(lines !== undefined && { bulkBody: lines }),
          },
          options,
        );
        this.down = false;
        return answer as T;
      } catch (error) {
        // A search that is too much for the memory of the engine only makes it worse when it comes again at once.
        const busy = statusOf(error) === 429 && (lines !== undefined || !isCircuitBreaking(error));
        const pause = busy ? BUSY_PAUSES_MS[attempt] : also(error, attempt);
        if (pause === undefined) throw this.translated(error, options.signal);
        await sleep(pause);
      }
    }
  }

  /**
   * A search: ended by the engine when the budget is used up, or when the caller has gone.
   * @throws CatalogError SEARCH_TOO_COSTLY, REQUEST_ABANDONED, and as `request` does
   */
  async search<T extends { timed_out?: boolean }>(
    request: ElasticRequest & { body: object },
    budget: SearchBudget = unlimited(),
  ): Promise<T> {
    budget.check();
    // The engine works elsewhere, and on several searches of a request at once: each has the time that is left here.
    const { signal, leftMs } = budget;
    const limited = leftMs !== Infinity;
    const timeout = limited && { timeout: `${inSteps(leftMs)}ms` };
    try {
      const answer = await this.request<T>(
        { ...request, body: { ...request.body, ...timeout } },
        { ...(signal && { signal }), ...(limited && { requestTimeout: leftMs + SEARCH_GRACE_MS }) },
        this.down ? undefined : pauseOfMoved,
      );
      if (answer.timed_out) throw budget.exceeded();
      return answer;
    } catch (error) {
      if (signal?.aborted) throw budget.ended();
      if (error instanceof OutOfTime) throw budget.exceeded();
      throw error;
    }
  }

  /** The same; undefined when the server answers 404. A shard that is only just beginning is waited for. */
  async find<T>(request: ElasticRequest): Promise<T | undefined> {
    try {
      return await this.request<T>(request, {}, this.down ? undefined : pauseOfStarting);
    } catch (error) {
      if (error instanceof ElasticError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Costs nothing as long as the last request went well. @throws CatalogError SEARCH_UNAVAILABLE */
  async ready(): Promise<void> {
    if (this.down) await this.ping();
  }

  /** @throws CatalogError SEARCH_UNAVAILABLE */
  async ping(): Promise<void> {
    try {
      await this.ask(PING_TIMEOUT_MS);
      this.down = false;
    } catch (error) {
      throw this.translated(error);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.watch);
    await this.client.close();
  }

  private async send(request: TransportRequestParams, options: RequestOptions): Promise<unknown> {
    // Without a reason: only so does the transport see an end, and not a fault of the connection. `AbortSignal.any` costs ten times as much.
    const ending = new AbortController();
    const end = (): void => ending.abort();
    if (options.signal?.aborted) end();
    options.signal?.addEventListener('abort', end);
    this.pending.set(ending, performance.now());
    try {
      return await this.client.transport.request(request, { ...options, signal: ending.signal });
    } finally {
      this.pending.delete(ending);
      options.signal?.removeEventListener('abort', end);
    }
  }

  /** Ends requests to a server that answers nothing any more; one that only takes its time answers this. */
  private async look(): Promise<void> {
    const since = performance.now() - LOOK_MS;
    const late = [...this.pending].filter(([, began]) => began <= since).map(([ending]) => ending);
    if (late.length === 0) return;
    try {
      await this.ask(LOOK_TIMEOUT_MS);
    } catch (error) {
      if (statusOf(error) !== undefined) return;
      for (const ending of late) ending.abort();
    }
  }

  private async ask(timeoutMs: number): Promise<void> {
    await this.client.transport.request(
      { method: 'GET', path: '/_cluster/health' },
      { requestTimeout: timeoutMs, maxRetries: 0 },
    );
  }

  private translated(error: unknown, signal?: AbortSignal): unknown {
    if (signal?.aborted) return error;
    const status = statusOf(error);
    if (status === undefined && !isConnectionTrouble(error)) return error;
    const { type, reason } = causeOf((error as { body?: unknown }).body);
    if (type === 'query_phase_execution_exception' && reason.includes('Time exceeded'))
      return new OutOfTime();
    if (type === 'search_timeout_exception') return new OutOfTime();
    if (TOO_MUCH.has(type))
      return refuse('SEARCH_TOO_COSTLY', `this search is too much for the engine: ${reason}`);
    if (status === undefined || isTrouble(status) || !isOfEngine(error)) {
      this.down = true;
      // No room on the disk, or it is only just beginning: the reason is worth telling.
      if (type === 'cluster_block_exception') return unavailable(reason);
      return unavailable(status === undefined ? connectionReason(error) : `it answered ${status} (${type})`);
    }
    this.down = false;
    if (reason.includes('Determinizing automaton'))
      return refuse('QUERY_SYNTAX', 'query: a regular expression is too complex');
    return new ElasticError(status, type, reason);
  }
}

/** Up to two digits: the engine keeps answers by all that a search says, and so few times repeat. */
function inSteps(ms: number): number {
  const step = Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, ms))) - 1));
  return Math.max(1, Math.ceil(ms / step) * step);
}

/** The engine ended a search because its time was over. */
class OutOfTime extends Error {}

/** What the engine has against the amount of a search, not against its form. */
const TOO_MUCH: ReadonlySet<string> = new Set([
  'too_many_clauses',
  'too_many_nested_clauses',
  'too_many_buckets_exception',
]);

/** What the engine answers when none of the shards of an index could be asked. */
const MOVED: ReadonlySet<string> = new Set([
  'no_shard_available_action_exception',
  'search_phase_execution_exception',
  'shard_not_found_exception',
  'index_not_found_exception',
]);

/** What it answers when a document is asked of an index that another process has just made. */
const STARTING: ReadonlySet<string> = new Set([
  'illegal_index_shard_state_exception',
  'no_shard_available_action_exception',
]);

/** Statuses below 500 with which a server, or the proxy before it, says that it does not let us in, or not now. */
const NOT_NOW: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

/** What a server or the proxy before it answers when it cannot work now; what it has against a request is 4xx. */
function isTrouble(status: number): boolean {
  return NOT_NOW.has(status) || status >= 500;
}

/** The engine says what it has against a request in JSON; a page is of a proxy. To HEAD there is no body at all. */
function isOfEngine(error: unknown): boolean {
  const body: unknown = error instanceof errors.ResponseError ? error.body : undefined;
  return typeof body !== 'string' || body === '';
}

/** Pauses while the engine answers 503 for one of these reasons. */
const pauseWhile =
  (types: ReadonlySet<string>, pauses: readonly number[]): Pause =>
  (error, attempt) =>
    statusOf(error) === 503 && types.has(typeOf(error)) ? pauses[attempt] : undefined;

const pauseOfMoved = pauseWhile(MOVED, MOVED_PAUSES_MS);
const pauseOfStarting = pauseWhile(STARTING, STARTING_PAUSES_MS);

function isCircuitBreaking(error: unknown): boolean {
  return typeOf(error) === 'circuit_breaking_exception';
}

function typeOf(error: unknown): string {
  return causeOf((error as { body?: unknown }).body).type;
}

export function unavailable(reason: string) {
  return refuse('SEARCH_UNAVAILABLE', `the search engine cannot be used now: ${reason}`);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof errors.ResponseError ? error.statusCode : undefined;
}

/** No answer, or one that broke off or is not of the engine. */
function isConnectionTrouble(error: unknown): boolean {
  return (
    error instanceof errors.ConnectionError ||
    error instanceof errors.TimeoutError ||
    error instanceof errors.RequestAbortedError ||
    error instanceof errors.DeserializationError ||
    error instanceof errors.NoLivingConnectionsError
  );
}

/** Without the address, which may hold a password. */
function connectionReason(error: unknown): string {
  if (error instanceof errors.TimeoutError || error instanceof errors.RequestAbortedError) {
    return 'it does not answer in time';
  }
  if (error instanceof errors.DeserializationError) return 'its answer cannot be read';
  const code = /\b(E[A-Z]{4,})\b/.exec((error as Error).message)?.[1] ?? '';
  return CONNECTION_TROUBLE[code] ?? 'it cannot be reached';
}

/** What the operating system says of a connection, in words. */
const CONNECTION_TROUBLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'it broke the connection off',
  ENOTFOUND: 'there is no server of its name',
  ETIMEDOUT: 'it does not answer in time',
};

interface Cause {
  type?: string;
  reason?: string;
}

function causeOf(body: unknown): { type: string; reason: string } {
  const error = (body as { error?: (Cause & { root_cause?: Cause[] }) | string } | null)?.error;
  if (typeof error === 'string') return { type: 'error', reason: error };
  if (!error) return { type: 'error', reason: 'no reason given' };
  const cause = error.root_cause?.[0] ?? error;
  return { type: cause.type ?? 'error', reason: cause.reason ?? 'no reason given' };
}
