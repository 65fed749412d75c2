import { Injectable } from '@nestjs/common';
import { Database, type SqlValue } from '../../catalog/store/index.js';
import { AUDIT_CHAIN_COLUMNS, AUDIT_COLUMNS } from './audit-columns.js';
import type { AuditChainRow } from './entities/audit-chain.row.js';
import type { AuditRow } from './entities/audit.row.js';

const SELECT = `SELECT id, ${AUDIT_COLUMNS.join(', ')} FROM audit`;

/** Which records: of a time, both ends included, and of these actors; any, where there are none. */
export interface AuditRange {
  readonly from: number;
  readonly to: number;
  readonly actors: readonly string[];
  /** Of each list, the JSON text of the events has at least one part. */
  readonly parts?: ReadonlyArray<readonly string[]>;
}

/** Where a search goes on: behind a record, newest first. */
export interface AuditPlace {
  readonly time: number;
  readonly id: number;
}

/** Reads the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Records of a range, newest first, those before a place. */
  async newestFirst(range: AuditRange, before: AuditPlace | undefined, limit: number): Promise<AuditRow[]> {
    const { where, params } = this.conditionOf(range, before);
    return numbered(
      await this.database.all<AuditRow>(`${SELECT} WHERE ${where} ORDER BY time DESC, id DESC LIMIT ?`, [
        ...params,
        limit,
      ]),
    );
  }

  /** The time of the record so many records of a time before a place; undefined when there are fewer. */
  async timeBefore(
    { from, to }: AuditRange,
    before: AuditPlace | undefined,
    records: number,
  ): Promise<number | undefined> {
    // Of the time alone: the index tells it.
    const { where, params } = this.conditionOf({ from, to, actors: [] }, before);
    const [row] = await this.database.all<Pick<AuditRow, 'time'>>(
      `SELECT time FROM audit WHERE ${where} ORDER BY time DESC, id DESC LIMIT 1 OFFSET ?`,
      [...params, records],
    );
    return row && Number(row.time);
  }

  /** How many events a range has. */
  async events(range: AuditRange): Promise<number> {
    const { where, params } = this.conditionOf(range);
    const [row] = await this.database.all<{ n: number | null }>(
      `SELECT SUM(event_count) AS n FROM audit WHERE ${where}`,
      params,
    );
    return Number(row?.n ?? 0);
  }

  /** How many records lie before the first that is not older than `until`, epoch milliseconds. */
  async countOld(until: number): Promise<number> {
    const [row] = await this.database.all<{ n: number }>(
      `SELECT COUNT(*) AS n FROM audit
       WHERE id < COALESCE((SELECT id FROM audit WHERE time >= ? ORDER BY id LIMIT 1), ?)`,
      [until, Number.MAX_SAFE_INTEGER],
    );
    return Number(row?.n ?? 0);
  }

  /** The id of the newest record; 0 while there is none. */
  async newest(): Promise<number> {
    const [row] = await this.database.all<{ id: number | null }>('SELECT MAX(id) AS id FROM audit');
    return Number(row?.id ?? 0);
  }

  /** All records in the order in which they were written, those behind one. */
  async after(id: number, limit: number): Promise<AuditRow[]> {
    return numbered(
      await this.database.all<AuditRow>(`${SELECT} WHERE id > ? ORDER BY id LIMIT ?`, [id, limit]),
    );
  }

  async chains(): Promise<AuditChainRow[]> {
    const rows = await this.database.all<AuditChainRow>(
      `SELECT ${AUDIT_CHAIN_COLUMNS.join(', ')} FROM audit_chain ORDER BY started_at, chain`,
    );
    return rows.map((row) => ({
      ...row,
      parent_number: Number(row.parent_number),
      started_at: Number(row.started_at),
      number: Number(row.number),
      removed_number: Number(row.removed_number),
      removed_until: Number(row.removed_until),
    }));
  }

  private conditionOf(
    { from, to, actors, parts = [] }: AuditRange,
    before?: AuditPlace,
  ): { where: string; params: SqlValue[] } {
    // The end is told by the time as well: what was read before is not looked at again.
    const conditions = [{ sql: 'time >= ? AND time <= ?', params: [from, before?.time ?? to] as SqlValue[] }];
    if (before !== undefined)
      conditions.push({ sql: '(time < ? OR id < ?)', params: [before.time, before.id] });
    if (actors.length > 0) conditions.push(this.database.dialect.in('actor', actors));
    for (const some of parts) {
      const sql = `(${some.map(() => 'INSTR(events, ?) > 0').join(' OR ')})`;
      conditions.push({ sql, params: [...some] });
    }
    return {
      where: conditions.map(({ sql }) => sql).join(' AND '),
      params: conditions.flatMap(({ params }) => params),
    };
  }
}

function numbered(rows: AuditRow[]): AuditRow[] {
  return rows.map((row) => ({
    ...row,
    id: Number(row.id),
    number: Number(row.number),
    time: Number(row.time),
    event_count: Number(row.event_count),
  }));
}
