import { DeliveryTable, OLDEST_PENDING, OLDEST_UNDONE } from '../../catalog/pending-work/index.js';
import { columnsOf } from '../../catalog/store/index.js';
import type { EntityRow } from '../entities/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';

const e = columnsOf<EntityRow>('e');
const c = columnsOf<ChangeLogRow>('c');

/** The pending deliveries, together with what the change log says of their changes. */
export class PendingDeliveries extends DeliveryTable {
  /** Suspended jobs, with the entity of the first change in each: of all changes, once a job was split. */
  async suspended(consumer: string): Promise<Array<{ job: string; urn: string }>> {
    const jobs = await this.suspendedJobs(consumer);
    const asked = this.database.dialect.in(
      c.id,
      jobs.map(({ first_change }) => first_change),
    );
    const changes = await this.database.all<{ id: number; urn: string }>(
      `SELECT ${c.id} AS id, ${e.urn} AS urn FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id} WHERE ${asked.sql}`,
      asked.params,
    );
    const urns = new Map(changes.map(({ id, urn }) => [Number(id), urn]));
    return jobs.flatMap(({ job, first_change }) => {
      const urn = urns.get(Number(first_change));
      return urn === undefined ? [] : [{ job, urn }];
    });
  }

  /**
   * The state of `consumer` in one statement: the newest change, the position of the last published one, and the oldest
   * pending one. Jobs that failed are left out.
   */
  async state(consumer: string): Promise<{ latest: number; published: number; oldestPending: number }> {
    const [row] = await this.database.all<{
      latest: number | null;
      published: number | null;
      unpublished: number | null;
      open: number | null;
    }>(
      `SELECT (SELECT MAX(id) FROM change_log) AS latest, (SELECT MAX(position) FROM change_log) AS published,
         (SELECT MIN(id) FROM change_log WHERE position = 0) AS unpublished,
         ${OLDEST_PENDING} AS open`,
      [consumer],
    );
    const id = (value: number | null | undefined, none: number) => Number(value ?? none);
    return {
      latest: id(row?.latest, 0),
      published: id(row?.published, 0),
      oldestPending: Math.min(id(row?.unpublished, Infinity), id(row?.open, Infinity)),
    };
  }

  /**
   * The newest change up to which `consumer` has consumed all that it wants and are newer than `change`; what failed counts
   * as not consumed.
   */
  async consumedUntil(consumer: string, change: number): Promise<number> {
    const [row] = await this.database.all<{
      latest: number | null;
      open: number | null;
      unpublished: number | null;
    }>(
      `SELECT (SELECT MAX(id) FROM change_log) AS latest, ${OLDEST_UNDONE} AS open,
         (SELECT MIN(id) FROM change_log WHERE position = 0) AS unpublished`,
      [consumer, change],
    );
    const pending = [row?.open, row?.unpublished].filter((id) => id !== null && id !== undefined).map(Number);
    return Math.min(Number(row?.latest ?? 0), ...pending.map((id) => id - 1));
  }

  /** Changes that are committed and not published, and the age of the oldest in seconds. */
  async unpublished(): Promise<{ changes: number; seconds: number }> {
    const [row] = await this.database.all<{ changes: number; oldest: number | null }>(
      'SELECT COUNT(*) AS changes, MIN(time) AS oldest FROM change_log WHERE position = 0',
    );
    const oldest = Number(row?.oldest ?? Date.now());
    return { changes: Number(row?.changes ?? 0), seconds: Math.max(0, Date.now() - oldest) / 1000 };
  }
}
