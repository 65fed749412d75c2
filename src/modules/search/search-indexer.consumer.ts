import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ChangeLogConsumer, type ChangeLogEntry } from '../../catalog/change/index.js';
import { SearchFieldProvider } from '../../catalog/extension/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import {
  searchDocument,
  searchFields,
  SearchIndex,
  type IndexedVersion,
  type SearchDocument,
} from '../../catalog/search/index.js';
import { EntityStateReader, type EntityState } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { SEARCH_INDEX_CONSUMER } from './consumer-index-barrier.js';

/** Pauses while the search engine is away. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

type Target = Pick<SearchIndex, 'upsert' | 'remove'>;

interface Batch {
  documents: SearchDocument[];
  removals: IndexedVersion[];
}

/** Keeps the search index like the store: for whatever has changed, the document of its current state. */
@Injectable()
export class SearchIndexer extends ChangeLogConsumer implements OnModuleInit, BeforeApplicationShutdown {
  readonly name = SEARCH_INDEX_CONSUMER;
  private providers: SearchFieldProvider[] = [];
  private readonly logger = new Logger(SearchIndexer.name);
  private readonly stopping = new AbortController();

  constructor(
    private readonly model: Model,
    private readonly states: EntityStateReader,
    private readonly index: SearchIndex,
    private readonly discovery: DiscoveryService,
  ) {
    super();
  }

  onModuleInit(): void {
    this.providers = discovered(this.discovery, SearchFieldProvider);
  }

  /** What waits for the engine ends with the process; the changes stay in the queue. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  async consume(entries: readonly ChangeLogEntry[]): Promise<void> {
    const urns = [...new Set(entries.map((entry) => entry.urn))];
    await this.whenReachable(() => this.indexAll(urns));
  }

  /**
   * Carries the work out, if need be again and again until the search engine is back: however long it is away,
   * no attempt of a job is used up.
   */
  async whenReachable<T>(work: () => Promise<T>): Promise<T> {
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const result = await work();
        if (pause > FIRST_PAUSE_MS) this.logger.log('the search engine is back');
        return result;
      } catch (error) {
        if (!isUnavailable(error) || this.stopping.signal.aborted) throw error;
        if (pause === FIRST_PAUSE_MS) this.logger.warn(`indexing waits: ${error.message}`);
        await sleep(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined);
        if (this.stopping.signal.aborted) throw error;
      }
    }
  }

  /** Writes the documents of these entities as the store has them now, into the index or what is built beside it. */
  async indexAll(urns: readonly string[], target: Target = this.index): Promise<void> {
    let writing = Promise.resolve();
    for (let from = 0; from < urns.length; from += this.index.batch) {
      // The next ones are read while these are written.
      const [batch] = await Promise.all([this.read(urns.slice(from, from + this.index.batch)), writing]);
      writing = write(batch, target);
      // Whoever waits for it comes later; until then a failure must not count as unhandled.
      writing.catch(() => undefined);
      await setImmediate();
    }
    await writing;
  }

  private async read(urns: readonly string[]): Promise<Batch> {
    const batch: Batch = { documents: [], removals: [] };
    for (const state of (await this.states.states(urns)).values()) {
      const document = await this.documentOf(state);
      if (document) batch.documents.push(document);
      else batch.removals.push({ urn: state.urn, sequence: state.sequence });
    }
    return batch;
  }

  private async documentOf(state: EntityState): Promise<SearchDocument | undefined> {
    // An entity type that the model no longer has cannot be searched for.
    const entity = state.exists ? this.model.findEntity(state.entityType) : undefined;
    if (!entity) return undefined;
    const fields = searchFields(entity, state);
    for (const provider of this.providers) await provider.addFields(entity, state, fields);
    return searchDocument(entity, state, fields);
  }
}

async function write({ documents, removals }: Batch, target: Target): Promise<void> {
  if (documents.length > 0) await target.upsert(documents);
  if (removals.length > 0) await target.remove(removals);
}

export function isUnavailable(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.code === 'SEARCH_UNAVAILABLE';
}
