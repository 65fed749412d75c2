import type { Answer, TestCatalog } from '../../harness/catalog.js';

/** What a browser keeps and sends on its own, for a page of the catalog. */
export class Cookies {
  private readonly kept = new Map<string, string>();
  /** As they were set, with their attributes. */
  lines: string[] = [];

  constructor(private readonly catalog: TestCatalog) {}

  value(name: string): string | undefined {
    return this.kept.get(name);
  }

  /** The same cookies, in another browser. */
  copy(): Cookies {
    const other = new Cookies(this.catalog);
    for (const [name, value] of this.kept) other.kept.set(name, value);
    return other;
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { origin: this.catalog.url },
    catalog: TestCatalog = this.catalog,
  ): Promise<Answer> {
    const cookie = [...this.kept].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await catalog.request(method, path, {
      token: null,
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    const set = answer.headers.getSetCookie();
    if (set.length > 0) this.lines = set;
    for (const line of set) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.kept.delete(name);
      else this.kept.set(name, decodeURIComponent(value));
    }
    return answer;
  }

  /** Runs a GraphQL operation where web clients of the field do. */
  ask(query: string, headers?: Record<string, string>, catalog?: TestCatalog): Promise<Answer> {
    return this.send('POST', '/api/v2/graphql', { query }, headers, catalog);
  }

  /** Who the service says it is asked by; undefined when it refuses. */
  async me(catalog?: TestCatalog): Promise<string | undefined> {
    const { body } = await this.ask('{ me { corpUser { urn } } }', undefined, catalog);
    return body.data?.me?.corpUser?.urn;
  }
}
