import { Injectable, Logger } from '@nestjs/common';
import { SearchIndex, type TakenUp } from '../../../catalog/search/index.js';
import { HeadRepository } from '../../entities/index.js';
import { StorePast } from './store-past.repository.js';

/**
 * Compares the past of the index with that of the database. A database that was put back to an earlier state (a restore, a
 * failover that lost commits) leaves an index that knows more: it would find what is no more, and take new writes for old
 * ones. Such a database gets a new epoch, and the index is built anew.
 */
@Injectable()
export class IndexPast {
  private readonly logger = new Logger(IndexPast.name);
  /** What this process has taken up last. */
  private last: TakenUp | undefined;

  constructor(
    private readonly index: SearchIndex,
    private readonly past: StorePast,
    private readonly heads: HeadRepository,
  ) {}

  /** To be called when the index is prepared, and again and again: a failover can go unseen. @throws CatalogError SEARCH_UNAVAILABLE */
  async compare(): Promise<void> {
    // The index first: what it knows of the database was true before, so only a lost past can be behind it.
    const known = await this.index.source();
    let source = await this.past.source();
    if (known?.database === source.database) {
      const { taken } = known;
      const lost =
        known.epoch > source.epoch ||
        (known.epoch === source.epoch && taken !== undefined && !(await this.past.holds(taken)));
      if (!lost && known.epoch === source.epoch) {
        await this.index.follow(source, true);
        return;
      }
      if (lost) source = await this.past.renew(known.epoch);
    }
    if (known) {
      this.logger.error(
        'the database is not in the state that the search index was made from: it was restored, replaced, or lost ' +
          `commits. The index is built anew (epoch ${source.epoch})`,
      );
    }
    const adopt = known !== undefined || !(await this.heads.isEmpty()) || (await this.index.isEmpty());
    await this.index.follow(source, adopt);
    this.last = undefined;
  }

  /**
   * To be called after states were read and before they are written to the index, which then says how new they may be. What
   * it said before must still be true: a new change would hide that an earlier one was lost.
   * @throws CatalogError SEARCH_UNAVAILABLE
   */
  async takeUp(): Promise<void> {
    const newest = await this.past.newest();
    if (newest === undefined || (newest.change === this.last?.change && newest.mark === this.last.mark))
      return;
    if (this.past.canBePutBack) {
      const taken = (await this.index.source())?.taken;
      if (taken && !(await this.past.holds(taken))) await this.compare();
    }
    await this.index.takeUp(newest);
    this.last = newest;
  }
}
