// What callers with the dearest requests that limits allow do to the others: sixteen of them at once, and beside them
// one that asks whether the service is alive. ONLY=<text> runs the cases that have it in their name.
import http from 'node:http';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CASES, EVENTS, HUB, SPOKES } from './fairness-cases.mjs';
import {
  call,
  load,
  removeFolder,
  residentMegabytes,
  search,
  startCatalog,
  tempFolder,
  TOKEN,
} from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 5);
const CALLERS = Number(process.env.CALLERS ?? 16);
/** Floors: the longest answer of `/health/live`, and the 99th percentile of the delay of the event loop. */
const LIVE_MS = 250;
const LOOP_MS = 200;
/** Codes of a connection that was closed while the body was sent. */
const CLOSED = new Set(['EPIPE', 'ECONNRESET']);

const folder = process.env.LOADED ? join(process.env.LOADED, `fairness-${DATASETS}`) : tempFolder();
const catalog = await startCatalog(folder);
if (!(await isLoaded())) {
  await load(catalog.url, 0, DATASETS);
  await loadHub();
}
await search(catalog.url, '*');

const agent = new http.Agent({ keepAlive: true, maxSockets: CALLERS });
const probe = await startProbe();
console.log(
  `${DATASETS} datasets, ${CALLERS} callers, ${SECONDS} s a case; floors: live ${LIVE_MS} ms, loop p99 ${LOOP_MS} ms`,
);
for (const { name, before, request } of CASES) {
  if (process.env.ONLY && !name.includes(process.env.ONLY)) continue;
  for (const each of before?.() ?? []) {
    const { outcome } = await timed(each);
    if (!outcome.startsWith('20')) throw new Error(`${name}: what it asks of was answered with ${outcome}`);
  }
  const alone = await timed(request(0));
  const { live, loop, answers } = await under(request);
  const floors = live.max <= LIVE_MS && loop.p99 <= LOOP_MS ? '' : '  ABOVE THE FLOOR';
  console.log(
    `${name}: alone ${alone.ms.toFixed(0)} ms (${alone.outcome}); ${answers}; live ${live.median.toFixed(0)} / ` +
      `${live.max.toFixed(0)} ms; loop p99 ${loop.p99.toFixed(0)}, max ${loop.max.toFixed(0)} ms; ` +
      `${residentMegabytes(catalog.pid).toFixed(0)} MB${floors}`,
  );
}
await probe.terminate();
await catalog.stop();
if (!process.env.LOADED) removeFolder(folder);

/** The callers for some seconds, and what the others noticed until the last answer. */
async function under(request) {
  const counts = new Map();
  await loopDelay();
  await asked('begin');
  const until = performance.now() + SECONDS * 1000;
  let next = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (performance.now() < until) {
        const { outcome } = await timed(request((next += 1)));
        counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      }
    }),
  );
  const live = await asked('end');
  const answers = [...counts].map(([outcome, count]) => `${count} x ${outcome}`).join(', ');
  return { live, loop: await loopDelay(), answers };
}

/**
 * How long a request took, and its status; of GraphQL also the code of its first error. A service may answer and close the connection
 * before it has read the body: that ends one request, by its answer, or by the fault where none came.
 */
function timed({ path, body }) {
  const began = performance.now();
  const text = body === undefined ? '' : JSON.stringify(body);
  const method = body === undefined ? 'GET' : 'POST';
  return new Promise((resolve, reject) => {
    const end = (...outcome) =>
      resolve({ ms: performance.now() - began, outcome: outcome.filter(Boolean).join(' ') });
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'x-restli-protocol-version': '2.0.0',
    };
    const request = http.request(catalog.url + path, { method, agent, headers });
    let answered = false;
    request.on('response', (response) => {
      answered = true;
      let start = '';
      response.on('data', (chunk) => (start.length < 4096 ? (start += chunk) : undefined));
      response.on('error', () => undefined);
      response.on('close', () => {
        const code = /"(?:errorCode|code)":"([A-Z_]+)"/.exec(start.slice(0, 4096))?.[1];
        end(response.statusCode, code, !response.complete && 'cut off');
      });
    });
    request.on('error', (error) => {
      if (!CLOSED.has(error.code)) reject(error);
      else if (!answered) end(error.code);
    });
    request.end(text);
  });
}

/** What the service says of its event loop since it was last asked. */
async function loopDelay() {
  const text = await call(`${catalog.url}/metrics`);
  const of = (name) =>
    1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds(?:{.*})? (\\S+)`, 'm').exec(text)?.[1]);
  return { p99: of('p99'), max: of('max') };
}

async function isLoaded() {
  const urns = encodeURIComponent(HUB);
  return call(`${catalog.url}/entitiesV2/${urns}`).then(
    () => true,
    () => false,
  );
}

/** One dataset that many are made from. */
async function loadHub() {
  const proposal = (entityUrn, aspectName, value) => ({
    entityType: 'dataset',
    entityUrn,
    changeType: 'UPSERT',
    aspectName,
    aspect: { value: JSON.stringify(value), contentType: 'application/json' },
  });
  const upstreams = [
    {
      dataset: HUB,
      type: 'TRANSFORMED',
      auditStamp: { time: 1750000000000, actor: 'urn:li:corpuser:crawler' },
    },
  ];
  const of = (i) => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${i % 50}.table_${i},PROD)`;
  for (let from = 0; from < Math.min(SPOKES, DATASETS); from += 200) {
    const spokes = Array.from({ length: 200 }, (_, k) =>
      proposal(of(from + k), 'upstreamLineage', { upstreams }),
    );
    const body = JSON.stringify({ proposals: spokes, async: 'false' });
    await call(`${catalog.url}/aspects?action=ingestProposalBatch`, { method: 'POST', body });
  }
  for (let from = 0; from < EVENTS; from += 250) {
    const events = Array.from({ length: 250 }, (_, k) => proposal(HUB, 'datasetProfile', profile(from + k)));
    const body = JSON.stringify({ proposals: events, async: 'false' });
    await call(`${catalog.url}/aspects?action=ingestProposalBatch`, { method: 'POST', body });
  }
  const body = JSON.stringify({ proposal: proposal(HUB, 'datasetProperties', { name: 'hub' }) });
  await call(`${catalog.url}/aspects?action=ingestProposal`, { method: 'POST', body });
}

function profile(i) {
  const fieldProfiles = Array.from({ length: 25 }, (_, k) => ({
    fieldPath: `column_${k}`,
    ...{ uniqueCount: 1000 + k, nullCount: 3, min: '1', max: '99999', mean: '500.5', median: '499' },
    sampleValues: ['alpha', 'beta', 'gamma', 'delta', 'epsilon'],
  }));
  return { timestampMillis: 1_700_000_000_000 + i * 1000, rowCount: i, columnCount: 25, fieldProfiles };
}

/** In a thread of its own: large answers keep this one busy, and that would count as the service's. */
async function startProbe() {
  const worker = new Worker(new URL('fairness-probe.mjs', import.meta.url), {
    workerData: { url: `${catalog.url}/health/live` },
  });
  await new Promise((resolve, reject) => worker.once('online', resolve).once('error', reject));
  return worker;
}

function asked(what) {
  return new Promise((resolve) => {
    probe.once('message', resolve);
    probe.postMessage(what);
  });
}
