// The service with Elasticsearch, against the same documents and queries sent straight to it. STACK_SEARCH_URL says
// where it is: STACK_SEARCH_URL=http://127.0.0.1:9200 npm run bench -- stack-search
// With STACK_DATABASE_URL (and STACK_REDIS_URL) as on the real stack: one process that serves and one that follows the
// log; without, one process with a database of its own. ONLY=indexing, filter, autocomplete, scroll or delay measures
// one part.
import { URLSearchParams } from 'node:url';
import {
  call,
  datasetProposals,
  load,
  median,
  rate,
  removeFolder,
  startCatalog,
  startWorker,
  tempFolder,
} from './lib.mjs';
import { freshDatabase } from './servers.mjs';
import { ElasticClient, ElasticsearchSearchIndex } from '../dist/adapters/search/elasticsearch/index.js';
import { Model } from '../dist/catalog/model/index.js';
import {
  ALL,
  compileFilter,
  parseFilter,
  searchDocument,
  SearchSchema,
} from '../dist/catalog/search/index.js';

const address = process.env.STACK_SEARCH_URL;
if (!address) throw new Error('STACK_SEARCH_URL must say where Elasticsearch is');
const url = new URL(address);
const DATASETS = Number(process.env.DATASETS ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const COUNT = Number(process.env.COUNT ?? 250);
const LOAD_MS = Number(process.env.LOAD_MS ?? 20_000);
const BATCH = 500;
const SCROLL_PAGE = 1000;
const EVERYTHING = { entities: ['dataset'], query: ALL, filter: ALL, includeRemoved: false };
/** What a person has typed of a name: from a few letters, which all names have, to nearly all of it. */
const TYPED = Array.from({ length: 50 }, (_, i) => `table_${(i * 7919) % DATASETS}`.slice(0, 3 + (i % 9)));

/** What is asked of a loaded catalog, by the word that ONLY chooses it with. */
const PARTS = { filter: filteredSearch, autocomplete, scroll, delay: searchableUnderLoad };
const chosen = (part) => [undefined, part].includes(process.env.ONLY);

const word = `bench${Date.now().toString(36)}`;
const model = Model.load();
const schema = new SearchSchema(model.entities.values());
const dataset = model.findEntity('dataset');

/** Passes requests on, and keeps those of one kind. */
class Recorder {
  kept = [];
  constructor(client, wanted) {
    this.client = client;
    this.wanted = wanted;
  }
  request(request) {
    if (request.path.includes(this.wanted)) this.kept.push(request);
    return this.client.request(request);
  }
  search(request, budget) {
    if (request.path.includes(this.wanted)) this.kept.push(request);
    return this.client.search(request, budget);
  }
  find(request) {
    return this.client.find(request);
  }
  ready() {
    return this.client.ready();
  }
}

const client = new ElasticClient(url);
try {
  if (chosen('indexing')) await indexing();
  if (Object.keys(PARTS).some(chosen)) await searching();
} finally {
  const made = await client.find({ method: 'GET', path: `/${word}*/_alias` });
  for (const index of Object.keys(made ?? {})) await client.find({ method: 'DELETE', path: `/${index}` });
  await client.close();
}

function documentsOf(from, to, sequence) {
  return Array.from({ length: to - from }, (_, k) => {
    const proposals = datasetProposals(from + k);
    const urn = proposals[0].entityUrn;
    const aspects = new Map(
      proposals.map(({ aspectName: name, aspect }) => [
        name,
        {
          name,
          value: JSON.parse(aspect.value),
          version: 1,
          systemMetadata: {},
          created: { time: 1, actor: '' },
        },
      ]),
    );
    const state = { urn, entityType: 'dataset', sequence, exists: true, removed: false, aspects };
    return searchDocument(dataset, state);
  });
}

async function opened(prefix, through = client) {
  const index = new ElasticsearchSearchIndex(through, prefix);
  await (await index.ensureSchema(schema))?.finished();
  return index;
}

async function indexing() {
  const batches = [];
  for (let from = 0; from < DATASETS; from += BATCH) {
    batches.push(documentsOf(from, Math.min(from + BATCH, DATASETS), 1));
  }
  const [own, raw] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const recorder = new Recorder(client, '_bulk');
    const index = await opened(`${word}r${round}`, recorder);
    await index.upsert(batches[0].slice(0, 1));
    recorder.kept = [];
    const began = performance.now();
    // As the indexer of the service does: one wait for all of them.
    for (const batch of batches) await index.upsert(batch, 'later');
    await index.settle();
    const ours = performance.now() - began;
    const other = await opened(`${word}s${round}`);
    await other.upsert(batches[0].slice(0, 1));
    // Sent straight, in requests of as many documents as one call of ours has.
    const lines = joined(recorder.kept).map((request) => ({
      ...request,
      lines: request.lines.replaceAll(`"${word}r${round}.`, `"${word}s${round}.`),
    }));
    const start = performance.now();
    for (const request of lines) await client.request(request);
    await client.request({ method: 'POST', path: `/${word}s${round}.*/_refresh` });
    const theirs = performance.now() - start;
    // The first round warms both up.
    if (round === 0) continue;
    own.push((DATASETS * 1000) / ours);
    raw.push((DATASETS * 1000) / theirs);
  }
  report('documents per second', median(own), 'raw _bulk with them', median(raw), 'at least 0.6');
}

/** Requests with the lines of so many that each has those of a batch of documents. */
function joined(requests) {
  const found = [];
  let count = BATCH;
  for (const request of requests) {
    const lines = request.lines.split('\n').length - 1;
    if (count + lines / 2 > BATCH) {
      found.push({ ...request, lines: '' });
      count = 0;
    }
    found.at(-1).lines += request.lines;
    count += lines / 2;
  }
  return found;
}

async function searching() {
  const prefix = `${word}x`;
  const database = process.env.STACK_DATABASE_URL && (await freshDatabase(process.env.STACK_DATABASE_URL));
  const environment = {
    CATALOG_SEARCH_URL: address,
    CATALOG_SEARCH_PREFIX: prefix,
    CATALOG_QUEUE_PREFIX: prefix,
    ...(database && { CATALOG_DATABASE_URL: database.url }),
    ...(database && process.env.STACK_REDIS_URL && { CATALOG_REDIS_URL: process.env.STACK_REDIS_URL }),
  };
  const homes = [tempFolder(), tempFolder()];
  const catalog = await startCatalog(homes[0], { ...environment, ...(database && { CATALOG_ROLE: 'api' }) });
  const worker = database && (await startWorker(homes[1], environment));
  try {
    await load(catalog.url, 0, DATASETS);
    await call(`${catalog.url}/operations?action=verify`, { method: 'POST', body: '{}' });
    for (const [part, measure] of Object.entries(PARTS)) if (chosen(part)) await measure(catalog, prefix);
  } finally {
    await catalog.stop();
    await worker?.stop();
    await database?.drop();
    for (const home of homes) removeFolder(home);
  }
}

function filterOf(i) {
  const criteria = [
    { field: 'tags', values: [`urn:li:tag:tag${i % 25}`], condition: 'EQUAL' },
    { field: 'platform', values: ['urn:li:dataPlatform:postgres'], condition: 'EQUAL' },
  ];
  return { or: [{ and: criteria }] };
}

/** What the service asks the engine for: `ask` gets an index. */
async function straight(prefix, ask) {
  const recorder = new Recorder(client, '_search');
  await ask(await opened(prefix, recorder));
  return recorder.kept.map(({ path, query, body }) => ({
    path: `${path}?${new URLSearchParams(query)}`,
    body,
  }));
}

/** Sends what the service asks for straight to the engine, all of it at once. */
function direct(requests) {
  return Promise.all(
    requests.map(({ path, body }) =>
      call(new URL(path, url).href, { method: 'POST', body: JSON.stringify(body) }),
    ),
  );
}

/** A search for everything that passes the filter. */
function filteredQuery(i) {
  return (index) =>
    index.search({
      ...EVERYTHING,
      filter: compileFilter(parseFilter(filterOf(i), '/filter'), (name) => schema.lookup(name, ['dataset'])),
      start: 0,
      count: 10,
      facets: schema.facets(['dataset']).map(({ name }) => ({ name, fields: [name] })),
      maxFacetValues: 20,
      matchedFields: true,
    });
}

async function filteredSearch(catalog, prefix) {
  const queries = await Promise.all(Array.from({ length: 25 }, (_, i) => straight(prefix, filteredQuery(i))));
  const through = (i) =>
    call(`${catalog.url}/entities?action=search`, {
      method: 'POST',
      body: JSON.stringify({ entity: 'dataset', input: '*', start: 0, count: 10, filter: filterOf(i) }),
    });
  const found = JSON.parse(await through(3)).value.numEntities;
  const answers = (await direct(queries[3])).map((text) => JSON.parse(text));
  if (!answers.some(({ hits }) => hits.total?.value === found))
    throw new Error('the two searches find different numbers');
  const [own, other] = await inTurns(through, (i) => direct(queries[i % 25]));
  report(
    'filtered search with facets, p50 ms',
    median(own),
    'the same query sent straight',
    median(other),
    'at most 1.5',
  );
}

/** Milliseconds of each call of two kinds. */
async function inTurns(ours, theirs) {
  const [own, other] = [[], []];
  const timed = async (send, i, times) => {
    const began = performance.now();
    await send(i);
    times.push(performance.now() - began);
  };
  // In turns, because the engine is faster at one moment than at another; each is the first with every second pair.
  for (let i = 0; i < COUNT * (ROUNDS + 1); i++) {
    if (i % 2 === 0) await timed(ours, i, own);
    await timed(theirs, i, other);
    if (i % 2 === 1) await timed(ours, i, own);
  }
  // The first round warms both up.
  for (const times of [own, other]) times.splice(0, COUNT);
  return [own, other];
}

async function autocomplete(catalog, prefix) {
  const fields = schema.autocomplete(['dataset']).toSorted((a, b) => b.boost - a.boost);
  const asked = { ...EVERYTHING, fields: fields.map(({ name }) => name), limit: 10 };
  const queries = await Promise.all(
    TYPED.map((text) => straight(prefix, (index) => index.autocomplete({ ...asked, text }))),
  );
  const through = (i) =>
    call(`${catalog.url}/entities?action=autocomplete`, {
      method: 'POST',
      body: JSON.stringify({ entity: 'dataset', query: TYPED[i % TYPED.length], limit: 10 }),
    });
  const straightOn = (i) => direct(queries[i % TYPED.length]);
  const [own, other] = await inTurns(through, straightOn);
  report('autocomplete, p50 ms', median(own), 'the same query sent straight', median(other), 'at most 3');
  const [many, bare] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    many.push(await rate(through, COUNT, 4));
    bare.push(await rate(straightOn, COUNT, 4));
  }
  report('autocomplete, 4 callers, calls a second', median(many), 'straight', median(bare), 'at least 0.6');
}

/** A walk over all datasets without facets, against one with the same requests and the engine's own places. */
async function scroll(catalog, prefix) {
  const [{ path, body }] = await straight(prefix, (index) =>
    index.scroll({ ...EVERYTHING, count: SCROLL_PAGE, facets: [], maxFacetValues: 1, matchedFields: true }),
  );
  const walk = async () => {
    let scrollId;
    do {
      const parameters = { entities: ['dataset'], input: '*', count: SCROLL_PAGE, scrollId };
      const answer = await call(`${catalog.url}/entities?action=scrollAcrossEntities`, {
        method: 'POST',
        body: JSON.stringify({ ...parameters, searchFlags: { skipAggregates: true } }),
      });
      ({ scrollId } = JSON.parse(answer).value);
    } while (scrollId);
  };
  const bareWalk = async () => {
    let after;
    for (;;) {
      const [answer] = await direct([{ path, body: { ...body, ...(after && { search_after: after }) } }]);
      const { hits } = JSON.parse(answer).hits;
      if (hits.length < body.size) return;
      // One more than a page, which the next one begins with.
      after = hits.at(-2).sort;
    }
  };
  const [own, other] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [go, times] of [
      [walk, own],
      [bareWalk, other],
    ]) {
      const began = performance.now();
      await go();
      if (round > 0) times.push((DATASETS * 1000) / (performance.now() - began));
    }
  }
  report(
    'scroll, datasets a second',
    median(own),
    'the same pages sent straight',
    median(other),
    'at least 0.5',
  );
}

/** From the answer to a write until a search has it, while eight callers write as fast as they can. */
async function searchableUnderLoad(catalog) {
  let next = DATASETS;
  const until = performance.now() + LOAD_MS;
  let busy = true;
  const callers = Array.from({ length: 8 }, async () => {
    while (performance.now() < until) {
      const proposals = datasetProposals(next++);
      const body = JSON.stringify({ proposals });
      await call(`${catalog.url}/aspects?action=ingestProposalBatch`, { method: 'POST', body });
    }
    busy = false;
  });
  const times = [];
  for (let probe = 0; busy; probe++) {
    const name = `probe${word}${probe}`;
    const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
    const aspect = { value: JSON.stringify({ name }), contentType: 'application/json' };
    const proposal = {
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect,
    };
    await call(`${catalog.url}/aspects?action=ingestProposal`, {
      method: 'POST',
      body: JSON.stringify({ proposal }),
    });
    const answered = performance.now();
    const body = JSON.stringify({ entity: 'dataset', input: name, start: 0, count: 1 });
    for (;;) {
      const found = await call(`${catalog.url}/entities?action=search`, { method: 'POST', body });
      if (JSON.parse(found).value.numEntities > 0) break;
    }
    times.push(performance.now() - answered);
  }
  await Promise.all(callers);
  times.sort((x, y) => x - y);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  console.log(
    `from answer to searchable under load: p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms (at most 1500), ${times.length} probes, ${next - DATASETS} datasets written`,
  );
}

function report(what, value, against, other, floor) {
  console.log(
    `${what}: ${value.toFixed(1)}; ${against}: ${other.toFixed(1)}; ratio ${(value / other).toFixed(2)} (${floor})`,
  );
}
