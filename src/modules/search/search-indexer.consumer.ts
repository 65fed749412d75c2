import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ChangeLogConsumer, type ChangeLogEntry } from '../../catalog/change/index.js';
import { SearchFieldProvider, type FieldsOfEntity } from '../../catalog/extension/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { Model } from '../../catalog/model/index.js';
import {
  searchDocument,
  searchFields,
  SearchIndex,
  type IndexedVersion,
} from '../../catalog/search/index.js';
import { EntityStateReader } from '../../catalog/store/index.js';
import { discovered } from '../entities/index.js';
import { SEARCH_INDEX_CONSUMER } from './consumer-index-barrier.js';

/** Entities read and written at once: few enough that requests are answered in between. */
const CHUNK = 100;

/** Pauses while the search engine is away. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

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

  /** Writes the documents of these entities as the store has them now. */
  async indexAll(urns: readonly string[]): Promise<void> {
    for (let from = 0; from < urns.length; from += CHUNK) {
      const states = await this.states.states(urns.slice(from, from + CHUNK));
      const entities: FieldsOfEntity[] = [];
      const removals: IndexedVersion[] = [];
      for (const state of states.values()) {
        // An entity type that the model no longer has cannot be searched for.
        const entity = state.exists ? this.model.findEntity(state.entityType) : undefined;
        if (entity) entities.push({ entity, state, fields: searchFields(entity, state) });
        else removals.push({ urn: state.urn, sequence: state.sequence });
      }
      for (const provider of this.providers) await provider.addFields(entities);
      const documents = entities.map(({ entity, state, fields }) => searchDocument(entity, state, fields));
      if (documents.length > 0) await this.index.upsert(documents);
      if (removals.length > 0) await this.index.remove(removals);
      await setImmediate();
    }
  }

  /** Writes every document anew: after the model has changed, or the index was lost. Answers how many. */
  async rebuild(): Promise<number> {
    let count = 0;
    for (let after = 0; ;) {
      const heads = await this.states.walk(after, CHUNK * 10);
      const last = heads.at(-1);
      if (!last) return count;
      await this.indexAll(heads.map((head) => head.urn));
      count += heads.length;
      after = last.id;
    }
  }
}

export function isUnavailable(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.code === 'SEARCH_UNAVAILABLE';
}
