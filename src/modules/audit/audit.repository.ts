import { Injectable } from '@nestjs/common';
import { Database, type SqlValue } from '../../catalog/store/index.js';
import { AUDIT_CHAIN_COLUMNS, type AuditChainRow } from './entities/audit-chain.row.js';
import { AUDIT_COLUMNS, type AuditRow } from './entities/audit.row.js';

const SELECT = `SELECT id, ${AUDIT_COLUMNS.join(', ')} FROM audit`;

/** Which records: of a time, both ends included, and of these actors; any, where there are none. */
export interface AuditRange {
  readonly from: number;
  readonly to: number;
  readonly actors: readonly string[];
}

/** Reads the audit log. */
@Injectable()
export class AuditRepository {
  constructor(private readonly database: Database) {}

  /** Records of a range, newest first, those before a place. */
  async newestFirst(
    range: AuditRange,
    before: { time: number; id: number } | undefined,
    limit: number,
  ): Promise<AuditRow[]> {
    const { where, params } = this.conditionOf(range);
    const place = before && ' AND (time < ? OR (time = ? AND id < ?))';
    return numbered(
      await this.database.all<AuditRow>(
        `${SELECT} WHERE ${where}${place ?? ''} ORDER BY time DESC, id DESC LIMIT ?`,
        [...params, ...(before ? [before.time, before.time, before.id] : []), limit],
      ),
    );
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

  private conditionOf({ from, to, actors }: AuditRange): { where: string; params: SqlValue[] } {
    const of = actors.length === 0 ? undefined : this.database.dialect.in('actor', actors);
    return {
      where: `time >= ? AND time <= ?${of === undefined ? '' : ` AND ${of.sql}`}`,
      params: [from, to, ...(of?.params ?? [])],
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
