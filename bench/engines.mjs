// The same searches of the same datasets by two services on one machine: with the embedded index, and with the search server that
// STACK_SEARCH_URL names (and STACK_DATABASE_URL, STACK_REDIS_URL), in turns. `DATASETS` have the names and words that people use.
import { dataset, NOUNS, PLATFORMS } from './corpus.mjs';
import {
  call,
  median,
  processorMs,
  rate,
  removeFolder,
  search,
  startCatalog,
  startWorker,
  tempFolder,
} from './lib.mjs';
import { freshPlace } from './servers.mjs';

const DATASETS = Number(process.env.DATASETS ?? 100_000);
const CLIENTS = Number(process.env.CLIENTS ?? 4);
const CALLS = Number(process.env.CALLS ?? 120);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Datasets of one request. */
const BATCH = 50;

const servers = await freshPlace();
if (!servers?.search) throw new Error('STACK_DATABASE_URL and STACK_SEARCH_URL name the servers');
const folders = [tempFolder(), tempFolder(), tempFolder()];
// The load is heavy, and is not what is measured.
const environment = { CATALOG_SHED_DELAY_MS: '60000' };
const shared = { ...environment, ...servers.environment };
const services = [
  await startCatalog(folders[0], environment),
  await startCatalog(folders[1], { ...shared, CATALOG_ROLE: 'api' }),
];
const worker = await startWorker(folders[2], shared);
const post = (url, path, body) => call(url + path, { method: 'POST', body: JSON.stringify(body) });

for (const { url } of services) await load(url);

const where = (field, value) => ({ field, condition: 'EQUAL', values: [value] });
const find = (url, input, and) =>
  post(url, '/entities?action=search', {
    entity: 'dataset',
    input,
    start: 0,
    count: 10,
    ...(and && { filter: { or: [{ and }] } }),
  });
const noun = (i) => NOUNS[i % NOUNS.length];
/** Each asks for something else each time, as far as there are words. */
const ROWS = {
  'text and facets, common word': (url, i) => find(url, NOUNS[i % 10]),
  'text and facets, rare words': (url, i) => find(url, `${noun(i)} ${noun(i * 7 + 3)} ${noun(i * 3 + 1)}`),
  'filter tag and platform, facets': (url, i) =>
    find(url, '*', [
      where('tags', `urn:li:tag:${noun(i)}`),
      where('platform', `urn:li:dataPlatform:${PLATFORMS[i % 10]}`),
    ]),
  'filter rare owner, facets': (url, i) =>
    find(url, '*', [where('owners', `urn:li:corpuser:user${500 + (i % 1500)}`)]),
  'browse one level': (url, i) =>
    post(url, '/entities?action=browse', {
      entity: 'dataset',
      path: `/prod/${PLATFORMS[i % 10]}/${noun(i)}`,
      start: 0,
      limit: 10,
    }),
  autocomplete: (url, i) =>
    post(url, '/entities?action=autocomplete', {
      entity: 'dataset',
      query: noun(i).slice(0, 3 + (i % 4)),
      limit: 10,
    }),
};

let asked = 0;
for (const [name, ask] of Object.entries(ROWS)) {
  const [calls, spent] = [services.map(() => []), services.map(() => [])];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, { url, pid }] of services.entries()) {
      const before = processorMs(pid);
      const from = asked;
      const figure = await rate((i) => ask(url, from + i), CALLS, CLIENTS);
      if (round === 0) continue;
      calls[at].push(figure);
      spent[at].push((processorMs(pid) - before) / CALLS);
    }
    asked += CALLS;
  }
  const [own, other] = calls.map(median);
  const [ownMs, otherMs] = spent.map(median);
  console.log(
    `${name}: ${own.toFixed(0)}/s embedded, ${other.toFixed(0)}/s on the server: ${(own / other).toFixed(1)} x; ` +
      `processor of the service ${ownMs.toFixed(2)} ms and ${otherMs.toFixed(2)} ms a call`,
  );
}

await Promise.all([...services, worker].map((each) => each.stop()));
await servers.drop();
folders.forEach(removeFolder);

/** Writes all datasets, and waits until they are found. */
async function load(url) {
  const began = performance.now();
  await rate(
    (k) => {
      const proposals = [];
      for (let i = k * BATCH; i < Math.min(DATASETS, (k + 1) * BATCH); i += 1) {
        const {
          urn,
          aspects: { status, ...aspects },
        } = dataset(i);
        // The service refuses a column that is there twice.
        aspects.schemaMetadata.fields.forEach((field, column) => (field.fieldPath += `_${column}`));
        // What does not exist cannot be soft-deleted.
        for (const [aspectName, value] of Object.entries({ ...aspects, status })) {
          const aspect = { value: JSON.stringify(value), contentType: 'application/json' };
          proposals.push({ entityType: 'dataset', entityUrn: urn, changeType: 'UPSERT', aspectName, aspect });
        }
      }
      return post(url, '/aspects?action=ingestProposalBatch', { proposals, async: 'false' });
    },
    Math.ceil(DATASETS / BATCH),
    4,
  );
  let found;
  do {
    found = JSON.parse(await search(url, '*')).value.numEntities;
    // One in a hundred is soft-deleted.
  } while (found < DATASETS * 0.98);
  console.log(
    `${found} of ${DATASETS} datasets found after ${((performance.now() - began) / 1000).toFixed(0)} s`,
  );
}
