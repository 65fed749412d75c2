import type { ChangeLogConsumer, ChangeLogEntry } from '../../catalog/change/index.js';
import type { IdRange } from '../../catalog/pending-work/index.js';
import type { Job, JobRequest } from '../../catalog/queue/index.js';

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

/**
 * `job` in parts of its own, each of them for the changes of one entity, which begin with `unfinished` tries. A single one
 * when there is nothing to part.
 */
export function partsOf(
  consumer: string,
  entries: ReadonlyArray<Pick<ChangeLogEntry, 'id' | 'urn'>>,
  unfinished: number,
): Array<{ request: JobRequest; firstChange: number }> {
  const byEntity = new Map<string, number[]>();
  for (const { id, urn } of entries) {
    const ids = byEntity.get(urn);
    if (ids === undefined) byEntity.set(urn, [id]);
    else ids.push(id);
  }
  return [...byEntity.values()].map((ids) => {
    const [request] = changeJobs(consumer, ids, ids.length) as [JobRequest];
    // The whole may begin and end with the same changes.
    return { request: { ...request, id: `${request.id}-part`, unfinished }, firstChange: ids[0] as number };
  });
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
