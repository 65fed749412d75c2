import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteResult } from '../../../catalog/search/index.js';
import { aliasLists } from './alias-lists.js';
import { unavailable, type ElasticClient } from './elastic-client.js';

/** One document to write. */
export interface Write {
  /** Alias that it goes to. */
  alias: string;
  /** Made of the URN; people know the document by the URN alone. */
  id: string;
  urn: string;
  version: number;
  /** The document as JSON. */
  source: string;
}

/** A request of this size is quick to answer; a larger document goes alone. */
const MAX_BYTES = 4 * 1024 * 1024;
/** So many make up for what a request costs; the next ones are made while the engine takes these in. */
const MAX_WRITES = 125;
const MAX_DELETIONS = 1000;
/** Requests that one call has under way at once. */
const AT_ONCE = 2;
/** Pauses before what the server had no room for is sent again. */
const PAUSES_MS = [20, 100, 250, 500, 1000, 2000, 4000, 8000];

interface ItemError {
  type: string;
  reason?: string;
}

/** The most documents that an error names. */
const NAMED = 10;

/** How long the server may wait for an index that is not at hand, as after its start, before it says so. */
const SERVER_WAITS = '10s';

interface Item {
  status: number;
  error?: ItemError;
}

interface BulkAnswer {
  errors: boolean;
  items: Array<{ index: Item } | { delete: Item }>;
}

interface Outcome {
  outdated: number;
  /** To be sent again. */
  left: Write[];
  /** Why they are left, the last reason of all. */
  reason: string;
  missing: Set<string>;
  refused: string[];
}

/** Documents that the search engine never takes; the others of the call are written. */
export class DocumentsRefused extends Error {
  override readonly name = 'DocumentsRefused';

  constructor(trouble: string, documents: readonly string[]) {
    const more = documents.length > NAMED ? `; and ${documents.length - NAMED} more` : '';
    super(`the search engine ${trouble} documents: ${documents.slice(0, NAMED).join('; ')}${more}`);
  }
}

/** Writes documents by their versions, and looks at what became of each. */
export class BulkWriter {
  /** @param createAliases makes the indices behind aliases that do not exist; answers those that need none any more */
  constructor(
    private readonly client: ElasticClient,
    private readonly createAliases: (aliases: readonly string[]) => Promise<readonly string[]>,
  ) {}

  /**
   * Writes the documents that are as new as the stored ones, or newer. Documents are taken as they are made, and at
   * most two requests are under way. Their order does not matter, because the version of a document decides.
   * @param writes each document once
   * @throws CatalogError SEARCH_UNAVAILABLE when the server has no room for some of them
   * @throws DocumentsRefused naming those that the server refuses; the others are written
   */
  async write(writes: Iterable<Write>): Promise<WriteResult> {
    const result = { written: 0, outdated: 0 };
    const refused: string[] = [];
    const parts = batches(writes);
    let failed = false;
    const worker = async (): Promise<void> => {
      try {
        for (let part = parts.next(); !failed && part.done !== true; part = parts.next()) {
          const { outdated } = await this.writePart(part.value, refused);
          result.outdated += outdated;
          result.written += part.value.length - outdated;
        }
      } catch (error) {
        failed = true;
        throw error;
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker));
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    if (refused.length > 0) throw new DocumentsRefused('refuses', refused);
    return result;
  }

  private async writePart(part: Write[], refused: string[]): Promise<{ outdated: number }> {
    let left = part;
    let outdated = 0;
    for (let attempt = 0; left.length > 0; attempt++) {
      const outcome = await this.send(left);
      outdated += outcome.outdated;
      refused.push(...outcome.refused);
      left = outcome.left;
      if (outcome.missing.size > 0) {
        const dropped = await this.createAliases([...outcome.missing]);
        left = left.filter((write) => !dropped.includes(write.alias));
      }
      if (left.length === 0) break;
      const pause = PAUSES_MS[attempt];
      if (pause === undefined) throw unavailable(outcome.reason);
      if (outcome.missing.size === 0) await sleep(pause);
    }
    return { outdated };
  }

  /**
   * Deletes documents, whatever their versions. A document that does not exist is no error, and no index is made for
   * it.
   * @throws CatalogError SEARCH_UNAVAILABLE when the server has no room to do so
   * @throws DocumentsRefused naming those that the server does not delete; the others are gone
   */
  async forget(documents: ReadonlyArray<Pick<Write, 'alias' | 'id' | 'urn'>>): Promise<void> {
    const refused: string[] = [];
    for (let from = 0; from < documents.length; from += MAX_DELETIONS) {
      let left = documents.slice(from, from + MAX_DELETIONS);
      for (let attempt = 0; left.length > 0; attempt++) {
        const items = await this.bulk(left.map(deletionOf).join(''));
        const again: typeof left = [];
        let reason = '';
        for (const [i, { status, error }] of items.entries()) {
          // A document that is not there has no error, and an index that is not there has this status.
          if (!error || status === 404) continue;
          reason = error.reason ?? error.type;
          if (isPassing(status, error)) again.push(left[i]!);
          else refused.push(`${left[i]!.urn} (${reason})`);
        }
        left = again;
        if (left.length === 0) break;
        const pause = PAUSES_MS[attempt];
        if (pause === undefined) throw unavailable(reason);
        await sleep(pause);
      }
    }
    if (refused.length > 0) throw new DocumentsRefused('keeps', refused);
  }

  /** What became of each item; nothing when all is well. */
  private async bulk(lines: string, query: Record<string, string | boolean> = {}): Promise<Item[]> {
    const answer = await this.client.request<BulkAnswer>({
      method: 'POST',
      path: '/_bulk',
      query: {
        ...query,
        timeout: SERVER_WAITS,
        filter_path: 'errors,items.*.status,items.*.error.type,items.*.error.reason',
      },
      lines,
    });
    if (answer.errors === false) return [];
    if (!Array.isArray(answer.items)) throw unavailable('its answer cannot be read');
    return answer.items.map((item) => ('index' in item ? item.index : item.delete));
  }

  private async send(writes: readonly Write[]): Promise<Outcome> {
    // No document makes an index: that would have no mappings.
    const items = await this.bulk(writes.map(linesOf).join(''), { require_alias: true });
    const outcome: Outcome = { outdated: 0, left: [], reason: '', missing: new Set(), refused: [] };
    const conflicts: Write[] = [];
    for (const [i, { status, error }] of items.entries()) {
      const write = writes[i]!;
      if (!error) continue;
      outcome.reason = error.reason ?? error.type;
      if (status === 409) conflicts.push(write);
      else if (status === 404) {
        outcome.missing.add(write.alias);
        outcome.left.push(write);
      } else if (isPassing(status, error)) outcome.left.push(write);
      else outcome.refused.push(`${write.urn} (${outcome.reason})`);
    }
    if (conflicts.length > 0) await this.settle(conflicts, outcome);
    return outcome;
  }

  /** A conflict is fine when what is there is as new; else it comes from something that is gone meanwhile. */
  private async settle(conflicts: readonly Write[], outcome: Outcome): Promise<void> {
    const { docs } = await this.client.request<{ docs: Array<{ found?: boolean; _version?: number }> }>({
      method: 'POST',
      path: '/_mget',
      query: { _source: false },
      body: { docs: conflicts.map(({ alias, id }) => ({ _index: alias, _id: id })) },
    });
    const again = new Set<string>();
    for (const [i, write] of conflicts.entries()) {
      const { found = false, _version = -1 } = docs[i] ?? {};
      if (found && _version >= write.version) outcome.outdated += 1;
      else {
        outcome.left.push(write);
        again.add(write.alias);
      }
    }
    // The version of a deleted document lingers until the next refresh.
    for (const list of aliasLists(again))
      await this.client.request({ method: 'POST', path: `/${list}/_refresh` });
  }
}

/** Whether the same write may succeed later: no room in the queue, or on the disk. */
function isPassing(status: number, { type }: ItemError): boolean {
  return status === 429 || status >= 500 || type === 'cluster_block_exception';
}

function linesOf({ alias, id, version, source }: Write): string {
  const head = { index: { _index: alias, _id: id, version, version_type: 'external_gte' } };
  return `${JSON.stringify(head)}\n${source}\n`;
}

function deletionOf({ alias, id }: Pick<Write, 'alias' | 'id'>): string {
  return `${JSON.stringify({ delete: { _index: alias, _id: id } })}\n`;
}

function* batches(writes: Iterable<Write>): Generator<Write[], undefined> {
  let batch: Write[] = [];
  let bytes = 0;
  for (const write of writes) {
    // Near enough: most characters are of one byte.
    const size = write.source.length;
    if (batch.length > 0 && (batch.length === MAX_WRITES || bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(write);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
  return undefined;
}
