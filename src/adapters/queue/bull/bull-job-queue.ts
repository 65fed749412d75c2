import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import Bull from 'bull';
import { TryLedger } from '../../../catalog/pending-work/index.js';
import {
  ATTEMPTS,
  diedOf,
  type Job,
  type JobHandler,
  JobQueue,
  type JobRequest,
  type JobState,
  type ListedJob,
  type ProcessOptions,
  type QueueStats,
} from '../../../catalog/queue/index.js';
import { identityOf, type Database } from '../../../catalog/store/index.js';
import { BatchCollector, type Tries } from './batch-collector.js';
import {
  addJobs,
  discardFailed,
  failedReasons,
  isWhole,
  listJobs,
  retryFailedJobs,
  runners,
  type StoredJob,
} from './bull-jobs.js';
import { bullOptions, type BullTiming, DEFAULT_TIMING } from './bull-options.js';
import type { WatchTiming } from './connection-watch.js';
import { QueueOwner } from './queue-owner.js';
import { FormerJobs } from '../former-jobs.js';
import { RedisConnections } from './redis-connections.js';
import { RedisOutage } from './redis-outage.js';

const ERROR_LENGTH = 2000;
/** The most jobs of one queue that a process holds at a time. */
const MOST_HELD = 100;
const INTERRUPT_MS = 10;
const LAST_WORDS_MS = 3000;
/** How often a Redis that refuses commands is asked whether it takes them now. */
const ASK_AGAIN_MS = 1000;
/** A database that is out of reach is mentioned in the log this often. */
const COMPLAIN_MS = 30_000;

export interface BullJobQueueOptions extends Partial<BullTiming> {
  redisUrl: string;
  /** What all keys begin with. */
  prefix: string;
  /** How the connections are looked after. */
  watching?: WatchTiming;
  /** What to say when another catalog has these keys; they are not looked after without it. */
  taken?: () => Error;
}

/**
 * The queue on Redis, by Bull. Redis only carries wake-ups: a job that it loses is redelivered by the owner of
 * what is to be done, so it may be unavailable, or wiped, at any time.
 *
 * The contract is that of the table queue. A process that falls silent loses its jobs to another after `leaseMs`. What
 * processes die of is counted in the database, as the table queue does: it must not be lost with Redis.
 */
export class BullJobQueue extends JobQueue {
  private readonly timing: BullTiming;
  private readonly connections: RedisConnections;
  private readonly queues = new Map<string, Bull.Queue<StoredJob>>();
  private readonly collectors = new Map<string, BatchCollector>();
  /** What `@Processor` classes do, by queue, before {@link startProcessors}. */
  private readonly processors = new Map<string, JobHandler>();
  /** The method of Bull, by queue. */
  private readonly takers = new Map<string, Bull.Queue<StoredJob>['process']>();
  private readonly logger = new Logger(BullJobQueue.name);
  private ledger: TryLedger | undefined;
  private owner: QueueOwner | undefined;
  private readonly outage = new RedisOutage(() => this.connections.get('client').ping());
  private complained = -Infinity;
  private closed = false;

  constructor(private readonly options: BullJobQueueOptions) {
    super();
    const { redisUrl, prefix: _, watching, taken: __, ...timing } = options;
    this.timing = { ...DEFAULT_TIMING, ...timing };
    this.connections = new RedisConnections(redisUrl, (error) => this.outage.failed(error), watching);
  }

  /** How Bull shall open a queue of this process. */
  bullOptions(): Bull.QueueOptions {
    return bullOptions(this.options.prefix, this.timing, this.connections);
  }

  /** To be called before {@link process}: where the tries of jobs are counted. */
  countTriesIn(database: Database): void {
    this.ledger = new TryLedger(database, new FormerJobs(database));
  }

  /** Claims the keys for the catalog of this database. @throws what `taken` of the options makes */
  async claimFor(database: Database): Promise<void> {
    const { prefix, taken } = this.options;
    if (taken === undefined) return;
    const { database: catalog } = await identityOf(database);
    this.owner = new QueueOwner(this.connections.get('client'), `${prefix}:owner`, catalog, taken);
    await this.owner.take();
  }

  /** Takes over a queue that was opened elsewhere with {@link bullOptions}. */
  adopt(queue: Bull.Queue<StoredJob>): void {
    queue.on('error', (error: Error) => this.outage.failed(error));
    queue.on('stalled', (job: Bull.Job | null) => {
      this.logger.warn(`job ${job?.id ?? '?'} of ${queue.name} is taken from a process that fell silent`);
    });
    // Nest would close it when it likes; close() does, in the order of the composition root.
    Reflect.deleteProperty(queue, 'onApplicationShutdown');
    // The explorer of @nestjs/bull brings what `@Processor` classes do here. They run like every job: held back while
    // Redis refuses commands, counted in the database, suspended when processes die of them.
    this.takers.set(queue.name, queue.process.bind(queue));
    queue.process = ((handler: JobHandler) => this.processors.set(queue.name, handler)) as never;
    // Bull gives its connection a name, does not look at what becomes of that, and nothing depends on it.
    const worker = queue as unknown as { setWorkerName: () => Promise<unknown> };
    const setWorkerName = worker.setWorkerName.bind(queue);
    worker.setWorkerName = () => setWorkerName().catch((error: Error) => this.outage.failed(error));
    this.queues.set(queue.name, queue);
  }

  async enqueue(queue: string, jobs: readonly JobRequest[]): Promise<void> {
    const parts = jobs.filter(({ unfinished = 0 }) => unfinished > 0);
    if (parts.length > 0) await this.tries.suspect(queue, parts);
    await this.notify(queue, jobs);
  }

  async notify(queue: string, jobs: readonly JobRequest[]): Promise<void> {
    if (jobs.length === 0) return;
    const client = this.connections.get('client');
    await this.outage.during(client.sadd(this.namesKey, queue));
    await this.outage.during(addJobs(this.queue(queue), client, jobs));
  }

  process(queue: string, options: ProcessOptions, handler: (jobs: Job[]) => Promise<void>): void {
    if (this.closed) throw new Error('the job queue is closed');
    if (this.collectors.has(queue)) throw new Error(`the queue ${queue} has a handler already`);
    const { batch, attempts = ATTEMPTS } = options;
    const held = Math.min(batch, MOST_HELD);
    const tries = this.triesOf(queue, options);
    const split = (jobs: readonly Job[], error: unknown): void =>
      this.logger.warn(
        `${jobs.length} jobs of ${queue} failed together and are tried one by one: ${messageOf(error)}`,
      );
    const collector = new BatchCollector(batch, held, handler, tries, split, this.timing.deferralMs);
    this.collectors.set(queue, collector);
    void this.tries.sweep(queue).catch((error: Error) => this.complain(error));
    void this.serve(queue, held, (job) => this.perform(queue, collector, attempts, job));
  }

  /** Begins to carry out the jobs of the `@Processor` classes. */
  startProcessors(): void {
    for (const [queue, handler] of this.processors)
      this.process(queue, { batch: 1 }, ([job]) => handler(job!));
  }

  async stats(): Promise<Record<string, QueueStats>> {
    this.owner?.check();
    const known = await this.outage.during(this.connections.get('client').smembers(this.namesKey));
    const names = [...new Set([...this.collectors.keys(), ...known])].sort();
    const aside = await this.tries.counts();
    const stats = await this.outage.during(Promise.all(names.map((name) => this.statsOf(name))));
    return Object.fromEntries(
      stats.map((each, i) => {
        const name = names[i] as string;
        return [name, { ...each, failed: each.failed + (aside.get(name) ?? 0) }];
      }),
    );
  }

  /** A mark beside the jobs: who wipes Redis takes it along. */
  override async generation(): Promise<string | undefined> {
    const client = this.connections.get('client');
    const key = `${this.options.prefix}:generation`;
    const known = await this.outage.during(client.get(key));
    if (known !== null) return known;
    await this.outage.during(client.set(key, randomUUID(), 'NX'));
    return (await this.outage.during(client.get(key))) ?? undefined;
  }

  async list(queue: string, states: readonly JobState[], limit: number): Promise<ListedJob[]> {
    const listed = await listJobs(this.queue(queue), this.connections.get('client'), states, limit);
    if (!states.includes('failed')) return listed;
    // Suspended jobs are known also when Redis has lost them.
    const aside = await this.tries.listed(queue, limit);
    const ids = new Set(aside.map(({ id }) => id));
    return [...aside, ...listed.filter(({ id }) => !ids.has(id))].slice(0, limit);
  }

  async failures(queue: string, ids: readonly string[]): Promise<Map<string, string>> {
    const aside = await this.tries.reasons(queue, ids);
    // Suspended jobs are known also while Redis is unavailable.
    const failed = await failedReasons(this.queue(queue), this.connections.get('client'), ids).catch(
      () => new Map<string, string>(),
    );
    return new Map([...failed, ...aside]);
  }

  async retryFailed(queue: string): Promise<number> {
    const aside = await this.tries.suspendedJobs(queue);
    if (aside.length > 0) await this.tries.revive(queue, aside, () => this.enqueue(queue, aside));
    return aside.length + (await retryFailedJobs(this.queue(queue), this.connections.get('client')));
  }

  async close(): Promise<void> {
    this.closed = true;
    this.outage.close();
    const closing = Promise.all([...this.queues.values()].map((queue) => queue.close()));
    // Nothing more is taken from here on; Bull itself would wait half a second for an idle connection.
    setTimeout(() => this.connections.interrupt('bclient'), INTERRUPT_MS);
    await Promise.all([...this.collectors.values()].map((collector) => collector.settled()));
    // Bull says that the last jobs are done, if Redis is there.
    await withinMs(closing, LAST_WORDS_MS);
    await this.owner?.release();
    await this.connections.close();
  }

  private get namesKey(): string {
    return `${this.options.prefix}:queues`;
  }

  private get tries(): TryLedger {
    if (this.ledger === undefined) throw new Error('the queue was given no database to count tries in');
    return this.ledger;
  }

  private triesOf(queue: string, options: ProcessOptions): Tries {
    const { tries } = this;
    const { recorded = false } = options;
    return {
      tryStates: (jobs) => this.insist(() => tries.tryStates(queue, jobs)),
      begin: (jobs) => this.insist(() => tries.begin(queue, jobs, recorded)),
      end: async (jobs, done) => {
        // The handler has deleted the rows.
        if (!(recorded && done)) await this.insist(() => tries.end(queue, jobs, recorded));
      },
      suspend: async (job) => {
        if ((await runners(this.queue(queue), this.connections.get('client'), job.id)) > 1)
          throw new Error('another process runs it at the moment');
        const message = diedOf(job.unfinished ?? 0);
        this.logger.error(`job ${job.id} of ${queue} is suspended: ${message}`);
        // First, so that it is told again when this is where the process ends.
        await options.suspend?.(job);
        await this.insist(() => tries.suspend(queue, job, message));
      },
      moreDue: async () => {
        if (this.closed) return false;
        const waiting = this.connections.get('client').llen(`${this.options.prefix}:${queue}:wait`);
        return (await waiting.catch(() => 0)) > 0;
      },
    };
  }

  /** The database may be out of reach: then the jobs wait for it in the hands of this process. */
  private async insist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (this.closed) throw error;
        this.complain(error as Error);
        await sleep(ASK_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  private queue(name: string): Bull.Queue<StoredJob> {
    if (!this.queues.has(name)) this.adopt(new Bull<StoredJob>(name, this.bullOptions()));
    return this.queues.get(name) as Bull.Queue<StoredJob>;
  }

  /** Bull cannot begin while Redis is unavailable, or refuses commands, and does not begin again by itself. */
  private async serve(
    name: string,
    held: number,
    perform: (job: Bull.Job<StoredJob>) => Promise<void>,
  ): Promise<void> {
    for (const purpose of ['client', 'subscriber'] as const) {
      await this.connections.ready(this.connections.get(purpose));
    }
    await this.willing();
    if (this.closed) return;
    // Opened here when it is not one of those known beforehand.
    this.queue(name);
    await this.takers.get(name)!(held, perform).catch((error: unknown) => {
      if (!this.closed) this.logger.error(`the queue ${name} is not served: ${messageOf(error)}`);
    });
  }

  /** Resolves as soon as Redis takes commands: one that wants a password, or reads its files, does not. */
  private async willing(): Promise<void> {
    while (!this.closed) {
      try {
        await this.connections.get('client').ping();
        return;
      } catch (error) {
        this.outage.failed(error as Error);
        await sleep(ASK_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  private async perform(
    queue: string,
    collector: BatchCollector,
    attempts: number,
    stored: Bull.Job<StoredJob>,
  ): Promise<void> {
    if (!isWhole(stored)) {
      // Redis was wiped after it gave out the id. The job is in the database, and is requested again.
      stored.opts.removeOnComplete = true;
      return;
    }
    const { id, payload } = stored.data;
    const attempt = stored.attemptsMade + 1;
    try {
      await collector.take({ id, payload, attempt });
    } catch (error) {
      const message = messageOf(error).slice(0, ERROR_LENGTH);
      const text = `job ${id} of ${queue} failed (attempt ${attempt} of ${attempts}): ${message}`;
      if (attempt < attempts) this.logger.warn(text);
      else {
        this.logger.error(text);
        void stored.discard();
      }
      // Bull keeps the stack in Redis, where it is never read.
      throw Object.assign(new Error(message), { stack: '' });
    }
    // It stood in for a job that ran when this one was asked for, and that has perhaps failed since.
    if (stored.id !== id) await discardFailed(this.queue(queue), id).catch(() => undefined);
  }

  private async statsOf(name: string): Promise<QueueStats> {
    const client = this.connections.get('client');
    const key = (part: string) => `${this.options.prefix}:${name}:${part}`;
    const [waiting, paused, held, delayed, failed] = await Promise.all([
      client.llen(key('wait')),
      client.llen(key('paused')),
      client.lrange(key('active'), 0, -1),
      client.zcard(key('delayed')),
      client.zcard(key('failed')),
    ]);
    const locks = await Promise.all(held.map((id) => client.exists(key(`${id}:lock`))));
    const active = locks.filter((lock) => lock > 0).length;
    return { waiting: waiting + paused, active, delayed, failed, stalled: held.length - active };
  }

  private complain(error: Error): void {
    if (this.closed || performance.now() - this.complained < COMPLAIN_MS) return;
    this.complained = performance.now();
    this.logger.warn(`database: ${error.message || (error as NodeJS.ErrnoException).code || error.name}`);
  }
}

async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
