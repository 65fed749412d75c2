// OpenAPI v3: a read of one entity, a batch of 1,000 aspects, and a long walk by scroll id, each against its yardstick
// in the same run.
import { spawn } from 'node:child_process';
import {
  call,
  datasetProposals,
  load,
  median,
  rate,
  removeFolder,
  search,
  startCatalog,
  tempFolder,
} from './lib.mjs';

const READS = Number(process.env.COUNT ?? 8_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Entities of the walk; COUNT=100000 is what the floor is meant for. */
const WALK = Number(process.env.WALK ?? 20_000);
const PAGE = Number(process.env.PAGE ?? 200);
const WORKERS = 16;

const urn = (i) => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${i % 50}.table_${i},PROD)`;

async function reads(catalog) {
  const path = (i) => `/openapi/v3/entity/dataset/${encodeURIComponent(urn(i % 2_000))}`;
  const bytes = await call(catalog.url + path(7));
  const bare = spawn(
    process.execPath,
    [
      '-e',
      `const body = Buffer.from(process.env.BYTES);
       const server = require('node:http').createServer((request, response) => {
         response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
         response.end(body);
       }).listen(0, '127.0.0.1', () => console.log(server.address().port));`,
    ],
    { env: { ...process.env, BYTES: bytes }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const port = await new Promise((resolve) => bare.stdout.once('data', (text) => resolve(Number(text))));
  const ratios = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const ours = await rate((i) => call(catalog.url + path(i)), READS, WORKERS);
    const theirs = await rate((i) => call(`http://127.0.0.1:${port}${path(i)}`), READS, WORKERS);
    if (round > 0) ratios.push(ours / theirs);
  }
  bare.kill();
  console.log(`v3 read: ${median(ratios).toFixed(2)} x a bare HTTP server with the same bytes (floor: 0.5)`);
}

/** The same 1,000 aspects of new entities through both endpoints, one after the other. */
async function batches(catalog) {
  const ratios = [];
  let next = 1_000_000;
  const fresh = () => {
    const proposals = [];
    while (proposals.length < 1_000) proposals.push(...datasetProposals((next += 1)));
    return proposals.slice(0, 1_000);
  };
  const timed = async (path, body) => {
    const began = performance.now();
    await call(catalog.url + path, { method: 'POST', body: JSON.stringify(body) });
    return performance.now() - began;
  };
  for (let round = 0; round <= 3 * ROUNDS; round += 1) {
    const theirs = await timed('/aspects?action=ingestProposalBatch', { proposals: fresh() });
    const items = fresh().map(({ entityUrn, aspectName, aspect, systemMetadata }) => ({
      urn: entityUrn,
      [aspectName]: { value: JSON.parse(aspect.value), systemMetadata },
    }));
    const ours = await timed('/openapi/v3/entity/dataset?async=false', items);
    if (round > 0) ratios.push(theirs / ours);
  }
  console.log(`v3 batch of 1,000 aspects: ${median(ratios).toFixed(2)} x ingestProposalBatch (floor: 0.8)`);
}

async function walk(catalog) {
  const began = performance.now();
  const times = [];
  let scrollId;
  let seen = 0;
  do {
    const more = scrollId === undefined ? '' : `&scrollId=${encodeURIComponent(scrollId)}`;
    const start = performance.now();
    const text = await call(
      `${catalog.url}/openapi/v3/entity/dataset?aspects=datasetKey&count=${PAGE}${more}`,
    );
    times.push(performance.now() - start);
    const page = JSON.parse(text);
    seen += page.entities.length;
    scrollId = page.scrollId ?? undefined;
  } while (scrollId !== undefined);
  const seconds = (performance.now() - began) / 1000;
  const tenth = Math.floor(times.length / 10);
  const sum = (part) => part.reduce((a, b) => a + b, 0);
  const ratio = sum(times.slice(0, tenth)) / sum(times.slice(-tenth - 1, -1));
  console.log(`v3 walk over ${seen} entities: ${(seen / seconds).toFixed(0)}/s`);
  return ratio;
}

/** A search says so when the index is behind the writes. */
async function caughtUp(catalog) {
  for (;;) {
    try {
      await search(catalog.url, 'table_1');
      return;
    } catch (error) {
      if (!String(error).includes('SEARCH_UNAVAILABLE')) throw error;
    }
  }
}

const home = tempFolder();
const catalog = await startCatalog(home);
await load(catalog.url, 0, 2_000);
await reads(catalog);
await batches(catalog);
await load(catalog.url, 2_000, WALK);
await caughtUp(catalog);
await walk(catalog);
const ratios = [];
for (let round = 0; round < Math.min(ROUNDS, 3); round += 1) ratios.push(await walk(catalog));
console.log(`v3 walk: the last tenth at ${median(ratios).toFixed(2)} x the first tenth's rate (floor: 0.9)`);
await catalog.stop();
removeFolder(home);
