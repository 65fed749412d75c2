import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { IndexBarrier } from '../../catalog/search/index.js';
import { CatchUp } from '../ingest/index.js';

/** The name of the search indexer among the consumers of the change log, and so of its queue. */
export const SEARCH_INDEX_CONSUMER = 'search-index';

/** With several processes a search that has waited this long is answered with what the index has. */
const LONGEST_SHARED_MS = 2_000;

/** Knows from the book of the consumers how far the index is. What it is stuck on is not waited for. */
@Injectable()
export class ConsumerIndexBarrier extends IndexBarrier {
  constructor(private readonly catchUp: CatchUp) {
    super();
  }

  async reached(timeoutMs: number): Promise<void> {
    if ((await this.catchUp.wait(SEARCH_INDEX_CONSUMER, timeoutMs)) === 'late') throw late();
  }

  override async beforeSearch(timeoutMs: number): Promise<void> {
    if (this.catchUp.alone) return this.reached(timeoutMs);
    await this.catchUp.wait(SEARCH_INDEX_CONSUMER, Math.min(timeoutMs, LONGEST_SHARED_MS));
  }
}

function late() {
  return refuse(
    'SEARCH_UNAVAILABLE',
    'the search index has not caught up with the writes before this search',
  );
}
