// Many properties on many datasets: what they cost when writing and searching, and how fast a deleted one goes while
// others read and write. The mark: DEFINITIONS=20000 DATASETS=100000 HOLDERS=50000.
// On servers when STACK_DATABASE_URL, STACK_REDIS_URL or STACK_SEARCH_URL say where they are: then the work behind the
// commit is done by a process of its own, as it should be there.
// LOADED=<folder> keeps what was loaded, and later runs of the same size measure on a copy of it (embedded only).
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { call, median, rate, removeFolder, startCatalog, startWorker, tempFolder } from './lib.mjs';
import { freshPlace } from './servers.mjs';

const DEFINITIONS = Number(process.env.DEFINITIONS ?? 2_000);
const DATASETS = Number(process.env.DATASETS ?? 10_000);
const HOLDERS = Number(process.env.HOLDERS ?? DATASETS / 2);
const COUNT = Number(process.env.COUNT ?? 300);
const BATCH = 200;

const servers = await freshPlace();
const home = tempFolder();
const loaded =
  process.env.LOADED && !servers
    ? join(process.env.LOADED, `${DEFINITIONS}-${DATASETS}-${HOLDERS}`)
    : undefined;
const isLoaded = loaded !== undefined && existsSync(loaded);
if (isLoaded) cpSync(loaded, home, { recursive: true });
const start = () => startCatalog(home, { ...servers?.environment, ...(servers && { CATALOG_ROLE: 'api' }) });
let catalog = await start();
const workerHome = servers && tempFolder();
const worker = servers && (await startWorker(workerHome, servers.environment));
const ENOUGH = servers ? 500 : 1000;

/** How many fields the index of datasets has; undefined without a search server. */
async function mappedFields() {
  const { name, search } = servers;
  if (!search) return undefined;
  const found = JSON.parse(await call(`${search}/${name}*dataset*/_mapping`, { token: '' }));
  const count = (properties) =>
    Object.values(properties ?? {}).reduce(
      (sum, field) => sum + 1 + count(field.properties) + Object.keys(field.fields ?? {}).length,
      0,
    );
  return Object.values(found).reduce((sum, { mappings }) => sum + count(mappings.properties), 0);
}

const post = async (path, body) => {
  const text = await call(catalog.url + path, { method: 'POST', body: JSON.stringify(body) });
  return text === '' ? undefined : JSON.parse(text).value;
};
const property = (i) => `urn:li:structuredProperty:bench.team_${i % 97}.property${i}`;
const name = (i) => property(i).slice('urn:li:structuredProperty:'.length);
const dataset = (i) => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.table_${i},PROD)`;
const proposal = (entityUrn, aspectName, value, changeType = 'UPSERT') => ({
  entityType: entityUrn.split(':')[2],
  entityUrn,
  changeType,
  aspectName,
  aspect: { value: JSON.stringify(value), contentType: 'application/json' },
});
const assigned = (urn, value) => ({ propertyUrn: urn, values: [value] });

/** Sends proposals by batches over four connections; proposals per second. */
async function send(count, make) {
  const bodies = [];
  for (let from = 0; from < count; from += BATCH) {
    const proposals = [];
    for (let i = from; i < Math.min(count, from + BATCH); i += 1) proposals.push(...make(i));
    bodies.push(proposals);
  }
  const total = bodies.reduce((sum, proposals) => sum + proposals.length, 0);
  const perSecond = await rate(
    (i) => post('/aspects?action=ingestProposalBatch', { proposals: bodies[i] }),
    bodies.length,
    4,
  );
  return (perSecond * total) / bodies.length;
}

const percentile = (values, p) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * p)];
async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

let mappedBefore;
if (servers) {
  // An index may come with the first document.
  await post('/aspects?action=ingestProposal', {
    proposal: proposal(dataset(0), 'datasetProperties', { name: '0' }),
  });
  for (let tries = 0; tries < 100 && !mappedBefore; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    mappedBefore = await mappedFields();
  }
}
// Property 0 is held by HOLDERS; the others are spread: the larger the number, the fewer hold it.
const spread = (i, k) =>
  1 +
  Math.floor(
    (((i * 7919 + k * 104729) % 1_000_003) / 1_000_003) *
      ((i + k) % 3 === 0 ? DEFINITIONS - 1 : Math.min(100, DEFINITIONS - 1)),
  );
async function loadAll() {
  await send(DEFINITIONS, (i) => [
    proposal(property(i), 'propertyDefinition', {
      qualifiedName: name(i),
      valueType: `urn:li:dataType:platform.${i % 4 === 1 ? 'number' : 'string'}`,
      entityTypes: ['urn:li:entityType:platform.dataset'],
    }),
  ]);
  const plain = await send(DATASETS, (i) => [
    proposal(dataset(i), 'subTypes', { typeNames: [`kind${i % 100}`] }),
    proposal(dataset(i), 'datasetProperties', { name: `table_${i}` }),
  ]);
  const valued = await send(DATASETS, (i) => {
    const urns = new Set(i < HOLDERS ? [property(0)] : []);
    for (let k = 0; urns.size < 5; k += 1) urns.add(property(spread(i, k)));
    const properties = [...urns].map((urn) => {
      const n = Number(/(\d+)$/.exec(urn)[1]);
      return assigned(urn, n % 4 === 1 ? { double: i % 1000 } : { string: `kind${i % 100}` });
    });
    return [proposal(dataset(i), 'structuredProperties', { properties })];
  });
  console.log(
    `ingest: ${plain.toFixed(0)} ordinary aspects/s; aspects of five values: ${(valued / plain).toFixed(2)} of that`,
  );
}
if (!isLoaded) await loadAll();

const find = (field, value) =>
  post('/entities?action=search', {
    entity: 'dataset',
    input: '*',
    start: 0,
    count: 10,
    searchFlags: { skipAggregates: true },
    filter: { or: [{ and: [{ field, condition: 'EQUAL', values: [value] }] }] },
  });
/** A search waits until everything written before is indexed, but not for ever. */
async function caughtUp(expected) {
  for (;;) {
    try {
      const { numEntities } = await find('typeNames', 'kind1');
      const held = (await find(`structuredProperties.${name(0)}`, 'kind1')).numEntities;
      if (numEntities >= expected.total && held >= expected.held) return { total: numEntities, held };
    } catch (error) {
      if (!error.message.includes(': 503 ')) throw error;
    }
  }
}
const ofKind1 = (count) => Math.floor((count + 98) / 100);
const { total, held } = await caughtUp({ total: ofKind1(DATASETS), held: ofKind1(HOLDERS) });
console.log(
  `${DEFINITIONS} definitions, ${DATASETS} datasets; hits: ${total} by subtype, ${held} by property`,
);
if (loaded && !isLoaded) {
  await catalog.stop();
  cpSync(home, loaded, { recursive: true });
  catalog = await start();
}
if (mappedBefore !== undefined) {
  const mapped = await mappedFields();
  console.log(
    `fields in the mapping of datasets: ${mapped}, ${mappedBefore} before there was any property; must be the same`,
  );
}
const ordinary = [];
const byProperty = [];
for (let i = 0; i < COUNT; i += 1) {
  const value = `kind${i % 100}`;
  ordinary.push(await timed(() => find('typeNames', value)));
  byProperty.push(await timed(() => find(`structuredProperties.${name(0)}`, value)));
}
console.log(
  `filter by a property: p50 ${median(byProperty).toFixed(2)} ms = ${(median(byProperty) / median(ordinary)).toFixed(2)} x ` +
    `the same filter on a built-in field (${median(ordinary).toFixed(2)} ms); at most 2 x`,
);

const read = (i) => call(`${catalog.url}/entitiesV2/${encodeURIComponent(dataset((i * 37) % DATASETS))}`);
const write = (i) =>
  post('/aspects?action=ingestProposal', {
    proposal: proposal(dataset((i * 41) % DATASETS), 'datasetProperties', {
      name: `table_${i} ${performance.now()}`,
    }),
  });
/** Reads and writes, paced, one after the other, until told to stop. */
async function live(stop) {
  const times = { read: [], write: [] };
  for (let i = 0; !stop(i); i += 1) {
    times.read.push(await timed(() => read(i)));
    times.write.push(await timed(() => write(i)));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return times;
}
// Servers still merge and write what was loaded.
if (servers) await new Promise((resolve) => setTimeout(resolve, 20_000));
// A process that has just started still compiles.
if (isLoaded) await live((i) => i >= 2 * COUNT);
const idle = await live((i) => i >= COUNT);

await post('/entities?action=delete', { urn: property(0) });
let removal;
let done = false;
const watching = (async () => {
  for (;;) {
    [removal] = (await post('/operations?action=propertyRemovals', { urn: property(0) })).removals;
    if (removal?.state === 'done') break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  done = true;
})();
const busy = await live(() => done);
await watching;
const seconds = (removal.finished - removal.started) / 1000;
console.log(
  `removal: ${removal.removed} entities in ${seconds.toFixed(1)} s = ${(removal.removed / seconds).toFixed(0)}/s; at least ${ENOUGH}/s`,
);
for (const kind of ['read', 'write']) {
  const [a, b] = [percentile(idle[kind], 0.99), percentile(busy[kind], 0.99)];
  console.log(
    `  meanwhile ${kind}s: p99 ${b.toFixed(1)} ms = ${(b / a).toFixed(2)} x idle (${a.toFixed(1)} ms), p50 ` +
      `${(median(busy[kind]) / median(idle[kind])).toFixed(2)} x, over ${busy[kind].length}; p99 at most 2 x`,
  );
}
await worker?.stop();
await catalog.stop();
await servers?.drop();
removeFolder(home);
if (workerHome) removeFolder(workerHome);
