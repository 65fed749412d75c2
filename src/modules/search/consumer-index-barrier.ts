import { Inject, Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { IndexBarrier } from '../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { CatchUp } from '../ingest/index.js';

/** The name of the search indexer among the consumers of the change log, and so of its queue. */
export const SEARCH_INDEX_CONSUMER = 'search-index';

/** Knows from the book of the consumers how far the index is. What it is stuck on is not waited for. */
@Injectable()
export class ConsumerIndexBarrier extends IndexBarrier {
  constructor(
    private readonly catchUp: CatchUp,
    @Inject(CATALOG_SETTINGS) private readonly settings: Pick<CatalogSettings, 'searchCatchUpMs'>,
  ) {
    super();
  }

  async reached(timeoutMs: number): Promise<void> {
    if ((await this.catchUp.wait(SEARCH_INDEX_CONSUMER, timeoutMs)) === 'late') throw late();
  }

  override async beforeSearch(timeoutMs: number): Promise<void> {
    if (this.catchUp.alone) return this.reached(timeoutMs);
    // After that it is answered with what the index has.
    await this.catchUp.wait(SEARCH_INDEX_CONSUMER, Math.min(timeoutMs, this.settings.searchCatchUpMs));
  }
}

function late() {
  return refuse(
    'SEARCH_UNAVAILABLE',
    'the search index has not caught up with the writes before this search',
  );
}
