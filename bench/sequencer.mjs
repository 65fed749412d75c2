// How fast the change log is given its positions and consumed, on a real MySQL or MariaDB: rows of the log are made in
// bulk, so that nothing else limits it. STACK_DATABASE_URL=mysql://… npm run bench -- sequencer; the queue is Bull with
// STACK_REDIS_URL, else a table. Consumers do nothing with what they read: what an index or another consumer costs
// is not in it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { createConnection } from 'mysql2/promise';
import { freshDatabase } from './servers.mjs';
import { MysqlDatabase } from '../dist/adapters/database/mysql/mysql-database.js';
import { BullJobQueue } from '../dist/adapters/queue/bull/index.js';
import { TableJobQueue } from '../dist/adapters/queue/table/index.js';
import { OutboxRelay } from '../dist/modules/change-log/outbox-relay.js';
import { PendingDeliveries } from '../dist/modules/change-log/pending-deliveries.js';
import { ConsumerProgress } from '../dist/modules/change-log/consumer-progress.js';
import { ConsumerRunner } from '../dist/modules/change-log/consumer-runner.js';

const SERVER = process.env.STACK_DATABASE_URL;
if (!SERVER) throw new Error('STACK_DATABASE_URL is not set: mysql://user:password@host:port/database');
const CHANGES = Number(process.env.CHANGES ?? 100_000);
const ENTITIES = Number(process.env.ENTITIES ?? 10_000);
const RATE = Number(process.env.RATE ?? 10_000);
const SECONDS = Number(process.env.SECONDS ?? 10);
/** Logs beside each other, as partitions of one would be. */
const PARTITIONS = Number(process.env.PARTITIONS ?? 2);
/** Rows of one statement that fills the log. */
const BULK = 1000;

Logger.overrideLogger(['error', 'warn']);

/** One catalog's log with its relay and consumers; `wants` as the consumers of the service do. */
async function openLog() {
  const own = await freshDatabase(SERVER);
  const database = await MysqlDatabase.open(new URL(own.url));
  const filler = await createConnection(own.url);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => database.all('SELECT SLEEP(0.1) AS nothing')));
  const backlog = new PendingDeliveries(database);
  const progress = new ConsumerProgress();
  const queue = process.env.STACK_REDIS_URL
    ? new BullJobQueue({
        redisUrl: process.env.STACK_REDIS_URL,
        prefix: `bench${randomBytes(6).toString('hex')}`,
      })
    : new TableJobQueue(database, { pollMs: 50 });
  queue.countTriesIn?.(database);
  let consumed = 0;
  const consumers = [
    {
      name: 'search-index',
      wants: () => true,
      consume: async (entries) => void (consumed += entries.length),
    },
    {
      name: 'structured-properties',
      wants: ({ entityType }) => entityType === 'structuredProperty',
      consume: async () => undefined,
    },
    {
      name: 'reference-cleanup',
      wants: ({ changeType }) => changeType === 'DELETE',
      consume: async () => undefined,
    },
  ];
  await filler.query(
    `INSERT INTO entity (urn, type, sequence, live, removed, created_at, created_by) VALUES ?`,
    [
      Array.from({ length: ENTITIES }, (_, i) => [
        `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${i % 50}.table_${i},PROD)`,
        'dataset',
        1,
        1,
        0,
        1,
        'urn:li:corpuser:bench',
      ]),
    ],
  );
  const [[{ first }]] = await filler.query('SELECT MIN(id) AS first FROM entity');
  let made = 0;
  return {
    database,
    name: own.name,
    consumed: () => consumed,
    made: () => made,
    relay: () => new OutboxRelay(database, backlog, queue, consumers, progress),
    runner: () =>
      new ConsumerRunner(database, backlog, queue, consumers, progress, { batch: 100, entries: 1000 }),
    /** So many changes in one commit. */
    async fill(count) {
      const now = Date.now();
      const rows = Array.from({ length: count }, (_, k) => [
        first + ((made + k) % ENTITIES),
        'datasetProperties',
        'UPSERT',
        made + k + 1,
        1,
        2,
        'urn:li:corpuser:bench',
        now,
        'bench',
        0,
      ]);
      await filler.query(
        'INSERT INTO change_log (entity_id, aspect, change_type, sequence, version_before, version_after, actor, time, run_id, position) VALUES ?',
        [rows],
      );
      made += count;
    },
    async scalar(sql) {
      const [row] = await database.all(sql);
      return Number(Object.values(row)[0]);
    },
    async close() {
      await queue.close();
      await filler.end();
      await database.close();
      await own.drop();
    },
  };
}

/** Connections of a log that are opened before anything is measured. */
const CONNECTIONS = 8;

/**
 * Seconds of processor time that a MariaDB on this machine has used for each connection to these logs; none of any other
 * server. What its own threads do, such as writing pages, is not in it.
 */
async function serverThreads(logs) {
  const used = new Map();
  try {
    for (const { database, name } of logs) {
      const [{ file }] = await database.all('SELECT @@pid_file AS file');
      const pid = readFileSync(file, 'utf8').trim();
      const threads = await database.all(
        'SELECT tid AS thread FROM information_schema.processlist WHERE db = ?',
        [name],
      );
      for (const { thread } of threads) {
        const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1].split(' ');
        used.set(thread, (Number(stat[11]) + Number(stat[12])) / 100);
      }
    }
  } catch {
    return new Map();
  }
  return used;
}

/** Does `work`; seconds, and what of the processor each side used. */
async function measured(logs, work) {
  const [before, own, began] = [await serverThreads(logs), process.cpuUsage(), performance.now()];
  await work();
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(own);
  let server = before.size === 0 ? NaN : 0;
  // A thread that serves a connection opened meanwhile has a past of its own.
  for (const [thread, used] of await serverThreads(logs)) server += used - (before.get(thread) ?? used);
  return { seconds, own: (user + system) / 1e6, server };
}

function line(what, changes, { seconds, own, server }) {
  const micros = (s) => `${((s * 1e6) / changes).toFixed(1)} us`;
  console.log(
    `${what}: ${(changes / seconds).toFixed(0)} changes/s; of the processor for each ${micros(own)} here, ${micros(server)} on the server`,
  );
}

const until = async (holds) => {
  while (!(await holds())) await sleep(10);
};

async function filled(log, count) {
  for (let left = count; left > 0; left -= BULK) await log.fill(Math.min(BULK, left));
}

/** Publishes what is there with so many relays, as that many processes would. */
async function publish(log, relays) {
  const from = relays.map((relay) => relay.published).reduce((a, b) => a + b, 0);
  const all = Array.from(relays);
  for (const relay of all) await relay.start();
  await until(() => all.reduce((sum, relay) => sum + relay.published, 0) - from >= CHANGES);
  for (const relay of all) await relay.stop();
}

async function alone() {
  const log = await openLog();
  try {
    await filled(log, CHANGES);
    line('positions, one relay', CHANGES, await measured([log], () => publish(log, [log.relay()])));
    const runner = log.runner();
    line(
      'consumers, one process',
      CHANGES,
      await measured([log], async () => {
        await runner.start();
        await until(() => log.consumed() >= CHANGES);
      }),
    );
    runner.stop();
    await filled(log, CHANGES);
    line(
      'positions, two relays of one log, consumers beside them',
      CHANGES,
      await measured([log], () => publish(log, [log.relay(), log.relay()])),
    );
    const wrong = await log.scalar(
      'SELECT COUNT(*) - COUNT(DISTINCT position) + ABS(MAX(position) - COUNT(*)) FROM change_log',
    );
    if (wrong !== 0) throw new Error('positions are not dense');
  } finally {
    await log.close();
  }
}

/** Rows come at a fixed rate; how far the positions and the consumers are behind. */
async function atRate(rate) {
  const log = await openLog();
  try {
    const [relay, runner] = [log.relay(), log.runner()];
    await runner.start();
    await relay.start();
    const behind = { positions: [], consumers: [] };
    const cost = await measured([log], async () => {
      const began = performance.now();
      const every = 20;
      for (let tick = 1; performance.now() - began < SECONDS * 1000; tick++) {
        const due = Math.floor((Math.min(tick * every, SECONDS * 1000) * rate) / 1000);
        while (log.made() < due) await log.fill(Math.min(200, due - log.made()));
        relay.notify(log.made());
        if (tick % 10 === 0) {
          behind.positions.push(log.made() - relay.published);
          behind.consumers.push(log.made() - log.consumed());
        }
        await sleep(Math.max(0, began + tick * every - performance.now()));
      }
    });
    const at = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];
    const ends = behind.positions.slice(-5);
    line(`at ${rate} a second for ${SECONDS} s: written`, log.made(), cost);
    console.log(
      `  behind: positions p50 ${at(behind.positions, 0.5)}, p99 ${at(behind.positions, 0.99)}, at the end ${at(ends, 0.5)}; ` +
        `consumers p50 ${at(behind.consumers, 0.5)}, p99 ${at(behind.consumers, 0.99)}, at the end ${at(behind.consumers.slice(-5), 0.5)}`,
    );
    await relay.stop();
    runner.stop();
  } finally {
    await log.close();
  }
}

/** Several logs with a relay each: what positions by partition would do. */
async function partitioned() {
  const logs = [];
  try {
    for (let n = 0; n < PARTITIONS; n++) logs.push(await openLog());
    for (const log of logs) await filled(log, CHANGES);
    const cost = await measured(logs, () => Promise.all(logs.map((log) => publish(log, [log.relay()]))));
    line(`positions, ${PARTITIONS} logs with a relay each, in one process`, CHANGES * PARTITIONS, cost);
  } finally {
    for (const log of logs) await log.close();
  }
}

await alone();
for (const rate of new Set([RATE / 4, RATE])) await atRate(rate);
await partitioned();
