import { Injectable } from '@nestjs/common';
import type { IndexSource, TakenUp } from '../../catalog/search/index.js';
import { Database, identityOf, readIdentity } from '../../catalog/store/index.js';
import type { ChangeLogRow } from '../change-log/index.js';

type Change = Pick<ChangeLogRow, 'id' | 'entity_id' | 'sequence' | 'time'>;

const CHANGE = 'SELECT id, entity_id, sequence, time FROM change_log';

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
    const [change] = await this.database.all<Change>(`${CHANGE} ORDER BY id DESC LIMIT 1`);
    return change && { change: Number(change.id), mark: markOf(change) };
  }

  /** Whether the database has, or has had, that very change: one that was cleaned up counts. */
  async holds({ change, mark }: TakenUp): Promise<boolean> {
    const [own] = await this.database.all<Change>(`${CHANGE} WHERE id = ?`, [change]);
    if (own) return markOf(own) === mark;
    const [oldest] = await this.database.all<Change>(`${CHANGE} ORDER BY id LIMIT 1`);
    return oldest !== undefined && Number(oldest.id) > change;
  }

  /** Begins an epoch after `epoch`, unless another process has done so; answers the one that holds now. */
  async renew(epoch: number): Promise<IndexSource> {
    await this.source();
    return this.database.transaction(async (tx) => {
      await tx.all(`SELECT name FROM store_fact WHERE name = 'epoch' ${tx.dialect.forUpdate}`);
      const now = (await readIdentity(tx))!;
      if (now.epoch > epoch) return now;
      await tx.run(`UPDATE store_fact SET value = ? WHERE name = 'epoch'`, [String(epoch + 1)]);
      return { ...now, epoch: epoch + 1 };
    });
  }
}

function markOf({ entity_id, sequence, time }: Change): string {
  return `${entity_id}.${sequence}.${time}`;
}
