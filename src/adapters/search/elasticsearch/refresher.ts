import { aliasLists } from './alias-lists.js';
import { unavailable, type ElasticClient } from './elastic-client.js';

/** Makes what was written visible, for all who wait at the same moment in one request. */
export class Refresher {
  private running: Promise<void> | undefined;
  private wanted = new Set<string>();
  private next: Promise<void> | undefined;

  constructor(private readonly client: ElasticClient) {}

  /** Something was written to these aliases that no caller waits for yet: {@link settled} will. */
  written(aliases: Iterable<string>): void {
    for (const alias of aliases) this.wanted.add(alias);
  }

  /** Resolves when everything that was reported as written before the call can be found. */
  async settled(): Promise<void> {
    if (this.wanted.size > 0) return this.refresh([]);
    await (this.next ?? this.running);
  }

  /** Resolves when everything that was written to these aliases before the call can be found. */
  refresh(aliases: Iterable<string>): Promise<void> {
    this.written(aliases);
    // What runs may have begun before the write was done; the one after it has not.
    this.next ??= (this.running ?? Promise.resolve()).catch(() => undefined).then(() => this.run());
    return this.next;
  }

  private run(): Promise<void> {
    const aliases = [...this.wanted];
    this.wanted = new Set();
    this.next = undefined;
    if (aliases.length === 0) return Promise.resolve();
    const running = Promise.all(aliasLists(aliases).map((list) => this.send(list)))
      .then(() => undefined)
      .catch((error: unknown) => {
        // The next caller still has to wait for them.
        this.written(aliases);
        throw error;
      })
      .finally(() => {
        if (this.running === running) this.running = undefined;
      });
    this.running = running;
    return running;
  }

  private async send(list: string): Promise<void> {
    const { _shards } = await this.client.request<{ _shards?: { failed?: number } }>({
      method: 'POST',
      path: `/${list}/_refresh`,
      query: { ignore_unavailable: true, allow_no_indices: true },
    });
    if (_shards?.failed !== 0) throw unavailable('what was written could not be made visible');
  }
}
