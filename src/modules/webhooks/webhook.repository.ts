import { Injectable } from '@nestjs/common';
import { AuditLog, type AuditRecord } from '../../catalog/audit/index.js';
import { isAhead } from '../../catalog/schedule/index.js';
import { Database, type SqlReader, type SqlValue, type Transaction } from '../../catalog/store/index.js';
import { WEBHOOK_COLUMNS, type WebhookRow } from './entities/webhook.row.js';

const SELECT = `SELECT ${WEBHOOK_COLUMNS.join(', ')} FROM webhook`;
const NUMBERS = [
  'former_until',
  'position',
  'batch',
  'attempts',
  'failing_since',
  'next_attempt',
  'delivered',
  'delivered_at',
  'lease_until',
  'created_at',
] as const satisfies ReadonlyArray<keyof WebhookRow>;

/** The registered webhooks. */
@Injectable()
export class WebhookRepository {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  async all(): Promise<WebhookRow[]> {
    return numbered(await this.database.all<WebhookRow>(`${SELECT} ORDER BY name`));
  }

  async find(name: string): Promise<WebhookRow | undefined> {
    return (await read(this.database, name))[0];
  }

  /**
   * Changes a webhook or makes one, under a lock against other processes.
   * @param change gets the current row, and returns the next one; undefined changes nothing
   * @param recordOf makes the audit record of the change
   */
  update(
    name: string,
    change: (row: WebhookRow | undefined, count: number) => WebhookRow | undefined,
    recordOf: (isNew: boolean, row: WebhookRow) => AuditRecord,
  ): Promise<WebhookRow | undefined> {
    return this.audit.transaction(async (tx, record) => {
      const [row] = await read(tx, name, tx.dialect.forUpdate);
      const [others] = await tx.all<{ n: number }>('SELECT COUNT(*) AS n FROM webhook');
      const next = change(row && { ...row }, Number(others?.n ?? 0));
      if (next === undefined) return undefined;
      const set = WEBHOOK_COLUMNS.filter((column) => column !== 'name');
      const values: SqlValue[] = WEBHOOK_COLUMNS.map((column) => next[column]);
      await tx.insert<WebhookRow>('webhook', WEBHOOK_COLUMNS, [values], {
        key: ['name'],
        then: 'update',
        set,
      });
      record(recordOf(row === undefined, next));
      return next;
    });
  }

  async remove(name: string, audited: AuditRecord): Promise<boolean> {
    return this.audit.transaction(async (tx, record) => {
      const removed = await tx.run('DELETE FROM webhook WHERE name = ?', [name]);
      if (removed > 0) record(audited);
      return removed > 0;
    });
  }

  /** Takes or renews the lease of one. @returns whether this process has it */
  async lease(name: string, owner: string, now: number, leaseMs: number): Promise<boolean> {
    return this.database.transaction(
      async (tx) => {
        const [row] = await read(tx, name, tx.dialect.forUpdate);
        if (row?.state !== 'ACTIVE') return false;
        if (row.lease_owner !== owner && isAhead(row.lease_until, leaseMs, now)) return false;
        const set = 'UPDATE webhook SET lease_owner = ?, lease_until = ? WHERE name = ?';
        await tx.run(set, [owner, now + leaseMs, name]);
        return true;
      },
      { survives: 'process' },
    );
  }

  /** Notes how far the holder of the lease is. @returns whether it still held it */
  async note(row: Held, progress: Partial<WebhookRow>): Promise<boolean> {
    return (await this.database.transaction((tx) => change(tx, row, progress))) > 0;
  }

  /** {@link note} of the end of deliveries, and why, until an administrator resumes them. */
  async pause(row: Held, progress: Partial<WebhookRow>, audited: AuditRecord): Promise<boolean> {
    return this.audit.transaction(async (tx, record) => {
      const changed = await change(tx, row, { ...progress, state: 'PAUSED' });
      if (changed > 0) record(audited);
      return changed > 0;
    });
  }
}

/** A row as the holder of its lease has read it. */
type Held = Pick<WebhookRow, 'name' | 'lease_owner' | 'place'>;

function change(
  tx: Transaction,
  { name, lease_owner: owner, place: before }: Held,
  progress: Partial<WebhookRow>,
): Promise<number> {
  const columns = Object.keys(progress) as Array<keyof WebhookRow>;
  return tx.run(
    `UPDATE webhook SET ${columns.map((column) => `${column} = ?`).join(', ')}
     WHERE name = ? AND lease_owner = ? AND place = ? AND state = 'ACTIVE'`,
    [...columns.map((column) => progress[column] as SqlValue), name, owner, before],
  );
}

async function read(reader: SqlReader, name: string, lock = ''): Promise<WebhookRow[]> {
  return numbered(await reader.all<WebhookRow>(`${SELECT} WHERE name = ? ${lock}`, [name]));
}

/** A server may answer numbers as texts. */
function numbered(rows: WebhookRow[]): WebhookRow[] {
  for (const row of rows) for (const column of NUMBERS) row[column] = Number(row[column]);
  return rows;
}
