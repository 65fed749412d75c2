import { Injectable } from '@nestjs/common';
import type { IndexSource, TakenUp } from '../../../catalog/search/index.js';
import { Database, identityOf, renewEpoch } from '../../../catalog/store/index.js';
import {
  changedEntities,
  changeOf,
  newestChange,
  oldestChange,
  type ChangedEntity,
} from '../../change-log/index.js';

/** What tells one database, and one past of it, from another. */
@Injectable()
export class StorePast {
  constructor(private readonly database: Database) {}

  /** Whether it can lose its past while it is in use: the file of an embedded one belongs to this process. */
  get canBePutBack(): boolean {
    return this.database.dialect.name !== 'sqlite';
  }

  /** The identity of the database, made when it has none yet, and its epoch. */
  source(): Promise<IndexSource> {
    return identityOf(this.database);
  }

  /** The newest change that is committed. What was read before this call holds none that is newer. */
  async newest(): Promise<TakenUp | undefined> {
    const newest = await newestChange(this.database);
    return newest && { change: newest.id, mark: newest.mark };
  }

  /** Whether the database has, or has had, that very change: one that was cleaned up counts. */
  async holds({ change, mark }: TakenUp): Promise<boolean> {
    const own = await changeOf(this.database, change);
    if (own) return own.mark === mark;
    const oldest = await oldestChange(this.database);
    return oldest !== undefined && oldest.id > change;
  }

  /** Whether the log still has every change that is newer. */
  async reachesBackTo({ change }: TakenUp): Promise<boolean> {
    if (await changeOf(this.database, change)) return true;
    const oldest = await oldestChange(this.database);
    return oldest === undefined || oldest.id <= change + 1;
  }

  /** The changes after `after`, up to `until`, in pages. */
  changes(after: number, until: number): AsyncGenerator<ChangedEntity[]> {
    return changedEntities(this.database, after, until);
  }

  /** Begins an epoch after `epoch`, unless another process has done so; answers the one that holds now. */
  renew(epoch: number): Promise<IndexSource> {
    return renewEpoch(this.database, epoch);
  }
}
