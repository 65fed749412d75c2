import createClient, { type Client } from 'openapi-fetch';
import { CatalogRefusal } from './catalog-refusal.js';
import type { TypedDocumentString } from './generated/graphql.js';
import type { paths } from './generated/openapi.js';

export interface CatalogOptions {
  /** Where the service is, such as `https://catalog.example.org`. */
  url: string;
  /** An access token; the function is called for each request. */
  token: string | (() => string | Promise<string>);
  /** Another one than that of the platform, for proxies and tests. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Documents without variables need none. */
type VariablesOf<Variables> = Record<string, never> extends Variables ? [Variables?] : [Variables];

interface GraphqlAnswer<Result> {
  data?: Result | null;
  errors?: Array<{ message: string; extensions?: { code?: string | number } }>;
  message?: string;
  code?: string;
}

/**
 * One catalog.
 * @typeParam Paths types of the OpenAPI entity API: those of all entity types together, or of a document of your own
 */
export class Catalog<Paths extends object = paths> {
  /** The OpenAPI entity API. Answers are `{data, error, response}`, as `openapi-fetch` has it. */
  readonly openapi: Client<Paths>;
  private readonly base: string;
  private readonly fetch: (request: Request) => Promise<Response>;

  constructor(private readonly options: CatalogOptions) {
    this.base = options.url.replace(/\/+$/, '');
    this.fetch = options.fetch ?? ((request) => globalThis.fetch(request));
    this.openapi = createClient<Paths>({ baseUrl: this.base, fetch: this.fetch });
    this.openapi.use({
      onRequest: async ({ request }) => {
        request.headers.set('authorization', await this.authorization());
        return request;
      },
    });
  }

  /**
   * Runs a GraphQL operation.
   * @throws CatalogRefusal when the service refuses it, or a part of it
   */
  async graphql<Result, Variables>(
    document: TypedDocumentString<Result, Variables>,
    ...[variables]: VariablesOf<Variables>
  ): Promise<Result> {
    const request = new Request(`${this.base}/api/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: await this.authorization() },
      body: JSON.stringify({ query: document.toString(), variables }),
    });
    const response = await this.fetch(request);
    const answer = (await response.json().catch(() => ({}))) as GraphqlAnswer<Result>;
    const [error] = answer.errors ?? [];
    if (error === undefined && response.ok && answer.data) return answer.data;
    const message = error?.message ?? answer.message ?? `the service answered ${response.status}`;
    throw new CatalogRefusal(message, response, error?.extensions?.code ?? answer.code);
  }

  private async authorization(): Promise<string> {
    const { token } = this.options;
    return `Bearer ${typeof token === 'string' ? token : await token()}`;
  }
}
