import { Injectable } from '@nestjs/common';
import { refuse } from '../../catalog/errors/index.js';
import { IndexBarrier } from '../../catalog/search/index.js';
import { ConsumerProgress, Courtesy } from '../ingest/index.js';

/** The name of the search indexer among the consumers of the change log, and so of its queue. */
export const SEARCH_INDEX_CONSUMER = 'search-index';

/** A barrier for processes that write and index themselves: it knows from memory how far the indexer is. */
@Injectable()
export class ConsumerIndexBarrier extends IndexBarrier {
  constructor(
    private readonly progress: ConsumerProgress,
    private readonly courtesy: Courtesy,
  ) {
    super();
  }

  async reached(timeoutMs: number): Promise<void> {
    const { progress } = this;
    const reached = await this.courtesy.hurry(() =>
      progress.reached(SEARCH_INDEX_CONSUMER, progress.latest, timeoutMs),
    );
    if (!reached) {
      throw refuse(
        'SEARCH_UNAVAILABLE',
        'the search index has not caught up with the writes before this search',
      );
    }
  }
}
