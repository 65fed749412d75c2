import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { JOB_STATES, type Job, type JobQueue, type JobRequest } from '../../src/catalog/queue/index.js';
import { idle } from '../harness/idle-queue.js';
import { until } from '../harness/until.js';

interface OpenOptions {
  mute?: boolean;
  deferralMs?: number;
}

/** Storage of queues that outlives them. */
interface QueueStorage {
  /**
   * A queue over the storage, as one more process would open it. The suite closes it. A mute one gives no sign of
   * life while it works, like a process that hangs.
   */
  open(options?: OpenOptions): Promise<JobQueue>;
  dispose(): Promise<void>;
}

/** How the queues under test shall be set, so that the suite need not wait long. */
export interface QueueTiming {
  /** After which time a job whose runner fell silent is given to another. */
  leaseMs: number;
  /** The pause after the first failure. */
  firstPauseMs: number;
  /** For how long jobs that a process may have died of wait for the others. */
  deferralMs: number;
}

interface Gate<T> {
  readonly passed: Promise<T>;
  open(value: T): void;
}

function gate<T = void>(): Gate<T> {
  let open: (value: T) => void = () => undefined;
  const passed = new Promise<T>((resolve) => (open = resolve));
  return { passed, open };
}

function request(id: string, more: Partial<JobRequest> = {}): JobRequest {
  return { id, payload: { of: id }, ...more };
}

function requests(count: number): JobRequest[] {
  return Array.from({ length: count }, (_, i) => request(`job-${String(i).padStart(4, '0')}`));
}

/** Longer than any test. */
const NEVER_MS = 3_600_000;

const ids = (jobs: readonly { id: string }[]) => jobs.map((job) => job.id);

/**
 * What every {@link JobQueue} must do. Each adapter runs this suite.
 * @param leaseMs longer than this process and the storage may stand still on a busy machine
 */
export function jobQueueConformance(
  name: string,
  make: (timing: QueueTiming) => Promise<QueueStorage>,
  leaseMs = 400,
): void {
  describe(`${name} as a job queue`, () => {
    const Q = 'search';
    const opened: JobQueue[] = [];
    let storage: QueueStorage;
    let queue: JobQueue;
    /** What handlers that fell silent wait for. */
    let silence: Gate<void> | undefined;

    async function open(options?: OpenOptions): Promise<JobQueue> {
      const next = await storage.open(options);
      opened.push(next);
      return next;
    }

    beforeEach(async () => {
      // Failures are the subject here; their log lines would only hide those of a failing test.
      Logger.overrideLogger(false);
      storage = await make({ leaseMs, firstPauseMs: 20, deferralMs: NEVER_MS });
      queue = await open();
    });
    afterEach(async () => {
      silence?.open();
      silence = undefined;
      await Promise.all(opened.splice(0).map((each) => each.close()));
      await storage.dispose();
      Logger.overrideLogger(true);
    });

    it('hands over id and payload, and counts the attempt', async () => {
      const seen: Job[] = [];
      queue.process(Q, { batch: 10 }, async (jobs) => void seen.push(...jobs));
      await queue.enqueue(Q, [
        { id: 'a', payload: { urn: 'urn:li:tag:ä', ranges: [[1, 2]], text: '\'"\\\u0000😀' } },
      ]);
      await idle(queue, Q);
      expect(seen).toEqual([
        { id: 'a', payload: { urn: 'urn:li:tag:ä', ranges: [[1, 2]], text: '\'"\\\u0000😀' }, attempt: 1 },
      ]);
    });

    it('starts a waiting queue and a queue that is filled later alike', async () => {
      const seen: string[] = [];
      await queue.enqueue(Q, [request('before')]);
      queue.process(Q, { batch: 10 }, async (jobs) => void seen.push(...ids(jobs)));
      await idle(queue, Q);
      await queue.enqueue(Q, [request('after')]);
      await idle(queue, Q);
      expect(seen).toEqual(['before', 'after']);
    });

    it('keeps the order of the requests', async () => {
      const all = requests(60);
      for (let i = 0; i < 60; i += 20) await queue.enqueue(Q, all.slice(i, i + 20));
      const seen: string[] = [];
      queue.process(Q, { batch: 7 }, async (jobs) => void seen.push(...ids(jobs)));
      await idle(queue, Q);
      expect(seen).toEqual(ids(all));
    });

    it('hands over batches up to the size asked for', async () => {
      await queue.enqueue(Q, requests(25));
      const sizes: number[] = [];
      queue.process(Q, { batch: 10 }, async (jobs) => void sizes.push(jobs.length));
      await idle(queue, Q);
      expect(sizes.reduce((a, b) => a + b)).toBe(25);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
    });

    it('runs one batch of a queue at a time', async () => {
      let running = 0;
      let most = 0;
      queue.process(Q, { batch: 1 }, async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      });
      for (const job of requests(10)) await queue.enqueue(Q, [job]);
      await idle(queue, Q);
      expect(most).toBe(1);
    });

    it('takes an id that waits only once, per queue', async () => {
      const seen: Job[] = [];
      await queue.enqueue(Q, [request('a'), request('a')]);
      await queue.enqueue(Q, [{ id: 'a', payload: { later: true } }, request('b')]);
      await queue.enqueue('other', [request('a')]);
      queue.process(Q, { batch: 10 }, async (jobs) => void seen.push(...jobs));
      await idle(queue, Q);
      expect(seen.map((job) => [job.id, job.payload])).toEqual([
        ['a', { of: 'a' }],
        ['b', { of: 'b' }],
      ]);
      expect((await queue.stats()).other).toEqual({
        waiting: 1,
        active: 0,
        delayed: 0,
        failed: 0,
        stalled: 0,
      });
    });

    it('takes an id anew when its job is done', async () => {
      let runs = 0;
      queue.process(Q, { batch: 10 }, async () => void runs++);
      for (let i = 0; i < 3; i++) {
        await queue.enqueue(Q, [request('a')]);
        await idle(queue, Q);
      }
      expect(runs).toBe(3);
    });

    it('does not lose a request for an id that runs: the job runs once more', async () => {
      const started = gate();
      const finish = gate();
      const seen: unknown[] = [];
      queue.process(Q, { batch: 10 }, async (jobs) => {
        seen.push(...jobs.map((job) => job.payload));
        if (seen.length > 1) return;
        started.open();
        await finish.passed;
      });
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 1 } }]);
      await started.passed;
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 2 } }]);
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 2 } }]);
      finish.open();
      await idle(queue, Q);
      expect(seen[0]).toEqual({ n: 1 });
      expect(seen.at(-1)).toEqual({ n: 2 });
      expect(seen.length).toBeGreaterThan(1);
    });

    it('does not lose a request for an id that runs and then fails', async () => {
      const started = gate();
      const finish = gate();
      const done: unknown[] = [];
      queue.process(Q, { batch: 10, attempts: 1 }, async ([job]) => {
        if (job?.payload.n === 1) {
          started.open();
          await finish.passed;
          throw new Error('the first one fails');
        }
        done.push(job?.payload);
      });
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 1 } }]);
      await started.passed;
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 2 } }]);
      finish.open();
      await idle(queue, Q);
      expect(done).toEqual([{ n: 2 }]);
    });

    it('tries a failing job again, and counts', async () => {
      const attempts: number[] = [];
      queue.process(Q, { batch: 10, attempts: 5 }, async ([job]) => {
        attempts.push(job?.attempt ?? 0);
        if (attempts.length < 3) throw new Error('not yet');
      });
      await queue.enqueue(Q, [request('a')]);
      await idle(queue, Q);
      expect(attempts).toEqual([1, 2, 3]);
      expect((await queue.stats())[Q]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0, stalled: 0 });
    });

    it('isolates a poisonous job: its neighbours are done, it alone fails', async () => {
      const done = new Set<string>();
      let aloneWithPoison = 0;
      queue.process(Q, { batch: 50, attempts: 3 }, async (jobs) => {
        if (jobs.some((job) => job.id === 'job-0007')) {
          if (jobs.length === 1) aloneWithPoison++;
          throw new Error('poison');
        }
        for (const job of jobs) done.add(job.id);
      });
      await queue.enqueue(Q, requests(20));
      await idle(queue, Q);
      expect([...done].sort()).toEqual(ids(requests(20)).filter((id) => id !== 'job-0007'));
      expect(aloneWithPoison).toBeGreaterThanOrEqual(1);
      expect(aloneWithPoison).toBeLessThanOrEqual(3);
      expect((await queue.stats())[Q]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 1, stalled: 0 });
    });

    it('runs failed jobs again when told to', async () => {
      let broken = true;
      const done: string[] = [];
      queue.process(Q, { batch: 10, attempts: 2 }, async (jobs) => {
        if (broken) throw new Error('broken');
        done.push(...ids(jobs));
      });
      await queue.enqueue(Q, requests(3));
      await idle(queue, Q);
      expect((await queue.stats())[Q]?.failed).toBe(3);
      broken = false;
      expect(await queue.retryFailed(Q)).toBe(3);
      await idle(queue, Q);
      expect(done.sort()).toEqual(ids(requests(3)));
      expect(await queue.retryFailed(Q)).toBe(0);
      expect((await queue.stats())[Q]?.failed).toBe(0);
    });

    it('starts a failed job afresh when its id is requested again', async () => {
      const seen: unknown[] = [];
      queue.process(Q, { batch: 10, attempts: 1 }, async ([job]) => {
        seen.push(job?.payload);
        if (seen.length === 1) throw new Error('once');
      });
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 1 } }]);
      await idle(queue, Q);
      await queue.enqueue(Q, [{ id: 'a', payload: { n: 2 } }]);
      await idle(queue, Q);
      expect(seen).toEqual([{ n: 1 }, { n: 2 }]);
      expect((await queue.stats())[Q]?.failed).toBe(0);
    });

    it('goes on with other jobs while a failed one pauses', async () => {
      const finished = gate();
      const seen: string[] = [];
      queue.process(Q, { batch: 1, attempts: 4 }, async ([job]) => {
        if (job?.id === 'bad' && job.attempt < 4) throw new Error('bad');
        seen.push(job?.id ?? '');
        if (job?.id === 'good') finished.open();
      });
      await queue.enqueue(Q, [request('bad')]);
      await queue.enqueue(Q, [request('good')]);
      await finished.passed;
      await idle(queue, Q);
      expect(seen).toEqual(['good', 'bad']);
    });

    it('lists jobs by state: what runs, what waits for another attempt and since when, what failed and why', async () => {
      const started = gate();
      const finish = gate();
      queue.process(Q, { batch: 1, attempts: 2 }, async ([job]) => {
        if (job?.id === 'bad') throw new Error('broken');
        started.open();
        await finish.passed;
      });
      const states = async () => (await queue.list(Q, JOB_STATES, 10)).map(({ id, state }) => [id, state]);
      await queue.enqueue(Q, [request('bad')]);
      await until(async () => (await queue.list(Q, ['delayed', 'failed'], 10)).length > 0);
      const [first] = await queue.list(Q, ['delayed', 'failed'], 10);
      expect(first).toMatchObject({ queue: Q, id: 'bad', error: 'broken' });
      if (first?.state === 'delayed') expect(first.runAt).toBeGreaterThan(Date.now() - 60_000);
      await until(async () => (await queue.list(Q, ['failed'], 10)).length > 0);
      await queue.enqueue(Q, [request('long')]);
      await started.passed;
      await queue.enqueue(Q, [request('next')]);
      expect(await states()).toEqual([
        ['next', 'waiting'],
        ['long', 'active'],
        ['bad', 'failed'],
      ]);
      expect(await queue.list(Q, ['failed'], 10)).toEqual([
        { queue: Q, id: 'bad', state: 'failed', attempts: 2, error: 'broken' },
      ]);
      expect(await queue.list(Q, JOB_STATES, 1)).toHaveLength(1);
      expect(await queue.list('never heard of', JOB_STATES, 10)).toEqual([]);
      finish.open();
      await idle(queue, Q);
    });

    it('is idle at once when there is nothing, and not while a job runs', async () => {
      await idle(queue, 'never heard of');
      const started = gate();
      const finish = gate();
      queue.process(Q, { batch: 10 }, async () => {
        started.open();
        await finish.passed;
      });
      await queue.enqueue(Q, [request('a')]);
      await started.passed;
      let done = false;
      const waiting = idle(queue, Q).then(() => (done = true));
      expect((await queue.stats())[Q]).toEqual({ waiting: 0, active: 1, delayed: 0, failed: 0, stalled: 0 });
      expect(done).toBe(false);
      finish.open();
      await waiting;
      expect((await queue.stats())[Q]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0, stalled: 0 });
    });

    it('is idle in one process when another has done the work', async () => {
      const other = await open();
      other.process(Q, { batch: 10 }, async () => undefined);
      await queue.enqueue(Q, requests(5));
      await idle(queue, Q);
      expect((await other.stats())[Q]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0, stalled: 0 });
    });

    it('refuses a second handler of one queue', () => {
      queue.process(Q, { batch: 1 }, async () => undefined);
      expect(() => queue.process(Q, { batch: 1 }, async () => undefined)).toThrow(Q);
    });

    it('keeps its queues apart', async () => {
      const stuck = gate();
      const seen: string[] = [];
      queue.process('slow', { batch: 1 }, () => stuck.passed);
      queue.process(Q, { batch: 1 }, async (jobs) => void seen.push(...ids(jobs)));
      await queue.enqueue('slow', [request('a')]);
      await queue.enqueue(Q, requests(3));
      await idle(queue, Q);
      expect(seen).toEqual(ids(requests(3)));
      stuck.open();
    });

    it('waits for the running handler when it closes, and takes nothing more', async () => {
      const started = gate();
      const finish = gate();
      const seen: string[] = [];
      queue.process(Q, { batch: 1 }, async (jobs) => {
        started.open();
        await finish.passed;
        seen.push(...ids(jobs));
      });
      await queue.enqueue(Q, requests(3));
      await started.passed;
      const closing = queue.close();
      finish.open();
      await closing;
      expect(seen).toEqual(['job-0000']);

      const next = await open();
      next.process(Q, { batch: 1 }, async (jobs) => void seen.push(...ids(jobs)));
      await idle(next, Q);
      expect(seen).toEqual(ids(requests(3)));
    });

    it('keeps waiting and failed jobs over a restart', async () => {
      queue.process('failing', { batch: 1, attempts: 1 }, async () => {
        throw new Error('no');
      });
      await queue.enqueue('failing', [request('f')]);
      await idle(queue, 'failing');
      await queue.enqueue(Q, [request('a'), request('b')]);
      await queue.close();

      const next = await open();
      const seen: string[] = [];
      next.process(Q, { batch: 10 }, async (jobs) => void seen.push(...ids(jobs)));
      await idle(next, Q);
      expect(seen).toEqual(['a', 'b']);
      expect((await next.stats()).failing?.failed).toBe(1);
      expect(await next.retryFailed('failing')).toBe(1);
    });

    it('gives a job whose runner fell silent to another, and minds no late end', async () => {
      const started = gate();
      const silent = gate();
      const hanging = await open({ mute: true });
      hanging.process(Q, { batch: 10 }, async () => {
        started.open();
        await silent.passed;
      });
      await queue.enqueue(Q, [request('a')]);
      await started.passed;

      const other = await open();
      const taken = gate<string[]>();
      other.process(Q, { batch: 10 }, async (jobs) => taken.open(ids(jobs)));
      expect(await taken.passed).toEqual(['a']);
      silent.open();
      await idle(other, Q);
      expect((await other.stats())[Q]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0, stalled: 0 });
    });

    it('runs a job that processes end with alone, last, and suspends it after three times', async () => {
      const silent = gate();
      silence = silent;
      const told: string[] = [];
      const runs: string[][] = [];
      const options = { batch: 4, suspend: async ({ id }: { id: string }) => void told.push(id) };
      const four = ['a', 'deadly', 'b', 'c'].map((id) => request(id));
      await queue.enqueue(Q, four);
      // Each process falls silent with the job in its hands.
      for (let death = 0; death < 3; death++) {
        let fallen = false;
        const dying = await open({ mute: true });
        dying.process(Q, options, async (jobs) => {
          // A slow storage hands them out one by one: they are asked for again until they come together.
          if (death === 0 && jobs.length < four.length) return;
          runs.push(ids(jobs));
          if (!ids(jobs).includes('deadly')) return;
          fallen = true;
          await silent.passed;
        });
        await until(async () => {
          const { waiting = 0, active = 0 } = (await queue.stats())[Q] ?? {};
          if (!fallen && death === 0 && waiting + active === 0) await queue.enqueue(Q, four);
          return fallen;
        });
        if (death === 0) await queue.enqueue(Q, [request('later')]);
      }
      const last = await open();
      last.process(Q, options, async (jobs) => void runs.push(ids(jobs)));
      await idle(last, Q);
      expect([...(runs[0] ?? [])].sort()).toEqual(['a', 'b', 'c', 'deadly']);
      // Those that ran with it run by themselves, behind what never ran.
      expect(runs.slice(1)).toHaveLength(6);
      expect(runs[1]).toEqual(['later']);
      expect(runs.filter((run) => run.includes('deadly'))).toHaveLength(3);
      for (const run of runs.slice(1)) expect(run).toHaveLength(1);
      expect(told).toEqual(['deadly']);
      expect((await last.stats())[Q]?.failed).toBe(1);
      expect(await last.failures(Q, ['a', 'deadly'])).toEqual(
        new Map([['deadly', 'the process ended, or fell silent, 3 times while it ran this job']]),
      );
      // It is left alone by those who ask for it, and runs when it is retried.
      await last.enqueue(Q, [request('deadly')]);
      await idle(last, Q);
      expect(runs.slice(1)).toHaveLength(6);
      expect(await last.retryFailed(Q)).toBe(1);
      await idle(last, Q);
      expect(runs.at(-1)).toEqual(['deadly']);
      expect((await last.stats())[Q]).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0, stalled: 0 });
    });

    it('runs a part of a job that processes ended with alone, last', async () => {
      await queue.enqueue(Q, [request('part', { unfinished: 1 }), request('a'), request('b')]);
      const runs: Array<[string[], number | undefined]> = [];
      queue.process(Q, { batch: 10 }, async (jobs) => void runs.push([ids(jobs), jobs[0]?.unfinished]));
      await idle(queue, Q);
      expect(runs).toEqual([
        [['a', 'b'], undefined],
        [['part'], 1],
      ]);
    });

    describe('in turns with others that come all the time', () => {
      /** Runs `count` parts of jobs that processes ended with; answers which runs were those of parts, from the first on. */
      const turnsOf = async (count: number, partMs: number, othersMs: number): Promise<boolean[]> => {
        const parts = Array.from({ length: count }, (_, i) => `part ${i}`);
        const hasty = await open({ deferralMs: 50 });
        await hasty.enqueue(Q, [...parts.map((id) => request(id, { unfinished: 1 })), ...requests(40)]);
        const runs: string[][] = [];
        let more = 40;
        hasty.process(Q, { batch: 10 }, async (jobs) => {
          const part = jobs[0]!.id.startsWith('part');
          runs.push(ids(jobs));
          await new Promise((resolve) => setTimeout(resolve, part ? partMs : othersMs));
          // As many come as go, until all parts have run.
          if (part || parts.every((one) => runs.some((run) => run.includes(one)))) return;
          await hasty.enqueue(
            Q,
            jobs.map(() => request(`job-${more++}`)),
          );
        });
        await until(async () => parts.every((part) => runs.some((run) => run.includes(part))));
        await idle(hasty, Q);
        for (const run of runs) if (run.some((id) => id.startsWith('part'))) expect(run).toHaveLength(1);
        const turns = runs.map(([first]) => first!.startsWith('part'));
        return turns.slice(turns.indexOf(true), turns.lastIndexOf(true) + 1);
      };

      it('runs parts of jobs that processes ended with one by one', async () => {
        expect(await turnsOf(3, 300, 0)).toContain(false);
      });

      it('gives such parts as much time as the others, where these take long', async () => {
        const turns = await turnsOf(20, 0, 200);
        expect(turns.filter((part) => !part).length).toBeLessThan(10);
      });
    });

    it('keeps a job whose handler takes longer than the lease', async () => {
      const other = await open();
      const runs: string[] = [];
      for (const [name, each] of Object.entries({ queue, other })) {
        each.process(Q, { batch: 10 }, async () => {
          runs.push(name);
          // Long enough for the other to take it, if it could.
          await new Promise((resolve) => setTimeout(resolve, 3 * leaseMs));
        });
      }
      await queue.enqueue(Q, [request('a')]);
      await idle(queue, Q);
      expect(runs).toHaveLength(1);
    });

    it('shares the jobs among processes, each job once', async () => {
      const other = await open();
      const seen: string[] = [];
      for (const each of [queue, other]) {
        each.process(Q, { batch: 5 }, async (jobs) => {
          await new Promise((resolve) => setImmediate(resolve));
          seen.push(...ids(jobs));
        });
      }
      await queue.enqueue(Q, requests(200));
      await idle(queue, Q);
      expect(seen.sort()).toEqual(ids(requests(200)));
    });

    it('takes thousands of jobs in one call', async () => {
      const seen = new Set<string>();
      queue.process(Q, { batch: 500 }, async (jobs) => jobs.forEach((job) => seen.add(job.id)));
      await queue.enqueue(Q, requests(3500));
      await idle(queue, Q);
      expect(seen.size).toBe(3500);
    });
  });
}
