import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { TableJobQueue } from '../../adapters/queue/table/index.js';
import { ChangeLogConsumer, type ChangeLogEntry, type ChangeLogHeading } from '../../catalog/change/index.js';
import type { JobRequest } from '../../catalog/queue/index.js';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
import { refuse } from '../../catalog/errors/index.js';
import { PendingDeliveries } from './pending-deliveries.js';
import { ConsumerProgress } from './consumer-progress.js';
import { ConsumerRunner } from './consumer-runner.js';
import { BackgroundThrottle } from '../../catalog/schedule/index.js';
import { until } from '../../../test/harness/until.js';
import { idle } from '../../../test/harness/idle-queue.js';
import { CHANGE_LOG_COLUMNS } from './change-log-columns.js';
import { appendChanges, type PublishableChange, type Published } from './log-writer.js';

const HOUR = 3_600_000;
const URN = 'urn:li:tag:a';
const ACTOR = 'urn:li:corpuser:a';

class Recorder extends ChangeLogConsumer {
  readonly calls: number[][] = [];
  readonly entries: ChangeLogEntry[] = [];
  /** Called before anything is recorded. */
  before: (ids: readonly number[]) => Promise<void> | void = () => undefined;
  choose: (change: ChangeLogHeading) => boolean = () => true;

  constructor(readonly name: string) {
    super();
  }

  override wants(change: ChangeLogHeading): boolean {
    return this.choose(change);
  }

  async consume(entries: readonly ChangeLogEntry[]): Promise<void> {
    await this.before(entries.map((entry) => entry.id));
    this.calls.push(entries.map((entry) => entry.id));
    this.entries.push(...entries);
  }

  get ids(): number[] {
    return this.calls.flat();
  }
}

/** The parts of one process, as the composition root wires them in the embedded profile. */
interface Process {
  database: SqliteDatabase;
  queue: TableJobQueue;
  progress: ConsumerProgress;
  relay: OutboxRelay;
  runner: ConsumerRunner;
}

const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('the way of a change from the log to its consumers', () => {
  let folder: string;
  let entity: number;
  const processes: Process[] = [];
  let search: Recorder;
  let consumers: Recorder[];

  async function open(options: OutboxRelayOptions = {}, queuePollMs = HOUR, attempts = 10): Promise<Process> {
    const database = await SqliteDatabase.open(join(folder, 'catalog.db'));
    // No poll within the time of a test: what happens is due to a notification.
    const queue = new TableJobQueue(database, {
      pollMs: queuePollMs,
      firstPauseMs: 20,
      reclaimAtStart: true,
    });
    const backlog = new PendingDeliveries(database);
    const progress = new ConsumerProgress();
    const settings = { alone: true, pollMs: HOUR, ...options };
    const relay = new OutboxRelay(database, backlog, queue, consumers, progress, settings);
    const runner = new ConsumerRunner(database, backlog, queue, consumers, progress, {
      alone: settings.alone,
      attempts,
    });
    const process = { database, queue, progress, relay, runner };
    processes.push(process);
    return process;
  }

  async function start(options: OutboxRelayOptions = {}, attempts = 10): Promise<Process> {
    const process = await open(options, HOUR, attempts);
    await process.runner.start();
    await process.relay.start();
    return process;
  }

  async function end({ relay, queue, database }: Process): Promise<void> {
    await relay.stop();
    await queue.close();
    await database.close();
  }

  /** Writes changes as the writer does, in one transaction, and answers the id of the last. */
  async function write(process: Process, count = 1): Promise<number> {
    return process.database.transaction(async (tx) => {
      const row = [entity, 'tagProperties', 'UPSERT', 7, 0, 1, ACTOR, 1_700_000_000_000, 'run-1', 0, null];
      await tx.insert(
        'change_log',
        CHANGE_LOG_COLUMNS,
        Array.from({ length: count }, () => row),
      );
      const [last] = await tx.all<{ id: number }>('SELECT MAX(id) AS id FROM change_log');
      return last?.id ?? 0;
    });
  }

  /**
   * The same as a writer who is alone does it, which publishes them in that transaction where the relay lets it.
   * @param fault thrown by the transaction at its end
   */
  async function publish(
    { database, relay }: Process,
    count = 1,
    fault?: Error,
  ): Promise<Published | undefined> {
    const change: PublishableChange = {
      ...{ head: { id: entity, urn: URN, type: 'tag' }, aspect: 'tagProperties', changeType: 'UPSERT' },
      ...{ sequence: 7, before: 0, after: 1, actor: ACTOR, time: 1_700_000_000_000, runId: 'run-1' },
    };
    const changes = Array.from({ length: count }, () => change);
    let published: Published | undefined;
    const done = database.transaction(async (tx) => {
      published = await relay.publishWith(tx, changes);
      await appendChanges(tx, changes, published);
      if (fault) throw fault;
    });
    await done.catch(() => published && relay.revoke(published));
    return published;
  }

  async function log({ database }: Process): Promise<Array<{ id: number; position: number }>> {
    const rows = await database.all<{ id: number; position: number }>(
      'SELECT id, position FROM change_log ORDER BY id',
    );
    return rows.map((row) => ({ ...row }));
  }

  beforeEach(async () => {
    Logger.overrideLogger(false);
    folder = await mkdtemp(join(tmpdir(), 'relay-'));
    search = new Recorder('search');
    consumers = [search];
    const database = await SqliteDatabase.open(join(folder, 'catalog.db'));
    entity = await database.transaction(async (tx) => {
      await tx.insert(
        'entity',
        ['urn', 'type', 'sequence', 'live', 'removed', 'created_at', 'created_by'],
        [[URN, 'tag', 7, true, false, 0, ACTOR]],
      );
      const [row] = await tx.all<{ id: number }>('SELECT id FROM entity');
      return row?.id ?? 0;
    });
    await database.close();
  });
  afterEach(async () => {
    await Promise.all(processes.splice(0).map(end));
    await rm(folder, { recursive: true });
    Logger.overrideLogger(true);
  });

  it('tells who only asks whose changes they are about each entity once', async () => {
    const process = await start();
    const told: string[][] = [];
    Object.assign(search, { consumeUrns: async (urns: readonly string[]) => void told.push([...urns]) });
    const last = await write(process, 3);
    process.relay.notify(last);
    expect(await process.progress.reached('search', last, 5000)).toBe('caught-up');
    expect(told).toEqual([[URN]]);
    expect(search.calls).toEqual([]);
  });

  it('hands the consumer the whole entry', async () => {
    const process = await start();
    const id = await write(process);
    process.relay.notify(id);
    expect(await process.progress.reached('search', id, 5000)).toBe('caught-up');
    expect(search.entries).toEqual([
      {
        id,
        urn: URN,
        entityType: 'tag',
        sequence: 7,
        aspect: 'tagProperties',
        changeType: 'UPSERT',
        versionBefore: 0,
        versionAfter: 1,
        actor: ACTOR,
        time: 1_700_000_000_000,
        runId: 'run-1',
      },
    ]);
  });

  it('hands every consumer every change, in order', async () => {
    const cleanUp = new Recorder('clean-up');
    consumers.push(cleanUp);
    const process = await start({ batch: 100, chunk: 30 });
    process.relay.notify(await write(process, 450));
    expect(await process.progress.reached('search', Infinity, 5000)).toBe('caught-up');
    expect(await process.progress.reached('clean-up', Infinity, 5000)).toBe('caught-up');
    expect(search.ids).toEqual(upTo(450));
    expect(cleanUp.ids).toEqual(upTo(450));
  });

  it('hands a consumer what it wants, and makes no job of anything else', async () => {
    const picky = new Recorder('picky');
    picky.choose = ({ id, entityType, aspect, changeType, versionBefore, versionAfter, runId }) => {
      const fields = [entityType, aspect, changeType, versionBefore, versionAfter, runId];
      expect(fields).toEqual(['tag', 'tagProperties', 'UPSERT', 0, 1, 'run-1']);
      return id % 100 === 0;
    };
    const indifferent = new Recorder('indifferent');
    indifferent.choose = () => false;
    consumers.push(picky, indifferent);
    const process = await start({ batch: 100, chunk: 30 });
    const told: string[] = [];
    const notify = process.queue.notify.bind(process.queue);
    process.queue.notify = (queue, jobs) => {
      if (queue !== 'search') told.push(...jobs.map(({ id }) => id));
      return notify(queue, jobs);
    };
    process.relay.notify(await write(process, 250));
    for (const { name } of consumers)
      expect(await process.progress.reached(name, Infinity, 5000)).toBe('caught-up');
    expect(search.ids).toEqual(upTo(250));
    expect(picky.ids).toEqual([100, 200]);
    expect(indifferent.calls).toEqual([]);
    expect(told).toEqual([
      'picky-0000000000000100-0000000000000100',
      'picky-0000000000000200-0000000000000200',
    ]);
  });

  it('leaves out of a job what the consumer does not want any longer', async () => {
    const process = await open();
    await write(process, 3);
    await process.relay.start();
    await process.relay.stop();
    await end(processes.pop() as Process);
    search.choose = ({ id }) => id !== 2;
    const next = await start();
    expect(await next.progress.reached('search', Infinity, 5000)).toBe('caught-up');
    expect(search.ids).toEqual([1, 3]);
  });

  it('enqueues ids only, in chunks, under ids that sort like the log', async () => {
    const process = await open({ chunk: 200 });
    const seen: Array<[string, readonly JobRequest[]]> = [];
    process.queue.notify = async (queue, jobs) => void seen.push([queue, jobs]);
    await write(process, 3);
    await process.database.transaction((tx) => tx.run('DELETE FROM change_log WHERE id = 2'));
    await write(process, 300);
    await process.relay.start();
    await process.relay.stop();
    expect(seen).toEqual([
      [
        'search',
        [
          {
            id: 'search-0000000000000001-0000000000000201',
            payload: {
              ranges: [
                [1, 1],
                [3, 201],
              ],
            },
          },
          { id: 'search-0000000000000202-0000000000000303', payload: { ranges: [[202, 303]] } },
        ],
      ],
    ]);
  });

  it('gives dense positions, also over gaps and restarts', async () => {
    const process = await open({ batch: 4 });
    await write(process, 5);
    await process.database.transaction((tx) => tx.run('DELETE FROM change_log WHERE id IN (2, 4)'));
    await process.relay.start();
    await process.relay.stop();
    expect(await log(process)).toEqual([
      { id: 1, position: 1 },
      { id: 3, position: 2 },
      { id: 5, position: 3 },
    ]);
    await write(process, 10);
    const next = await open({ batch: 4 });
    await next.relay.start();
    await next.progress.reached('search', Infinity, 0);
    const last = await write(next, 1);
    next.relay.notify(last);
    await next.runner.start();
    expect(await next.progress.reached('search', last, 5000)).toBe('caught-up');
    await next.relay.stop();
    expect((await log(process)).map((row) => row.position)).toEqual(upTo(14));
  });

  it('follows the commits where a lower id comes to light later', async () => {
    const process = await start();
    const write12 = await write(process, 12);
    // What a slow commit of another connection looks like: its id is there only now.
    await process.database.transaction((tx) => tx.run('UPDATE change_log SET id = 100 WHERE id = 5'));
    process.relay.notify(write12);
    expect(await process.progress.reached('search', 12, 5000)).toBe('caught-up');
    await process.database.transaction((tx) =>
      tx.run(
        `INSERT INTO change_log (id, ${CHANGE_LOG_COLUMNS.join(', ')})
       SELECT 5, ${CHANGE_LOG_COLUMNS.join(', ').replace('position', '0')} FROM change_log WHERE id = 1`,
      ),
    );
    process.relay.notify(5);
    expect(await process.progress.reached('search', 5, 5000)).toBe('caught-up');
    await process.relay.stop();
    expect((await log(process)).find((row) => row.id === 5)).toEqual({ id: 5, position: 13 });
    expect(search.ids).toContain(5);
  });

  it('publishes with the transaction of the changes, behind those that it did not publish so', async () => {
    const process = await start();
    const published = await publish(process, 2);
    expect(await log(process)).toEqual(upTo(2).map((id) => ({ id, position: id })));
    expect(published!.entries().map(({ position, urn }) => [position, urn])).toEqual([
      [1, URN],
      [2, URN],
    ]);
    process.relay.notifyPublished(published!);
    expect(await process.progress.reached('search', 2, 5000)).toBe('caught-up');

    // A command has written beside the service.
    await write(process, 2);
    expect(await publish(process)).toBeUndefined();
    process.relay.notify(5);
    expect(await process.progress.reached('search', 5, 5000)).toBe('caught-up');
    process.relay.notifyPublished((await publish(process))!);
    await until(async () => search.ids.length === 6);
    expect(search.ids).toEqual(upTo(6));
    expect(await log(process)).toEqual(upTo(6).map((id) => ({ id, position: id })));
    expect(process.relay.published).toBe(6);
  });

  it('publishes nothing of a transaction that fails, and no reader waits for it', async () => {
    const process = await start();
    expect(await publish(process, 3, new Error('the disk is full'))).toBeDefined();
    expect(await log(process)).toEqual([]);
    process.relay.notifyPublished((await publish(process))!);
    expect(await process.progress.reached('search', 3, 5000)).toBe('caught-up');
    expect((await log(process)).map(({ position }) => position)).toEqual([1]);
    expect(search.ids).toHaveLength(1);
  });

  it('delivers what was published with its transaction by a process that died right after', async () => {
    const first = await open();
    await first.relay.start();
    await publish(first, 2);
    await end(processes.splice(0)[0]!);

    const second = await start();
    expect(await second.progress.reached('search', 2, 5000)).toBe('caught-up');
    expect(search.ids).toEqual(upTo(2));
  });

  it('publishes later where other processes relay, it has not started, or a consumer fails to choose', async () => {
    const process = await start();
    const others = await open({ alone: false });
    await others.relay.start();
    expect(await publish(others)).toBeUndefined();
    expect(await publish(await open())).toBeUndefined();
    process.relay.notify(2);
    expect(await process.progress.reached('search', 2, 5000)).toBe('caught-up');
    search.choose = () => {
      throw new Error('poison');
    };
    expect(await publish(process)).toBeUndefined();
    expect((await log(process)).map(({ position }) => position)).toEqual([1, 2, 0]);
  });

  it('shares the log among relays: each change once, positions dense', async () => {
    const relays = await Promise.all([1, 2, 3].map(() => open({ alone: false, batch: 20, pollMs: 10 }, 10)));
    for (const { relay } of relays) await relay.start();
    const first = relays[0] as Process;
    for (let i = 0; i < 20; i++) {
      const writer = relays[i % 3] as Process;
      writer.relay.notify(await write(writer, 15));
    }
    await first.runner.start();
    while ((await log(first)).some((row) => row.position === 0)) await new Promise((r) => setImmediate(r));
    await Promise.all(relays.map(({ relay }) => relay.stop()));
    await idle(first.queue, 'search');
    expect((await log(first)).map((row) => row.position)).toEqual(upTo(300));
    expect(search.ids.sort((a, b) => a - b)).toEqual(upTo(300));
  });

  it('notifies later where the queue could not be reached, and no writer waits meanwhile', async () => {
    const process = await start({ pollMs: 20, lostMs: 0 });
    const lines: string[] = [];
    Object.assign(process.relay, {
      logger: { warn: (line: string) => lines.push(line), log: () => undefined },
    });
    const notify = process.queue.notify.bind(process.queue);
    let away = true;
    let refusals = 0;
    process.queue.notify = async (queue, jobs) => {
      if (away) throw new Error(`the queue is unavailable for the time ${++refusals}`);
      return notify(queue, jobs);
    };
    process.relay.notify(await write(process, 3));
    expect(await process.progress.reached('search', 3, 5000)).toBe('failing');
    expect((await log(process)).map((row) => row.position)).toEqual([1, 2, 3]);
    await until(async () => refusals > 3);
    const seen = new Promise<void>((resolve) => (search.before = () => resolve()));
    away = false;
    await seen;
    await idle(process.queue, 'search');
    expect(search.ids).toEqual([1, 2, 3]);
    expect(await process.progress.reached('search', 3, 0)).toBe('caught-up');
    await until(async () => lines.length === 2);
    expect(lines).toEqual([
      'changes could not be published: the queue is unavailable for the time 1',
      'changes are published again',
    ]);
  });

  it('no longer yields to writers that are far ahead, also where others write', async () => {
    const far: boolean[] = [];
    class Throttle extends BackgroundThrottle {
      override async yieldToWriters(_longestMs: number, urgent?: () => boolean): Promise<void> {
        far.push(urgent?.() === true);
      }
    }
    const process = await open({ alone: false, throttle: new Throttle() });
    await write(process, 4_500);
    await process.relay.start();
    await until(async () => process.relay.published === 4_500);
    expect(far).toEqual([false, false, false, true, true]);
  });

  it('redelivers what the queue has lost', async () => {
    // The queue is the table of what is pending: it loses no row, only that it was told of one.
    const process = await start({ pollMs: 20, lostMs: 0, redeliverMs: 20 });
    const notify = process.queue.notify.bind(process.queue);
    process.queue.notify = async () => undefined;
    process.relay.notify(await write(process, 450));
    while ((await log(process)).some((row) => row.position === 0)) await new Promise((r) => setImmediate(r));
    process.queue.notify = notify;
    expect(await process.progress.reached('search', 450, 5000)).toBe('caught-up');
    expect(search.ids.toSorted((a, b) => a - b)).toEqual(upTo(450));
    expect(await new PendingDeliveries(process.database).lag()).toEqual([]);
  });

  it('redelivers also while there is always more to publish', async () => {
    const process = await open({ alone: false, batch: 1, pollMs: 20, lostMs: 0 });
    const told = new Set<string>();
    let redeliveredAt = Infinity;
    process.queue.notify = async (_queue, jobs) => {
      for (const { id } of jobs) {
        if (told.has(id)) redeliveredAt = Math.min(redeliveredAt, process.relay.published);
        told.add(id);
      }
    };
    await write(process, 1000);
    await process.relay.start();
    await until(async () => process.relay.published === 1000);
    expect(redeliveredAt).toBeLessThan(1000);
  });

  it('delivers at once what was published before the clock was set back', async () => {
    const process = await open({ alone: false, pollMs: 20, lostMs: HOUR }, 20);
    await write(process, 3);
    await process.relay.start();
    await until(async () => (await log(process)).every((row) => row.position > 0));
    const ahead = Date.now() + HOUR;
    await process.database.transaction((tx) =>
      tx.run('UPDATE consumer_backlog SET available_at = ?, created_at = ?, lease_until = ?', [
        ...[ahead, ahead, ahead],
      ]),
    );
    await process.runner.start();
    await until(async () => search.ids.length === 3, 10_000);
    expect(await new PendingDeliveries(process.database).lag()).toEqual([]);
  });

  it('delivers what a process published that died before it notified the queue', async () => {
    const dead = await open();
    dead.queue.notify = () => new Promise(() => undefined);
    await write(dead, 450);
    void dead.relay.start();
    while ((await log(dead)).some((row) => row.position === 0)) await new Promise((r) => setImmediate(r));
    // Another process that does not know it is alone, and whose queue has other things to do.
    const other = await open({ alone: false, pollMs: 20, lostMs: 50 });
    await other.queue.enqueue('search', [{ id: 'later', payload: { ranges: [] } }]);
    await other.runner.start();
    await other.relay.start();
    while (search.ids.length < 450) await new Promise((r) => setImmediate(r));
    expect(search.ids.toSorted((a, b) => a - b)).toEqual(upTo(450));
    // The dead one must not keep the test waiting.
    processes.splice(processes.indexOf(dead), 1);
    await dead.database.close();
  });

  it('records pending deliveries for every process', async () => {
    const process = await open();
    const backlog = new PendingDeliveries(process.database);
    await write(process, 450);
    expect(await backlog.state('search')).toEqual({ latest: 450, published: 0, oldestPending: 1 });
    await process.relay.start();
    await process.relay.stop();
    expect(await backlog.state('search')).toEqual({ latest: 450, published: 450, oldestPending: 1 });
    expect(await backlog.lag()).toEqual([
      { consumer: 'search', changes: 450, seconds: expect.any(Number), failing: 0, putAside: 0 },
    ]);
    const next = await start();
    expect(await next.progress.reached('search', Infinity, 5000)).toBe('caught-up');
    expect(await backlog.state('search')).toEqual({ latest: 450, published: 450, oldestPending: Infinity });
    expect(await backlog.lag()).toEqual([]);
  });

  it('waits with its jobs while something that the consumer needs is unavailable, and counts no failure', async () => {
    const process = await start();
    let tries = 0;
    search.before = () => {
      if (++tries <= 2) throw refuse('SEARCH_UNAVAILABLE', 'away');
    };
    process.relay.notify(await write(process, 3));
    // A waiting caller learns of it; the changes have not failed.
    expect(await process.progress.reached('search', 3, 5000)).toBe('unavailable');
    expect(await new PendingDeliveries(process.database).lag()).toMatchObject([
      { changes: 3, failing: 0, putAside: 0 },
    ]);
    expect((await process.queue.stats())['search']).toMatchObject({ active: 1, delayed: 0, failed: 0 });
    await idle(process.queue, 'search');
    expect(search.ids).toEqual([1, 2, 3]);
    expect(await process.progress.reached('search', 3, 0)).toBe('caught-up');
  });

  it('waits with its jobs when the database becomes unavailable before they are crossed off, and does them once', async () => {
    const process = await start();
    const transaction = process.database.transaction.bind(process.database);
    let failures = 0;
    const away: typeof transaction = async (...given) => {
      if (search.ids.length === 0 || failures === 3) return transaction(...given);
      failures++;
      throw refuse('SERVICE_UNAVAILABLE', 'away');
    };
    process.database.transaction = away;
    process.relay.notify(await write(process, 3));
    // A waiting caller learns of it; the changes have not failed.
    expect(await process.progress.reached('search', 3, 5000)).toBe('unavailable');
    expect(await new PendingDeliveries(process.database).lag()).toMatchObject([
      { changes: 3, failing: 0, putAside: 0 },
    ]);
    await idle(process.queue, 'search');
    expect(failures).toBe(3);
    expect(search.ids).toEqual([1, 2, 3]);
    expect(await new PendingDeliveries(process.database).lag()).toEqual([]);
  });

  it('ends although something that the consumer needs is unavailable; the next process goes on', async () => {
    const process = await start();
    const asked = new Promise<void>((resolve) => {
      search.before = () => {
        resolve();
        throw refuse('SEARCH_UNAVAILABLE', 'away');
      };
    });
    process.relay.notify(await write(process, 3));
    await asked;
    process.runner.stop();
    await end(process);
    processes.splice(processes.indexOf(process), 1);
    search.before = () => undefined;
    const next = await start();
    expect(await next.progress.reached('search', Infinity, 5000)).toBe('caught-up');
    expect(search.ids).toEqual([1, 2, 3]);
  });

  it('redelivers a job that the queue has given up', async () => {
    const process = await start({ pollMs: 20, redeliverMs: 0, lostMs: 0 }, 1);
    let runs = 0;
    search.before = () => {
      if (++runs <= 3) throw new Error('broken');
    };
    process.relay.notify(await write(process, 1));
    while (search.ids.length === 0) await new Promise((r) => setImmediate(r));
    expect(await process.progress.reached('search', 1, 5000)).toBe('caught-up');
  });

  it('finds changes by polling without a notification', async () => {
    const process = await start({ pollMs: 10 });
    const seen = new Promise<void>((resolve) => (search.before = () => resolve()));
    await write(process);
    await seen;
  });

  it('refuses consumers that share a name', async () => {
    consumers.push(new Recorder('search'));
    const process = await open();
    await expect(process.relay.start()).rejects.toThrow('search');
    await expect(process.runner.start()).rejects.toThrow('search');
  });

  it('ignores a notification in a process whose relay is not started', async () => {
    const process = await open();
    process.relay.notify(await write(process));
    expect(await log(process)).toEqual([{ id: 1, position: 0 }]);
    expect(process.progress.toPublish()).toEqual([]);
  });

  it('shows each writer its own write under a constant stream of others', async () => {
    const process = await start();
    let writing = true;
    const others = Array.from({ length: 4 }, async () => {
      while (writing) process.relay.notify(await write(process, 3));
    });
    for (let i = 0; i < 50; i++) {
      const id = await write(process);
      process.relay.notify(id);
      expect(await process.progress.reached('search', id, 5000)).toBe('caught-up');
      expect(search.ids).toContain(id);
    }
    writing = false;
    await Promise.all(others);
  });

  it('waits for what a killed process left unpublished', async () => {
    const killed = await open();
    await write(killed, 2500);
    const process = await start();
    expect(process.progress.latest).toBe(2500);
    expect(await process.progress.reached('search', Infinity, 5000)).toBe('caught-up');
    expect(search.ids).toEqual(upTo(2500));
  });

  it('waits for what a killed process left in the queue, taken or not', async () => {
    const killed = await open({ chunk: 1 });
    await killed.relay.start();
    killed.relay.notify(await write(killed, 50));
    await killed.relay.stop();
    await killed.database.transaction((tx) =>
      tx.run('UPDATE consumer_backlog SET lease_until = ?, attempts = 1 WHERE job < ?', [
        Date.now() + HOUR,
        'search-0000000000000010',
      ]),
    );
    const process = await start();
    expect(await process.progress.reached('search', Infinity, 5000)).toBe('caught-up');
    expect(search.ids.sort((a, b) => a - b)).toEqual(upTo(50));
  });

  it('isolates a change that the consumer fails on, and does not wait for it', async () => {
    const process = await start({ chunk: 1 });
    let broken = true;
    search.before = (ids) => {
      if (broken && ids.includes(3)) throw new Error('poison');
    };
    process.relay.notify(await write(process, 5));
    expect(await process.progress.reached('search', 5, 5000)).toBe('failing');
    expect(new Set(search.ids)).toEqual(new Set([1, 2, 4, 5]));
    broken = false;
    await idle(process.queue, 'search');
    expect(await process.progress.reached('search', 5, 5000)).toBe('caught-up');
    expect(new Set(search.ids)).toEqual(new Set(upTo(5)));
  });
});
