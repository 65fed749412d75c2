import type { SearchBudget } from '../../../../catalog/search/index.js';
import { CatalogError } from '../../../../catalog/errors/index.js';
import { currentRequest, FairLine } from '../../../../catalog/schedule/index.js';
import type { Asked, Question } from '../questions.js';
import { unavailable } from '../damage.js';
import type { Outcome, ReaderAnswer, ReaderCall } from './reader-thread.js';
import { Thread, type ThreadOptions } from './thread.js';

/** A search that goes through a lane. */
export interface LaneCall {
  question: Question;
  request: Asked<Question>;
  made: string;
  /** So much work may be done for it here, and so much while the thread is cold. */
  limitMs: number;
  coldMs: number;
  budget: SearchBudget;
}

export interface LaneResult {
  outcome: Outcome;
  /** Milliseconds of work. */
  ms: number;
}

export interface LaneOptions {
  name: string;
  threads: number;
  /** Searches that each thread has at a time: the one that it is at, and the next ones, so that it need not wait. */
  depth: number;
  /** So many may wait for a thread. */
  mostWaiting: number;
  thread: (
    name: string,
    ends: Int32Array<SharedArrayBuffer>,
  ) => Pick<ThreadOptions, 'name' | 'program' | 'data' | 'heapMb'>;
  /** A thread that has not been between two steps of a search for so long is ended. Default a minute. */
  hangsMs?: number;
  /** A thread has ended without being told to. */
  ended: (name: string, reason: string) => void;
  /** A search has been answered: seconds that it waited, and seconds of work. */
  note?: (waited: number, worked: number) => void;
}

interface Job extends LaneCall {
  since: number;
  begun: number;
  /** Threads that have ended while they were at it. */
  ends: number;
  slot: number | undefined;
  /** The caller has been told. */
  settled: boolean;
  settle: (result: LaneResult | Error) => void;
}

/** A step takes a millisecond or so; another program may have the processor meanwhile. */
const HANGS_MS = 60_000;

/** Threads that search, and the line before them, in which callers take turns. */
export class Lane {
  private readonly line = new FairLine<Job>();
  private readonly readers: Reader[];

  constructor(private readonly options: LaneOptions) {
    const { name, threads } = options;
    this.readers = Array.from(
      { length: threads },
      (_, i) => new Reader(threads > 1 ? `${name} ${i + 1}` : name, options, this.line, () => this.fill()),
    );
  }

  /** Searches that wait for a thread. */
  get waiting(): number {
    return this.line.length;
  }

  /** @throws CatalogError SEARCH_UNAVAILABLE when too many wait, or the threads end again and again */
  run(call: LaneCall): Promise<LaneResult> {
    if (this.line.length >= this.options.mostWaiting) {
      const message = `${this.line.length} searches wait already; no more may`;
      throw new CatalogError('SEARCH_UNAVAILABLE', message, [], { retryAfter: 1 });
    }
    return new Promise((resolve, reject) => {
      const { signal } = call.budget;
      const job: Job = {
        ...call,
        since: performance.now(),
        begun: 0,
        ends: 0,
        slot: undefined,
        settled: false,
        settle: (result) => {
          job.settled = true;
          signal?.removeEventListener('abort', abandoned);
          if (result instanceof Error) reject(result);
          else resolve(result);
        },
      };
      const abandoned = (): void => {
        this.line.remove(job);
        for (const reader of this.readers) reader.end(job);
        job.settle({ outcome: { is: 'ended' }, ms: 0 });
      };
      signal?.addEventListener('abort', abandoned, { once: true });
      this.line.add(currentRequest()?.caller ?? '', job);
      this.fill();
    });
  }

  /** @throws CatalogError SEARCH_UNAVAILABLE when a thread ends again and again */
  check(): void {
    for (const reader of this.readers) reader.thread.check();
  }

  /** See {@link Thread.kill}. */
  async kill(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.thread.kill()));
  }

  /** Lets go of the file of the index. */
  async stop(): Promise<void> {
    const gone = unavailable('is being closed');
    for (const job of this.line.clear()) job.settle(gone);
    await Promise.all(this.readers.map((reader) => reader.stop(gone)));
  }

  private fill(): void {
    let refusal: unknown;
    while (this.line.length > 0) {
      const able = this.readers.filter((reader) => {
        try {
          reader.thread.ready();
          return true;
        } catch (error) {
          refusal = error;
          return false;
        }
      });
      if (able.length === 0) {
        for (const job of this.line.clear()) job.settle(refusal as Error);
        return;
      }
      const reader = able.reduce((a, b) => (b.load < a.load ? b : a));
      if (reader.load >= this.options.depth) return;
      reader.take(this.line.next()!);
    }
  }
}

/** One thread of a lane. */
class Reader {
  readonly thread: Thread;
  private readonly ends: Int32Array<SharedArrayBuffer>;
  private readonly jobs = new Map<number, Job>();
  private calls = 0;

  constructor(
    name: string,
    private readonly options: LaneOptions,
    private readonly line: FairLine<Job>,
    private readonly free: () => void,
  ) {
    // The last one counts the steps of the thread.
    this.ends = new Int32Array(new SharedArrayBuffer(4 * (options.depth + 1)));
    this.thread = new Thread({
      ...options.thread(name, this.ends),
      steps: () => Atomics.load(this.ends, options.depth),
      hangsMs: options.hangsMs ?? HANGS_MS,
      message: (answer: ReaderAnswer) => this.answered(answer),
      ended: (reason) => this.ended(reason),
    });
  }

  get load(): number {
    return this.jobs.size;
  }

  take(job: Job): void {
    const used = new Set([...this.jobs.values()].map(({ slot }) => slot));
    job.slot = this.slots.find((slot) => !used.has(slot))!;
    job.begun = performance.now();
    Atomics.store(this.ends, job.slot, 0);
    this.calls += 1;
    const { question, request, made, limitMs, coldMs, slot } = job;
    const call: ReaderCall = { id: this.calls, slot, question, request, made, limitMs, coldMs };
    this.jobs.set(this.calls, job);
    this.thread.awaited = true;
    this.thread.send(call);
  }

  /** Its caller has gone. */
  end(job: Job): void {
    if ([...this.jobs.values()].includes(job)) Atomics.store(this.ends, job.slot!, 1);
  }

  async stop(gone: Error): Promise<void> {
    for (const slot of this.slots) Atomics.store(this.ends, slot, 1);
    for (const job of this.jobs.values()) if (!job.settled) job.settle(gone);
    this.jobs.clear();
    await this.thread.stop();
  }

  private get slots(): number[] {
    return Array.from({ length: this.options.depth }, (_, slot) => slot);
  }

  private answered({ id, ms, outcome }: ReaderAnswer): void {
    const job = this.jobs.get(id);
    if (!job) return;
    this.jobs.delete(id);
    this.thread.awaited = this.jobs.size > 0;
    if (!job.settled) {
      this.options.note?.((job.begun - job.since) / 1000, ms / 1000);
      job.settle({ outcome, ms });
    }
    this.free();
  }

  private ended(reason: string): void {
    const jobs = [...this.jobs.values()].filter(({ settled }) => !settled);
    this.jobs.clear();
    this.thread.awaited = false;
    this.options.ended(this.thread.name, reason);
    // It was at the first of them; one that ended two threads shall not end a third.
    const [first] = jobs;
    if (first) first.ends += 1;
    if (first && first.ends > 1) {
      jobs.shift();
      first.settle(unavailable('cannot answer this now: the thread that searched has ended twice'));
    }
    this.line.putBack(jobs);
    this.free();
  }
}
