import type Bull from 'bull';
import type { Redis } from 'ioredis';
import type { JobRequest, JobState, ListedJob } from '../../../catalog/queue/index.js';

/** What Bull keeps of a job. `id` is the one that was asked for; Bull's own differs when that one was running. */
export interface StoredJob {
  id: string;
  payload: Record<string, unknown>;
}

/** The most jobs sent to Redis in one go. */
const ADD_AT_ONCE = 500;

/** More jobs than this do not stand in for one that runs, as long as there are fewer processes. */
const MOST_TURNS = 16;

type RedisState = 'unknown' | 'remains' | 'waiting' | 'active' | 'failed';

/** Forgets a job of which only what Bull notes meanwhile is there. */
const FORGET_REMAINS = `
if redis.call('hexists', KEYS[1], 'data') == 0 then redis.call('del', KEYS[1]) end`;

/** Whether Redis had the job itself, and not only its id: Bull makes a job without data of what a wipe leaves. */
export function isWhole(job: Bull.Job<Partial<StoredJob>>): boolean {
  return job.data.id !== undefined;
}

/**
 * Adds jobs. For an id that waits nothing is to be done. One that runs has perhaps read its state already, so a
 * second job stands in for it; one that failed starts afresh.
 */
export async function addJobs(
  queue: Bull.Queue<StoredJob>,
  client: Redis,
  requests: readonly JobRequest[],
): Promise<void> {
  const unique = new Map<string, JobRequest>();
  for (const request of requests) if (!unique.has(request.id)) unique.set(request.id, request);
  const all = [...unique.values()];
  for (let from = 0; from < all.length; from += ADD_AT_ONCE) {
    await addSome(queue, client, all.slice(from, from + ADD_AT_ONCE));
  }
}

/** @param turn how many jobs of these ids run already */
async function addSome(
  queue: Bull.Queue<StoredJob>,
  client: Redis,
  requests: readonly JobRequest[],
  turn = 1,
): Promise<void> {
  const own = ({ id }: JobRequest) => bullId(id, turn);
  const states = await statesOf(queue, client, requests.map(own));
  const remains = requests.filter((_, i) => states[i] === 'remains');
  await Promise.all(remains.map((request) => client.eval(FORGET_REMAINS, 1, queue.toKey(own(request)))));
  const fresh = requests.filter((_, i) => states[i] === 'unknown' || states[i] === 'remains');
  if (fresh.length > 0) {
    await queue.addBulk(
      fresh.map((request) => ({
        data: { id: request.id, payload: request.payload },
        opts: { jobId: own(request) },
      })),
    );
  }
  const failed = requests.filter((_, i) => states[i] === 'failed');
  await Promise.all(
    failed.map((request) =>
      startAfresh(queue, client, own(request), { id: request.id, payload: request.payload }),
    ),
  );
  const active = requests.filter((_, i) => states[i] === 'active');
  if (active.length > 0) await addSome(queue, client, active, turn + 1);
}

/** @param turn 1 for the job itself, more for those that stand in for it while it runs */
function bullId(id: string, turn: number): string {
  return turn === 1 ? id : `${id}~${turn}`;
}

/**
 * A job without a lock in the list of the active ones is waiting, too: its process is about to begin, or has died
 * and another will begin.
 */
async function statesOf(
  queue: Bull.Queue<StoredJob>,
  client: Redis,
  ids: readonly string[],
): Promise<RedisState[]> {
  const failedKey = queue.toKey('failed');
  return Promise.all(
    ids.map(async (id) => {
      const key = queue.toKey(id);
      const [exists, whole, locked, failed] = await Promise.all([
        client.exists(key),
        client.hexists(key, 'data'),
        client.exists(`${key}:lock`),
        client.zscore(failedKey, id),
      ]);
      if (exists === 0) return 'unknown';
      if (failed !== null) return 'failed';
      // A process that was doing the job when Redis was wiped has noted how it ended.
      if (whole === 0 && locked === 0) return 'remains';
      return locked > 0 ? 'active' : 'waiting';
    }),
  );
}

/** How many processes hold the job `id`, or one that stands in for it. */
export function runners(queue: Bull.Queue<StoredJob>, client: Redis, id: string): Promise<number> {
  const turns = Array.from({ length: MOST_TURNS }, (_, i) => bullId(id, i + 1));
  return client.exists(turns.map((each) => `${queue.toKey(each)}:lock`));
}

/** Why those of the jobs that failed did, by id. */
export async function failedReasons(
  queue: Bull.Queue<StoredJob>,
  client: Redis,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = await Promise.all(
    ids.map(async (id) => {
      const failed = await client.zscore(queue.toKey('failed'), id);
      return failed === null ? undefined : await client.hget(queue.toKey(id), 'failedReason');
    }),
  );
  return new Map(ids.flatMap((id, i) => (found[i] === undefined ? [] : [[id, found[i] ?? '']])));
}

/** Bull keeps the time of a delayed job and its number in one score. */
const SCORE_OF_A_MILLISECOND = 0x1000;

/** The first `limit` jobs in one of the states. */
export async function listJobs(
  queue: Bull.Queue<StoredJob>,
  client: Redis,
  states: readonly JobState[],
  limit: number,
): Promise<ListedJob[]> {
  const found: ListedJob[] = [];
  for (const state of states) {
    const held = state === 'stalled' || state === 'active';
    // Bull calls active what a process holds, also when that process fell silent.
    const jobs = await queue.getJobs([held ? 'active' : state], 0, limit - found.length - 1, true);
    for (const job of jobs.filter((each) => each !== null)) {
      const key = queue.toKey(String(job.id));
      if (held && (await client.exists(`${key}:lock`)) > 0 !== (state === 'active')) continue;
      const score = state === 'delayed' ? await client.zscore(queue.toKey('delayed'), String(job.id)) : null;
      found.push({
        ...{ queue: queue.name, id: job.data.id, state },
        attempts: job.attemptsMade + (held ? 1 : 0),
        ...(score !== null && { runAt: Math.floor(Number(score) / SCORE_OF_A_MILLISECOND) }),
        ...(job.failedReason !== undefined && { error: job.failedReason }),
      });
    }
    if (found.length >= limit) break;
  }
  return found;
}

/** Puts every failed job back; answers how many. */
export async function retryFailedJobs(queue: Bull.Queue<StoredJob>, client: Redis): Promise<number> {
  const ids = await client.zrange(queue.toKey('failed'), 0, -1);
  const done = await Promise.all(ids.map((id) => startAfresh(queue, client, id)));
  return done.filter(Boolean).length;
}

/** Removes the job `id` when it has failed. */
export async function discardFailed(queue: Bull.Queue<StoredJob>, id: string): Promise<void> {
  const job = await queue.getJob(id);
  if (job !== null && (await job.isFailed())) await job.remove();
}

/** Whether the failed job `id` waits again, its tries forgotten. Another process may have been quicker. */
async function startAfresh(
  queue: Bull.Queue<StoredJob>,
  client: Redis,
  id: string,
  data?: StoredJob,
): Promise<boolean> {
  const job = await queue.getJob(id);
  if (job === null) return false;
  if (data !== undefined) await job.update(data);
  const key = queue.toKey(id);
  await Promise.all([client.hset(key, 'attemptsMade', 0), client.hdel(key, 'stalledCounter')]);
  return job.retry().then(
    () => true,
    () => false,
  );
}
