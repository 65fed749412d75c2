import { readJson } from '../catalog/json/index.js';
import { connectionOf } from './connection.js';

/** Options of every command that calls a running service, for `parseArgs`. */
export const SERVICE_OPTIONS = { server: { type: 'string' }, token: { type: 'string' } } as const;
export const SERVICE_USAGE = `  --server  where the service is; default: CATALOG_URL, else http://localhost:<PORT>
  --token   default: CATALOG_TOKEN, else CATALOG_ADMIN_TOKEN, else the file <CATALOG_HOME>/admin-token`;

/** The service did not do what was asked; the message is for the person. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

interface ErrorBody {
  message?: string;
  errors?: Array<{ message?: string }>;
}

/** Calls a running service. */
export class ServiceClient {
  private constructor(
    private readonly server: string,
    private readonly token: string | undefined,
  ) {}

  /** @throws UsageError when the address is none */
  static async from(options: {
    server?: string | undefined;
    token?: string | undefined;
  }): Promise<ServiceClient> {
    const { server, token } = await connectionOf(options);
    return new ServiceClient(server, token);
  }

  /** Whether the service is on this machine, as its address has it. */
  get isLocal(): boolean {
    return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(this.server).hostname);
  }

  /** `POST /operations?action=<action>`; what it answers under `value`. @throws ServiceError */
  async operation<T>(action: string, parameters: object): Promise<T> {
    return this.action('operations', action, parameters);
  }

  /** `POST /<resource>?action=<action>`; what it answers under `value`. @throws ServiceError */
  async action<T>(resource: string, action: string, parameters: object): Promise<T> {
    return (await this.call<{ value: T }>(`/${resource}?action=${action}`, parameters)).value;
  }

  /** GET, or POST of a body. @throws ServiceError */
  async call<T>(path: string, body?: object): Promise<T> {
    const response = await this.fetched(
      path,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
    const answer = await response
      .text()
      .then(readJson)
      .catch(() => ({}));
    if (response.ok) return answer as T;
    throw this.failure(response.status, answer as ErrorBody);
  }

  private async fetched(path: string, request: RequestInit): Promise<Response> {
    return fetch(this.server + path, {
      ...request,
      headers: {
        'content-type': 'application/json',
        'x-restli-protocol-version': '2.0.0',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
    }).catch((error: unknown) => {
      const cause =
        (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error);
      throw new ServiceError(`${this.server} cannot be reached (${cause.message || 'no connection'})`);
    });
  }

  /** The body of a GET, as it comes. @throws ServiceError */
  async stream(path: string): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.fetched(path, {});
    if (!response.ok || response.body === null)
      throw this.failure(response.status, (await response.json().catch(() => ({}))) as ErrorBody);
    return response.body;
  }

  private failure(status: number, body: ErrorBody): ServiceError {
    if (status === 401) {
      const sent = this.token === undefined ? 'there is no token' : 'the token is not valid';
      return new ServiceError(`${sent}: give one with --token or CATALOG_TOKEN`, status);
    }
    const reason = body.errors?.[0]?.message ?? body.message ?? 'no reason given';
    return new ServiceError(`the service answered ${status}: ${reason}`, status);
  }
}
