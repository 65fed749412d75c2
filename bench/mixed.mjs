// Reads beside searches beside ingest in one service: what each kind of caller notices of the others, against the same
// reads while no other client is there; and how soon what is ingested is found.
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CASES } from './fairness-cases.mjs';
import {
  call,
  DATASET_ASPECTS,
  datasetProposals,
  load,
  median,
  removeFolder,
  search,
  startCatalog,
  tempFolder,
  TOKEN,
} from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 100_000);
const SECONDS = Number(process.env.SECONDS ?? 5);
const CALLERS = Number(process.env.CALLERS ?? 16);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Those of the fairness cases that cost the index the most. */
const WORST = CASES.filter(({ name }) => /^(search: (common|25|90|500|900)|browse)/.test(name));

const folder = process.env.LOADED ? join(process.env.LOADED, `fairness-${DATASETS}`) : tempFolder();
const catalog = await startCatalog(folder);
const found = JSON.parse(await search(catalog.url, '*')).value.numEntities;
if (found < DATASETS) await load(catalog.url, 0, DATASETS);
await search(catalog.url, '*');

const urn = datasetProposals(0)[0].entityUrn;
const probe = new Worker(new URL('mixed-probe.mjs', import.meta.url), {
  workerData: { url: `${catalog.url}/entitiesV2/${encodeURIComponent(urn)}`, token: TOKEN },
});
await new Promise((resolve, reject) => probe.once('online', resolve).once('error', reject));

let next = DATASETS;
const company = {
  idle: async () => new Promise((resolve) => setTimeout(resolve, SECONDS * 1000)),
  searches: (until) => callers(CALLERS, until, (i) => worst(i)),
  ingest: (until) => callers(2, until, () => batch()),
  both: (until) => Promise.all([company.searches(until), company.ingest(until)]),
};
const times = Object.fromEntries(Object.keys(company).map((name) => [name, { p50: [], p99: [], loop: [] }]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, beside] of Object.entries(company)) {
    await loopP99();
    await asked('begin');
    await beside(performance.now() + SECONDS * 1000);
    const { p50, p99 } = await asked('end');
    times[name].p50.push(p50);
    times[name].p99.push(p99);
    times[name].loop.push(await loopP99());
    await search(catalog.url, 'table_1');
  }
}
await probe.terminate();
await catalog.stop();
if (!process.env.LOADED) removeFolder(folder);
const idle = median(times.idle.p99);
for (const [name, { p50, p99, loop }] of Object.entries(times)) {
  const ratio =
    name === 'idle' ? '' : ` = ${(median(p99) / idle).toFixed(1)} x idle (floor: 2 beside searches)`;
  console.log(
    `read beside ${name}: p50 ${median(p50).toFixed(1)} ms, p99 ${median(p99).toFixed(1)} ms${ratio}; ` +
      `event loop p99 ${median(loop).toFixed(0)} ms (floor: 20 beside searches)`,
  );
}
console.log(`ingest: visible ${(await visible()).toFixed(2)} x answered (floor: 0.8)`);

async function callers(count, until, send) {
  let i = 0;
  await Promise.all(
    Array.from({ length: count }, async () => {
      while (performance.now() < until) await send((i += 1));
    }),
  );
}

/** What is refused as too costly, or because too many wait, is an answer as well. */
function worst(i) {
  const { path, body } = WORST[i % WORST.length].request(i);
  return call(catalog.url + path, { method: 'POST', body: JSON.stringify(body) }).catch(() => undefined);
}

function batch() {
  const proposals = Array.from({ length: 30 }, () => datasetProposals((next += 1))).flat();
  const body = JSON.stringify({ proposals, async: 'false' });
  return call(`${catalog.url}/aspects?action=ingestProposalBatch`, { method: 'POST', body });
}

/** Proposals a second until all are found, against proposals a second until all are answered, on an empty catalog. */
async function visible() {
  const ratios = [];
  const count = 8_000;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const home = tempFolder();
    const empty = await startCatalog(home);
    await load(empty.url, 1_000_000, 1_000_100);
    const began = performance.now();
    const answered = await load(empty.url, 0, count, 8);
    await search(empty.url, 'table_1');
    const perSecond = ((count * DATASET_ASPECTS) / (performance.now() - began)) * 1000;
    await empty.stop();
    removeFolder(home);
    console.log(`  answered ${answered.toFixed(0)}, visible ${perSecond.toFixed(0)} proposals/s`);
    if (round > 0) ratios.push(perSecond / answered);
  }
  return median(ratios);
}

/** Milliseconds, since it was last asked. */
async function loopP99() {
  const text = await call(`${catalog.url}/metrics`);
  return 1000 * Number(/^nodejs_eventloop_lag_p99_seconds(?:{.*})? (\S+)/m.exec(text)?.[1]);
}

function asked(what) {
  return new Promise((resolve) => {
    probe.once('message', resolve);
    probe.postMessage(what);
  });
}
