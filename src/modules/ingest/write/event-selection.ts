import type { EventSelection, SystemMetadata } from '../../../catalog/change/index.js';
import type { SqlValue } from '../../../catalog/store/index.js';

/** The condition of SQL that finds the selected events of one aspect of one entity. */
export function eventsWhere(
  entity: number,
  aspect: string,
  { from, to, runId }: EventSelection,
): { sql: string; params: SqlValue[] } {
  const conditions = ['entity_id = ?', 'aspect = ?'];
  const params: SqlValue[] = [entity, aspect];
  const add = (sql: string, value: SqlValue | undefined): void => {
    if (value === undefined) return;
    conditions.push(sql);
    params.push(value);
  };
  add('time >= ?', from);
  add('time <= ?', to);
  add('run_id = ?', runId);
  return { sql: conditions.join(' AND '), params };
}

/** The same condition for an event that is not in the database yet. */
export function isSelected(
  event: { time: number; systemMetadata: SystemMetadata },
  { from = -Infinity, to = Infinity, runId }: EventSelection,
): boolean {
  if (event.time < from || event.time > to) return false;
  return runId === undefined || event.systemMetadata.runId === runId;
}
