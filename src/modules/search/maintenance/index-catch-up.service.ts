import { Injectable, Logger } from '@nestjs/common';
import { SearchIndex } from '../../../catalog/search/index.js';
import { PendingDeliveries } from '../../change-log/index.js';
import { SEARCH_INDEX_CONSUMER } from './consumer-index-barrier.js';
import { SearchIndexer } from './search-indexer.consumer.js';
import { StorePast } from './store-past.repository.js';
import { VerifyService } from './verify.service.js';

/**
 * Finds an index that is older than the database: a file or a snapshot that was put back alone, a copy of a running home
 * whose index was copied first, a disk that lost the last writes. The deliveries of what it lacks are done, so
 * nothing else would bring them again. The other direction is {@link IndexPast}.
 */
@Injectable()
export class IndexCatchUp {
  private readonly logger = new Logger(IndexCatchUp.name);

  constructor(
    private readonly index: SearchIndex,
    private readonly indexer: SearchIndexer,
    private readonly deliveries: PendingDeliveries,
    private readonly past: StorePast,
    private readonly verifier: VerifyService,
  ) {}

  /**
   * Writes to the index what its consumer has consumed but the index does not hold. To be called whenever the index
   * is prepared: an engine can be set back while it is in use.
   * @returns false when the log does not reach back so far: then only a comparison of store and index helps
   * @throws CatalogError SEARCH_UNAVAILABLE
   */
  async run(): Promise<boolean> {
    const before = (await this.index.source())?.taken;
    if (!before) return true;
    // The deliveries first: an index says which changes it may hold before their deliveries are done.
    const until = await this.deliveries.consumedUntil(SEARCH_INDEX_CONSUMER, before.change);
    if (before.change >= until) return true;
    const taken = (await this.index.source())?.taken;
    if (!taken || taken.change >= until) return true;
    if (!(await this.past.reachesBackTo(taken))) return false;
    await this.writeAgain(taken.change, until);
    await this.note();
    return true;
  }

  /** Compares all of the index with the store, and makes it equal. @throws CatalogError SEARCH_UNAVAILABLE */
  async compareAll(): Promise<void> {
    this.logger.warn(
      'the search index is older than the change log reaches back: it is compared with the store',
    );
    const { repaired } = await this.verifier.align();
    this.logger.log(`search index: ${repaired} entities differed and were written again`);
    await this.note();
  }

  private async writeAgain(after: number, until: number): Promise<void> {
    let count = 0;
    for await (const page of this.past.changes(after, until)) {
      const urns = new Set(page.filter((change) => this.indexer.wants(change)).map(({ urn }) => urn));
      if (count === 0 && urns.size > 0)
        this.logger.warn(`the search index is older than the database: it lacks changes after ${after}`);
      await this.indexer.indexAll([...urns]);
      count += urns.size;
    }
    if (count > 0) this.logger.log(`search index: ${count} entities were written again`);
  }

  /** What the index does not want counts as taken up as well, so that it is not looked at again. */
  private async note(): Promise<void> {
    const newest = await this.past.newest();
    if (newest) await this.index.takeUp(newest);
    await this.index.settle();
  }
}
