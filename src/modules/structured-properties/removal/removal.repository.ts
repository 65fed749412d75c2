import { Injectable } from '@nestjs/common';
import { columnsOf, Database } from '../../../catalog/store/index.js';
import { HeadRepository } from '../../entities/index.js';
import type { PropertyRemovalRow, RemovalReason, RemovalState } from '../entities/property-removal.row.js';

const r = columnsOf<PropertyRemovalRow>('r');

/** The removal of values that a change made unreadable; times are epoch milliseconds, 0 = not yet. */
export interface Removal {
  /** The change of the log that asked for it. */
  changeId: number;
  property: string;
  /** Number of the head of the property. */
  entityId: number;
  reason: RemovalReason;
  state: RemovalState;
  /** Entities that had values to remove when the removal began, and how many holders have been looked at. */
  total: number;
  done: number;
  /** Entities that lost values; while it runs, as far as it was written down. At the end it is counted. */
  removed: number;
  /** Where it goes on: the number of the last holder looked at. */
  lastHolder: number;
  requestedAt: number;
  startedAt: number;
  finishedAt: number;
}

const COLUMNS = [
  'change_id',
  'entity_id',
  'reason',
  'state',
  'total',
  'done',
  'removed',
  'last_holder',
  'requested_at',
  'started_at',
  'finished_at',
] as const satisfies ReadonlyArray<keyof PropertyRemovalRow>;

/** The records of removals. */
@Injectable()
export class RemovalRepository {
  constructor(
    private readonly database: Database,
    private readonly heads: HeadRepository,
  ) {}

  /** Writes down that values are to be removed. Again for the same change: nothing. */
  async request(changeId: number, property: string, reason: RemovalReason, now: number): Promise<void> {
    await this.database.transaction(async (tx) => {
      const entity = await this.heads.idOf(property, tx);
      if (entity === undefined) return;
      await tx.insert<PropertyRemovalRow>(
        'property_removal',
        COLUMNS,
        [[changeId, entity, reason, 'waiting', 0, 0, 0, 0, now, 0, 0]],
        { key: ['change_id'], then: 'ignore' },
      );
    });
  }

  async find(changeId: number): Promise<Removal | undefined> {
    const [found] = await this.select(`WHERE ${r.change_id} = ?`, [changeId]);
    return found;
  }

  /** Those that are not done, the oldest first. */
  open(): Promise<Removal[]> {
    return this.select(`WHERE ${r.state} <> 'done' ORDER BY ${r.change_id}`, []);
  }

  /** The newest ones, of one property or of all. */
  async newest(limit: number, property?: string): Promise<Removal[]> {
    if (property === undefined) return this.select(`ORDER BY ${r.change_id} DESC LIMIT ?`, [limit]);
    const entity = await this.heads.idOf(property);
    if (entity === undefined) return [];
    return this.select(`WHERE ${r.entity_id} = ? ORDER BY ${r.change_id} DESC LIMIT ?`, [entity, limit]);
  }

  /** Writes how far a removal is. What is lost of this with the power is done again, which changes nothing. */
  async save({ changeId, ...r }: Removal): Promise<void> {
    await this.database.transaction(
      (tx) =>
        tx.run(
          `UPDATE property_removal SET state = ?, total = ?, done = ?, removed = ?, last_holder = ?, started_at = ?,
             finished_at = ? WHERE change_id = ?`,
          [r.state, r.total, r.done, r.removed, r.lastHolder, r.startedAt, r.finishedAt, changeId],
        ),
      { survives: r.state === 'done' ? 'power' : 'process' },
    );
  }

  /** Lets the newest removal of a property begin again, or its first one begin; answers its change. */
  async again(property: string, now: number): Promise<number | undefined> {
    const [newest] = await this.newest(1, property);
    if (newest) {
      if (newest.state === 'done')
        await this.save({ ...newest, state: 'waiting', done: 0, lastHolder: 0, finishedAt: 0 });
      return newest.changeId;
    }
    const entityId = await this.heads.idOf(property);
    if (entityId === undefined) return undefined;
    // The log may have forgotten the change: a number that no change has.
    const changeId = -Number(entityId);
    await this.request(changeId, property, 'deleted', now);
    return changeId;
  }

  private async select(where: string, params: ReadonlyArray<string | number>): Promise<Removal[]> {
    const rows = await this.database.all<PropertyRemovalRow>(
      `SELECT ${COLUMNS.map((column) => r[column]).join(', ')} FROM property_removal r ${where}`,
      params,
    );
    const urns = await this.heads.urnsOf([...new Set(rows.map(({ entity_id }) => entity_id))]);
    return rows.map((row) => ({
      changeId: Number(row.change_id),
      property: urns.get(row.entity_id) ?? '',
      entityId: Number(row.entity_id),
      reason: row.reason,
      state: row.state,
      total: Number(row.total),
      done: Number(row.done),
      removed: Number(row.removed),
      lastHolder: Number(row.last_holder),
      requestedAt: Number(row.requested_at),
      startedAt: Number(row.started_at),
      finishedAt: Number(row.finished_at),
    }));
  }
}
