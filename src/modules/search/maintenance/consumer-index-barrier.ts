import { setImmediate } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../../catalog/errors/index.js';
import { IndexBarrier, SearchIndex } from '../../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { ConsumerBarrier } from '../../change-log/index.js';

/** The name of the search indexer among the consumers of the change log, and so of its queue. */
export const SEARCH_INDEX_CONSUMER = 'search-index';

/**
 * Knows from the pending deliveries how far the index is. Searches do not wait for changes that the indexer fails on. While
 * the indexer waits for the engine, a search is refused instead of being answered from an older state.
 */
@Injectable()
export class ConsumerIndexBarrier extends IndexBarrier {
  constructor(
    private readonly consumers: ConsumerBarrier,
    private readonly index: SearchIndex,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'searchCatchUpMs'>,
  ) {
    super();
  }

  async reached(timeoutMs: number): Promise<void> {
    const caught = await this.consumers.wait(SEARCH_INDEX_CONSUMER, timeoutMs);
    if (caught === 'timeout') throw behind('has not caught up with');
    if (caught === 'unavailable') throw behind('cannot take in at the moment');
  }

  override async beforeSearch(timeoutMs: number): Promise<void> {
    const alone = this.consumers.alone;
    const patience = alone ? timeoutMs : this.settings.searchCatchUpMs;
    const caught = await this.consumers.wait(SEARCH_INDEX_CONSUMER, patience, () => this.index.ready());
    // With several processes it is answered with what the index has.
    if (!alone || caught === 'caught-up' || caught === 'failing') return;
    // The engine has the better reason, when it is the engine.
    await this.index.ready();
    throw behind(caught === 'timeout' ? 'has not caught up with' : 'cannot take in at the moment');
  }

  /** Where that is asked of the database, the index is asked in the same moment as long as nothing is written. */
  override async current<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
    const unchanged = this.consumers.unchanged(SEARCH_INDEX_CONSUMER);
    if (unchanged !== undefined) {
      const [answer, still] = await Promise.allSettled([ask(), afterRequests().then(unchanged)]);
      if (still.status === 'rejected') throw still.reason;
      if (still.value && answer.status === 'fulfilled') return answer.value;
      if (still.value && answer.status === 'rejected') throw answer.reason;
    }
    return super.current(timeoutMs, ask);
  }
}

/** The engine needs more time than the database: its request, which is sent with the next turn, goes first. */
async function afterRequests(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

function behind(how: string) {
  return refuse('SEARCH_UNAVAILABLE', `the search index ${how} the writes before this search`);
}
