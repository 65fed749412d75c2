// The change feed: reading the log, idle streams, and how soon a commit is seen.
import { spawn } from 'node:child_process';
import http from 'node:http';
import {
  call,
  datasetProposals,
  load,
  median,
  processorMs,
  rate,
  removeFolder,
  residentMegabytes,
  search,
  startCatalog,
  startWorker,
  tempFolder,
  TOKEN,
} from './lib.mjs';
import { freshDatabase } from './servers.mjs';

const DATASETS = Number(process.env.DATASETS ?? 12_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const STREAMS = Number(process.env.STREAMS ?? 200);
const ONLY = process.env.ONLY;
/** Answers that both servers have given before they are compared: V8 has compiled then what answers. */
const WARM = 1_000;
const TOPIC = process.env.TOPIC ?? 'MetadataChangeLog_Versioned_v1';

const { STACK_DATABASE_URL, STACK_REDIS_URL, STACK_SEARCH_URL } = process.env;

const home = tempFolder();
const workerHome = tempFolder();
const secondHome = tempFolder();
// On servers one process takes writes, a second one serves the stream whose delay is measured, a worker follows the log.
const database = STACK_DATABASE_URL ? await freshDatabase(STACK_DATABASE_URL) : undefined;
const servers = database && {
  CATALOG_DATABASE_URL: database.url,
  CATALOG_REDIS_URL: STACK_REDIS_URL,
  CATALOG_SEARCH_URL: STACK_SEARCH_URL,
  CATALOG_SEARCH_PREFIX: `${database.name}-`,
  CATALOG_QUEUE_PREFIX: database.name,
};
// Nothing is refused, however busy the machine is beside this.
process.env.CATALOG_SHED_DELAY_MS ??= '60000';
const catalog = await startCatalog(home, servers && { ...servers, CATALOG_ROLE: 'api' });
const worker = servers && (await startWorker(workerHome, servers));
const second = servers && (await startCatalog(secondHome, { ...servers, CATALOG_ROLE: 'api' }));
await load(catalog.url, 0, DATASETS);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const poll = (limit, query) =>
  call(`${catalog.url}/openapi/v1/events/poll?topic=${TOPIC}&pollTimeoutSeconds=0&limit=${limit}&${query}`);

/** Where shares of the log begin, and how many events each has. What is read with a filter is not kept for who reads all. */
async function shares(number) {
  const places = [];
  let [query, read] = ['lookbackWindowDays=1', 0];
  for (let some = 1; some > 0;) {
    const answer = JSON.parse(await poll(1_000, `urn=*&${query}`));
    some = answer.count;
    read += some;
    query = `offsetId=${encodeURIComponent(answer.offsetId)}`;
    places.push({ query, read });
  }
  // An answer may have less than its limit, so the shares have as many events as the shortest of them; the last answer that is
  // read of one may not reach into the next.
  const pages = Math.floor((places.length - 1) / number);
  const ends = Array.from({ length: number + 1 }, (_, i) => places[i * pages]);
  const lengths = ends.slice(1).map(({ read }, i) => read - ends[i].read);
  return { begins: ends.slice(0, -1).map(({ query }) => query), events: Math.min(...lengths) - 999 };
}

/** Reads so many events; answers how long it took and one of the answers. */
async function readLog(limit, begin, events) {
  let query = begin;
  let [count, polls, body] = [0, 0, undefined];
  const start = performance.now();
  while (count < events) {
    body = await poll(limit, query);
    const answer = JSON.parse(body);
    query = `offsetId=${encodeURIComponent(answer.offsetId)}`;
    count += answer.count;
    polls += 1;
  }
  return { ms: performance.now() - start, count, polls, body };
}

/** The same number of answers of the same size, parsed by the client as those of the feed are. */
async function bareLog(port, polls) {
  const start = performance.now();
  for (let i = 0; i < polls; i += 1) JSON.parse(await call(`http://127.0.0.1:${port}/`));
  return performance.now() - start;
}

function bareServer(body) {
  const child = spawn(
    process.execPath,
    [
      '-e',
      `const chunks = [];
       process.stdin.on('data', (data) => chunks.push(data)).on('end', () => {
         const body = Buffer.concat(chunks);
         const server = require('node:http').createServer((request, response) => {
           response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
           response.end(body);
         }).listen(0, '127.0.0.1', () => console.log(server.address().port));
       });`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  child.stdin.end(body);
  return new Promise((resolve) =>
    child.stdout.once('data', (text) => resolve({ port: Number(text), stop: () => child.kill() })),
  );
}

/** Opens a stream; `seen` is called with the data of each event. */
function openStream(query, seen, { url } = catalog) {
  return new Promise((resolve) => {
    const request = http.get(
      `${url}/openapi/v1/events/stream?topic=${TOPIC}&${query}`,
      { headers: { authorization: `Bearer ${TOKEN}` }, agent: false },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('error', () => undefined);
        response.on('data', (chunk) => {
          text += chunk;
          for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
            const data = /^data: (.*)$/m.exec(text.slice(0, at))?.[1];
            text = text.slice(at + 2);
            if (data !== undefined) seen(data);
          }
        });
        resolve({ close: () => request.destroy() });
      },
    );
    request.on('error', () => undefined);
  });
}

/** Each part, by the word that ONLY chooses it with. */
const PARTS = {
  memory: memoryOfStreams,
  reading: readingTheLog,
  writes: writesBesideStreams,
  delay: delayOfEvents,
};

const idle = [];
const open = async () => {
  for (let i = 0; i < STREAMS; i += 1)
    idle.push(await openStream('entityType=chart&aspect=chartInfo', () => undefined));
};

let written = DATASETS;
const write = () => {
  const proposals = datasetProposals((written += 1));
  return call(`${catalog.url}/aspects?action=ingestProposalBatch`, {
    method: 'POST',
    body: JSON.stringify({ proposals }),
  });
};

// What indexing does later is not measured here.
await search(catalog.url, 'table');
await idleAgain();
for (const [name, measure] of Object.entries(PARTS)) if (ONLY === undefined || ONLY === name) await measure();
await catalog.stop();
await worker?.stop();
await second?.stop();
await database?.drop();
for (const folder of [home, workerHome, secondHome]) removeFolder(folder);

/** Waits until what follows the log has nothing more to do: a search answers before the last of it is indexed. */
async function idleAgain() {
  const used = () => processorMs(catalog.pid) + (worker ? processorMs(worker.pid) : 0);
  for (let quiet = 0; quiet < 2;) {
    const before = used();
    await pause(1_000);
    quiet = used() - before < 100 ? quiet + 1 : 0;
  }
}

async function memoryOfStreams() {
  const before = residentMegabytes(catalog.pid);
  await open();
  await pause(6_000);
  console.log(
    `${STREAMS} idle streams: ${(residentMegabytes(catalog.pid) - before).toFixed(0)} MB (floor: 20 MB)`,
  );
  for (const stream of idle.splice(0)) stream.close();
}

async function readingTheLog() {
  const SIZES = [100, 1_000];
  const { begins, events } = await shares(SIZES.length * ROUNDS + 1);
  const warm = begins.pop();
  for (let answers = 0; answers < WARM;)
    for (const size of [10, ...SIZES]) answers += (await readLog(size, warm, events)).polls;
  for (const size of SIZES) {
    const [ofFirst, ratios, rates] = [[], [], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      // Who reads a share first has its events made, and who comes later finds them.
      const share = begins.pop();
      const first = await readLog(size, share, events);
      const again = await readLog(size, share, events);
      const bare = await bareServer(first.body);
      await bareLog(bare.port, WARM);
      const ms = await bareLog(bare.port, first.polls);
      bare.stop();
      ofFirst.push(ms / first.ms);
      ratios.push(ms / again.ms);
      rates.push((again.count / again.ms) * 1000);
    }
    console.log(
      `reading the log, ${size} events an answer: ${median(rates).toFixed(0)} events/s, ` +
        `${median(ratios).toFixed(2)} x a bare HTTP server with the same bytes (floor: 0.5), the first reader ${median(ofFirst).toFixed(2)} x`,
    );
  }
}

async function writesBesideStreams() {
  await rate(write, 500, 16);
  const ratios = [];
  const costs = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates = [];
    // Which comes first changes from round to round.
    for (const beside of round % 2 === 0 ? [1, 0] : [0, 1]) {
      if (beside === 0) for (const stream of idle.splice(0)) stream.close();
      else if (idle.length === 0) await open();
      // The index takes up what the round before has written.
      await idleAgain();
      const start = processorMs(catalog.pid);
      rates[beside] = await rate(write, 400, 16);
      await search(catalog.url, 'table');
      costs[beside].push(processorMs(catalog.pid) - start);
    }
    ratios.push(rates[1] / rates[0]);
  }
  for (const stream of idle.splice(0)) stream.close();
  console.log(
    `writes beside ${STREAMS} idle streams: ${median(ratios).toFixed(2)} x without (floor: 0.97), ` +
      `by processor time ${(median(costs[1]) / median(costs[0])).toFixed(2)} x`,
  );
}

async function delayOfEvents() {
  // What is measured on servers is measured under load.
  let measuring = database !== undefined;
  const busy = Array.from({ length: measuring ? 4 : 0 }, async () => {
    while (measuring) await write();
  });
  const sent = new Map();
  const arrived = new Map();
  const reader = await openStream(
    'entityType=tag&aspect=tagProperties',
    (data) => void arrived.set(JSON.parse(data).entityUrn, performance.now()),
    second,
  );
  for (let i = 0; i < 500; i += 1) {
    const urn = `urn:li:tag:bench-feed-${i}`;
    const value = JSON.stringify({ name: `tag ${i}` });
    const proposal = {
      ...{ entityType: 'tag', entityUrn: urn, aspectName: 'tagProperties', changeType: 'UPSERT' },
      aspect: { value, contentType: 'application/json' },
    };
    await call(`${catalog.url}/aspects?action=ingestProposal`, {
      method: 'POST',
      body: JSON.stringify({ proposal }),
    });
    sent.set(urn, performance.now());
    await pause(5);
  }
  measuring = false;
  await Promise.all(busy);
  await pause(1_000);
  reader.close();
  // An event may be there before the answer of its write.
  const delays = [...arrived].map(([urn, ms]) => ms - sent.get(urn)).sort((a, b) => a - b);
  const at = (share) => Math.max(0, delays[Math.floor(delays.length * share)]).toFixed(1);
  console.log(
    `commit to event at a stream: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${delays.length} (floor: p99 ${database ? '300 ms under load' : '50 ms'})`,
  );
}
