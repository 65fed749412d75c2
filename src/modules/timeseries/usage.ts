import { refuse } from '../../catalog/errors/index.js';
import { inSlices } from '../../catalog/schedule/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import type { OperationsAggregation, OperationsAggregationsResult } from './usage.types.js';

type Operation = AspectValues['operation'];

/** Sums by key, the greatest first. */
export class Counts {
  private readonly counts = new Map<string, number>();

  add(key: string, count: number): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + count);
  }

  get size(): number {
    return this.counts.size;
  }

  sorted(): Array<[key: string, count: number]> {
    return [...this.counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  }
}

const KINDS = {
  INSERT: 'totalInserts',
  UPDATE: 'totalUpdates',
  DELETE: 'totalDeletes',
  CREATE: 'totalCreates',
  ALTER: 'totalAlters',
  DROP: 'totalDrops',
  CUSTOM: 'totalCustoms',
} as const;

/** Counts operations by their kind. */
export function countOperations(operations: readonly Operation[]): OperationsAggregationsResult {
  // Not by its class: the REST action counts as well, and must not load what GraphQL needs.
  const result: OperationsAggregationsResult = {
    totalOperations: 0,
    totalInserts: 0,
    totalUpdates: 0,
    totalDeletes: 0,
    totalCreates: 0,
    totalAlters: 0,
    totalDrops: 0,
    totalCustoms: 0,
    customOperationsMap: [],
  };
  const custom = new Counts();
  for (const { operationType, customOperationType } of operations) {
    result.totalOperations += 1;
    if (operationType in KINDS) result[KINDS[operationType as keyof typeof KINDS]] += 1;
    if (operationType === 'CUSTOM' && customOperationType !== undefined) custom.add(customOperationType, 1);
  }
  result.customOperationsMap = custom.sorted().map(([key, value]) => ({ key, value }));
  return result;
}

/** Counts operations, the newest first, by the days on which they were reported. */
export async function operationsByDay(
  operations: readonly Operation[],
  timeZone: string | null | undefined,
): Promise<OperationsAggregation[]> {
  const beginning = dayIn(timeZone ?? 'UTC');
  const days = new Map<number, Operation[]>();
  // To say when a day begins takes some microseconds in a time zone.
  await inSlices(operations, (operation) => {
    const day = beginning(operation.timestampMillis);
    const found = days.get(day);
    if (found) found.push(operation);
    else days.set(day, [operation]);
  });
  return [...days].map(([bucket, found]) => ({ bucket, aggregations: countOperations(found) }));
}

/** When the day of a time begins. @throws CatalogError PARAMETER_INVALID */
function dayIn(timeZone: string): (time: number) => number {
  let parts: Intl.DateTimeFormat;
  try {
    parts = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    throw refuse('PARAMETER_INVALID', `there is no time zone "${timeZone}"`, '/timeZone');
  }
  /** The time that clocks show, as if it were UTC. */
  const shown = (time: number): number => {
    const values = Object.fromEntries(
      parts.formatToParts(time).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = values;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  return (time) => {
    const whole = Math.floor(time / 1_000) * 1_000;
    const midnight = Math.floor(shown(whole) / 86_400_000) * 86_400_000;
    // Clocks that were changed since midnight showed another difference then.
    const first = midnight - (shown(whole) - whole);
    return midnight - (shown(first) - first);
  };
}
