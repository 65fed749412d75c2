import type { ChangeLogConsumer } from '../../catalog/change/index.js';
import type { Job, JobRequest } from '../../catalog/queue/index.js';

/** First and last of ids without a gap. */
export type IdRange = [first: number, last: number];

/** `ids` (ascending) as the fewest ranges. */
export function rangesOf(ids: readonly number[]): IdRange[] {
  const ranges: IdRange[] = [];
  for (const id of ids) {
    const open = ranges.at(-1);
    if (open !== undefined && open[1] === id - 1) open[1] = id;
    else ranges.push([id, id]);
  }
  return ranges;
}

/**
 * One job per chunk of changes, for the queue of `consumer`. A job names its changes and nothing else;
 * its id sorts like the log.
 */
export function changeJobs(consumer: string, ids: readonly number[], chunk: number): JobRequest[] {
  const jobs: JobRequest[] = [];
  for (let from = 0; from < ids.length; from += chunk) {
    const some = ids.slice(from, from + chunk);
    jobs.push({
      id: `${consumer}-${sortable(some[0] as number)}-${sortable(some.at(-1) as number)}`,
      payload: { ranges: rangesOf(some) },
    });
  }
  return jobs;
}

/** The changes that `jobs` name, each once, in the order of the log. */
export function changesOf(jobs: readonly Job[]): number[] {
  const ids = new Set<number>();
  for (const { payload } of jobs) {
    for (const [first, last] of payload.ranges as IdRange[]) {
      for (let id = first; id <= last; id++) ids.add(id);
    }
  }
  return [...ids].sort((a, b) => a - b);
}

/** How many changes `ranges` hold. */
export function changeCount(ranges: readonly IdRange[]): number {
  return ranges.reduce((count, [first, last]) => count + last - first + 1, 0);
}

/** Throws when two consumers share a name, and so a queue: each would miss what the other took. */
export function refuseSharedNames(consumers: readonly ChangeLogConsumer[]): void {
  const names = new Set<string>();
  for (const { name } of consumers) {
    if (names.has(name)) throw new Error(`two consumers of the change log are named ${name}`);
    names.add(name);
  }
}

function sortable(id: number): string {
  return String(id).padStart(16, '0');
}
