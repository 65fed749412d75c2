import { hash, randomBytes } from 'node:crypto';
import type { AuditEvent, AuditRecord } from '../../catalog/audit/index.js';
import { TimeSlices } from '../../catalog/schedule/index.js';
import type { Transaction } from '../../catalog/store/index.js';
import { AUDIT_CHAIN_COLUMNS, AUDIT_COLUMNS } from './audit-columns.js';
import type { AuditChainRow } from './entities/audit-chain.row.js';
import type { AuditRow } from './entities/audit.row.js';
import { textOf } from './stored-events.js';

/** The most events of one row; a submission of more has several. */
const EVENTS_OF_ROW = 1_000;

/** A place in a chain: the number of a record and its hash. Number 0 is where the chain starts. */
export interface ChainEnd {
  readonly number: number;
  readonly hash: string;
}

/** All columns of a record that its hash is made of. */
export type HashedRow = Pick<
  AuditRow,
  'chain' | 'number' | 'time' | 'actor' | 'address' | 'agent' | 'source' | 'request' | 'events'
>;

/** The hash of a record: of all that it says, and of the record before it. */
export function hashOf(row: HashedRow, before: string): string {
  const { chain, number, time, actor, address, agent, source, request, events } = row;
  const said = JSON.stringify([chain, number, time, actor, address, agent, source, request, events]);
  return hash('sha256', `${before}\n${said}`, 'base64url');
}

/** The hash of where a chain starts: of its name, its time, and the record of another chain that it goes on from. */
export function hashOfStart(
  row: Pick<AuditChainRow, 'chain' | 'parent' | 'parent_number' | 'parent_hash' | 'started_at'>,
): string {
  const { chain, parent, parent_number, parent_hash, started_at } = row;
  return hash('sha256', JSON.stringify([chain, parent, parent_number, parent_hash, started_at]), 'base64url');
}

/**
 * A chain of records, which one transaction at a time goes on with. Several transactions at once each have a chain of their
 * own: none waits for the commit of another.
 */
export class AuditChain {
  readonly name = randomBytes(9).toString('base64url');
  private end: ChainEnd | undefined;
  private anchored = 0;

  /**
   * Writes records in a transaction; {@link commit} is told of the result.
   * @returns where the chain ends once that has been committed
   */
  async append(tx: Transaction, records: readonly AuditRecord[], now: number): Promise<ChainEnd> {
    let end = this.end ?? (await this.start(tx, now));
    const rows: AuditRow[] = [];
    const slices = new TimeSlices();
    for (const record of records) {
      for (let at = 0; at < record.events.length; at += EVENTS_OF_ROW) {
        const events = record.events.slice(at, at + EVENTS_OF_ROW);
        const row = { ...this.rowOf(record, events, now), number: end.number + 1 };
        end = { number: row.number, hash: hashOf(row, end.hash) };
        rows.push({ ...row, id: 0, event_count: events.length, hash: end.hash });
        const over = slices.over();
        if (over) await over;
      }
    }
    await tx.insert<AuditRow>(
      'audit',
      AUDIT_COLUMNS,
      rows.map((row) => AUDIT_COLUMNS.map((column) => row[column])),
    );
    return end;
  }

  commit(end: ChainEnd): void {
    this.end = end;
  }

  /** Where the last commit left it; undefined before the first. */
  get reached(): ChainEnd | undefined {
    return this.end;
  }

  /** Where it ends, if that is not known to {@link anchored} yet. */
  get unanchored(): ChainEnd | undefined {
    return this.end !== undefined && this.end.number > this.anchored ? this.end : undefined;
  }

  /** It is noted in the table of chains that this one has reached a record. */
  noteAnchor({ number }: ChainEnd): void {
    this.anchored = number;
  }

  /** A new chain goes on from the one that was started last: neither can be removed without the other noticing. */
  private async start(tx: Transaction, now: number): Promise<ChainEnd> {
    const [last] = await tx.all<Pick<AuditChainRow, 'chain' | 'number' | 'hash'>>(
      'SELECT chain, number, hash FROM audit_chain ORDER BY started_at DESC, chain LIMIT 1',
    );
    const row: AuditChainRow = {
      chain: this.name,
      parent: last?.chain ?? '',
      parent_number: Number(last?.number ?? 0),
      parent_hash: last?.hash ?? '',
      started_at: now,
      number: 0,
      hash: '',
      removed_number: 0,
      removed_hash: '',
      removed_until: 0,
    };
    row.hash = hashOfStart(row);
    row.removed_hash = row.hash;
    await tx.insert<AuditChainRow>('audit_chain', AUDIT_CHAIN_COLUMNS, [
      AUDIT_CHAIN_COLUMNS.map((column) => row[column]),
    ]);
    return { number: 0, hash: row.hash };
  }

  private rowOf({ actor, origin }: AuditRecord, events: readonly AuditEvent[], time: number) {
    return {
      chain: this.name,
      time,
      actor,
      address: origin?.address ?? '',
      agent: origin?.userAgent ?? '',
      source: origin?.source ?? '',
      request: origin?.requestId ?? '',
      events: textOf(events),
    };
  }
}
