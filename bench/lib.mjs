import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** What a script of the package gives to Node: the service is measured as it is started. */
export const nodeOptions = (script) => scripts[script].split(' ').filter((word) => word.startsWith('--'));

export const TOKEN = 'bench-administrator';

export const tempFolder = () => mkdtempSync(join(tmpdir(), 'catalog-bench-'));
export const removeFolder = (folder) => rmSync(folder, { recursive: true, force: true });

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** What runs. A measurement that fails leaves nothing of it. */
const started = new Set();
process.once('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** How often a start is tried again because its port was taken before the program listened there. */
const STARTS = 5;
const TAKEN = /another process listens there already|EADDRINUSE/;

/**
 * Starts a program and resolves, with the milliseconds it took, when its port answers `path` with 200.
 * @throws Error when the program ends before
 */
export async function startProgram(script, environment, path, nodeOptions = []) {
  for (let tries = 1; ; tries += 1) {
    const port = await getPort();
    const began = performance.now();
    const child = spawn(process.execPath, [...nodeOptions, script], {
      cwd: ROOT,
      env: { ...process.env, PORT: String(port), HOST: '127.0.0.1', ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let taken = false;
    child.stderr.on('data', (text) => {
      taken ||= TAKEN.test(text);
      process.stderr.write(text);
    });
    started.add(child);
    child.once('exit', () => started.delete(child));
    const url = `http://127.0.0.1:${port}`;
    if (await readyAt(url + path, child))
      return { url, pid: child.pid, readyMs: performance.now() - began, stop: stopping(child) };
    if (!taken || tries === STARTS)
      throw new Error(`${script} ended with ${child.exitCode ?? child.signalCode}`);
  }
}

/** Whether the address answers 200 before the program ends; everything that an ended one wrote has been read by then. */
async function readyAt(url, child) {
  let ended = false;
  const closed = once(child, 'close').then(() => (ended = true));
  while (!ended) {
    // A process that took the port may accept and never answer.
    if (await Promise.race([answers(url), closed.then(() => false)])) return true;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return false;
}

const stopping = (child) => () =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });

export const startCatalog = (home, environment = {}) =>
  startProgram(
    'dist/main.js',
    { CATALOG_HOME: home, CATALOG_ADMIN_TOKEN: TOKEN, CATALOG_LOG_LEVEL: 'warn', ...environment },
    '/health/ready',
    nodeOptions(environment.CATALOG_DATABASE_URL ? 'start:server' : 'start'),
  );

/** A process that only follows the log; needs servers. */
export const startWorker = (home, environment) =>
  startProgram(
    'dist/worker.js',
    { CATALOG_HOME: home, CATALOG_ADMIN_TOKEN: TOKEN, CATALOG_LOG_LEVEL: 'warn', ...environment },
    '/health/ready',
    nodeOptions('start:worker'),
  );

function answers(url) {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}

export function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
}

/** Processor time of all threads of a process until now, milliseconds: as the scheduler counts it, not by clock ticks. */
export const processorMs = (pid) =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (ms, thread) =>
      ms + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6,
    0,
  );

const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });

/** One request over a kept connection; resolves with the body. */
export function call(url, { method = 'GET', body, token = TOKEN } = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        method,
        agent,
        headers: {
          authorization: `Bearer ${token}`,
          'x-restli-protocol-version': '2.0.0',
          ...(body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {}),
        },
      },
      (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`${method} ${url}: ${response.statusCode} ${text.slice(0, 500)}`));
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Requests per second of `send(call, caller)`, called by `workers` callers for `count` calls in all. */
export async function rate(send, count, workers) {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: workers }, async (_, caller) => {
      while (next < count) await send(next++, caller);
    }),
  );
  return (count / (performance.now() - began)) * 1000;
}

/** A dataset of ten columns as proposals: what a crawler sends of a table. */
export function datasetProposals(i) {
  const urn = `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${i % 50}.table_${i},PROD)`;
  const stamp = { time: 1750000000000, actor: 'urn:li:corpuser:crawler' };
  const aspects = {
    status: { removed: false },
    datasetProperties: {
      name: `table_${i}`,
      description: `Rows about subject ${i % 977} of area ${i % 50}, kept for the reports of team ${i % 31}.`,
      customProperties: { owner_team: `team-${i % 31}`, refreshed: 'daily' },
      tags: [],
    },
    schemaMetadata: {
      schemaName: `shop.area_${i % 50}.table_${i}`,
      platform: 'urn:li:dataPlatform:postgres',
      version: 0,
      hash: '',
      created: stamp,
      lastModified: stamp,
      platformSchema: { 'com.linkedin.schema.MySqlDDL': { tableSchema: '' } },
      fields: Array.from({ length: 10 }, (_, k) => ({
        fieldPath: `column_${(i * 7 + k) % 400}_${k}`,
        nullable: k > 0,
        description: `What column ${k} says about subject ${i % 977}`,
        type: { type: { [`com.linkedin.schema.${k % 2 ? 'StringType' : 'NumberType'}`]: {} } },
        nativeDataType: k % 2 ? 'varchar(255)' : 'bigint',
        recursive: false,
        isPartOfKey: k === 0,
      })),
    },
    ownership: {
      owners: [{ owner: `urn:li:corpuser:user${i % 40}`, type: 'TECHNICAL_OWNER' }],
      ownerTypes: {},
      lastModified: stamp,
    },
    globalTags: { tags: [{ tag: `urn:li:tag:tag${i % 25}` }] },
    subTypes: { typeNames: ['Table'] },
  };
  return Object.entries(aspects).map(([aspectName, value]) => ({
    entityType: 'dataset',
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: 'application/json' },
    systemMetadata: { lastObserved: 1750000000000, runId: 'bench' },
  }));
}

export const DATASET_ASPECTS = datasetProposals(0).length;

/** Tries again, as clients do, what a busy machine was refused. */
export async function patiently(send, attempts = 60) {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if ((attempts -= 1) === 0 || !error.message.includes(': 503 ')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

/** Loads datasets `from` to `to` by batches of 200 proposals over a few connections; proposals per second. */
export async function load(url, from, to, workers = 4) {
  const bodies = batchBodies(from, to);
  const batches = await rate(
    (i) =>
      patiently(() => call(`${url}/aspects?action=ingestProposalBatch`, { method: 'POST', body: bodies[i] })),
    bodies.length,
    workers,
  );
  return (batches * (to - from) * DATASET_ASPECTS) / bodies.length;
}

/** Bodies of batches of 200 proposals. */
export function batchBodies(from, to) {
  const bodies = [];
  let batch = [];
  for (let i = from; i < to; i += 1) {
    batch.push(...datasetProposals(i));
    if (batch.length >= 200 || i === to - 1) {
      bodies.push(JSON.stringify({ proposals: batch, async: 'false' }));
      batch = [];
    }
  }
  return bodies;
}

/** Resolves when the index has everything that was written before. */
export async function search(url, input) {
  const body = JSON.stringify({ entity: 'dataset', input, start: 0, count: 10 });
  for (let tries = 1; ; tries += 1) {
    try {
      return await call(`${url}/entities?action=search`, { method: 'POST', body });
    } catch (error) {
      // On a busy machine the index may need longer than a search waits for it.
      if (tries === 20 || !error.message.includes('SEARCH_UNAVAILABLE')) throw error;
    }
  }
}
