import { setTimeout as sleep } from 'node:timers/promises';
import { Client, errors } from '@elastic/elasticsearch';
import { Transport, type TransportOptions } from '@elastic/transport';
import { refuse } from '../../../catalog/errors/index.js';

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
/** Pauses while the server says that it has too much to do. */
const BUSY_PAUSES_MS = [50, 100, 250, 500, 1000, 2000, 4000];

interface ElasticRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD';
  path: string;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: object;
  /** Lines of newline-delimited JSON, each with its newline. */
  lines?: string;
}

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

  constructor(url: URL) {
    this.client = new Client({
      node: url.href,
      Transport: PlainTransport,
      maxRetries: 1,
      requestTimeout: REQUEST_TIMEOUT_MS,
    });
  }

  /** @throws ElasticError, or CatalogError SEARCH_UNAVAILABLE when there is no server or it has no room */
  async request<T>({ method, path, query, body, lines }: ElasticRequest): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        const answer = await this.client.transport.request({
          method,
          path,
          ...(query && { querystring: query as Record<string, unknown> }),
          ...(body && { body: body as Record<string, unknown> }),
          ...(lines !== undefined && { bulkBody: lines }),
        });
        this.down = false;
        return answer as T;
      } catch (error) {
        const pause = BUSY_PAUSES_MS[attempt];
        if (statusOf(error) !== 429 || pause === undefined) throw this.translated(error);
        await sleep(pause);
      }
    }
  }

  /** The same; undefined when the server answers 404. */
  async find<T>(request: ElasticRequest): Promise<T | undefined> {
    try {
      return await this.request<T>(request);
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
      await this.client.transport.request(
        { method: 'GET', path: '/_cluster/health' },
        { requestTimeout: PING_TIMEOUT_MS, maxRetries: 0 },
      );
      this.down = false;
    } catch (error) {
      throw this.translated(error);
    }
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private translated(error: unknown): unknown {
    const status = statusOf(error);
    if (status === undefined && !isConnectionTrouble(error)) return error;
    if (status === undefined || isTrouble(status)) {
      this.down = true;
      return unavailable(status === undefined ? connectionReason(error) : `it answered ${status}`);
    }
    this.down = false;
    const { type, reason } = causeOf((error as { body?: unknown }).body);
    // No room on the disk, or it is only just beginning: nothing is wrong with the request.
    if (type === 'cluster_block_exception') return unavailable(reason);
    if (reason.includes('Determinizing automaton'))
      return refuse('QUERY_SYNTAX', 'query: a regular expression is too complex');
    return new ElasticError(status, type, reason);
  }
}

/** What a server or the proxy before it answers when it cannot work now; what it has against a request is 4xx. */
function isTrouble(status: number): boolean {
  return status === 429 || status >= 500;
}

export function unavailable(reason: string) {
  return refuse('SEARCH_UNAVAILABLE', `the search engine cannot be used now: ${reason}`);
}

function statusOf(error: unknown): number | undefined {
  return error instanceof errors.ResponseError ? error.statusCode : undefined;
}

/** No answer, or one that broke off or is of somebody else. */
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
  if (error instanceof errors.TimeoutError) return 'it does not answer in time';
  if (error instanceof errors.DeserializationError) return 'its answer cannot be read';
  const code = /\b(E[A-Z]{4,})\b/.exec((error as Error).message)?.[1];
  return code === undefined ? 'it cannot be reached' : `it cannot be reached (${code})`;
}

interface Cause {
  type?: string;
  reason?: string;
}

function causeOf(body: unknown): { type: string; reason: string } {
  const error = (body as { error?: (Cause & { root_cause?: Cause[] }) | string } | null)?.error;
  if (typeof error === 'string') return { type: 'error', reason: error };
  const cause = error?.root_cause?.[0] ?? error;
  return { type: cause?.type ?? 'error', reason: cause?.reason ?? 'no reason given' };
}
