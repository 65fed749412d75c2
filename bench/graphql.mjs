// Reads over GraphQL against the same aspects over the aspect API, and against graphql-jit that reads nothing, in one run.
import {
  call,
  load,
  median,
  patiently,
  rate,
  removeFolder,
  search,
  startCatalog,
  startProgram,
  tempFolder,
  TOKEN,
} from './lib.mjs';

const COUNT = Number(process.env.COUNT ?? 4_000);
const PAGES = Number(process.env.PAGES ?? 200);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const WORKERS = 16;
const DATASETS = 2_000;
const ASPECTS = 'datasetProperties,schemaMetadata,ownership,globalTags,subTypes,status';

const home = tempFolder();
const catalog = await startCatalog(home);
await load(catalog.url, 0, DATASETS);
await search(catalog.url, '*');

const urn = (i) =>
  `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.area_${(i % DATASETS) % 50}.table_${i % DATASETS},PROD)`;

/** Ten selections: every aspect that the benchmark writes, the columns whole. */
const SELECTION = `urn type name origin
  properties { name description customProperties { key value } }
  schemaMetadata { name version hash platformUrn
    fields { fieldPath type nativeDataType nullable description recursive isPartOfKey } }
  ownership { owners { owner { ... on CorpUser { urn } ... on CorpGroup { urn } } type } lastModified { time } }
  tags { tags { tag { urn } } }
  subTypes { typeNames }
  status { removed }`;
const graphql = async (query, variables, { url } = catalog) => {
  const body = await call(`${url}/api/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query, variables }),
  });
  if (body.includes('"errors"')) throw new Error(body.slice(0, 1000));
  return body;
};
const ONE = `query one($urn: String!) { dataset(urn: $urn) { ${SELECTION} } }`;
const PAGE = `query page($start: Int!, $count: Int!) {
  searchAcrossEntities(input: { types: [DATASET], query: "*", start: $start, count: $count,
    searchFlags: { skipAggregates: true, skipHighlighting: true } }) {
    total searchResults { entity { ... on Dataset { ${SELECTION} } } } } }`;

const readOne = (i) =>
  call(`${catalog.url}/entitiesV2/${encodeURIComponent(urn(i))}?aspects=List(${ASPECTS})`);
const readPage = async (i) => {
  const found = await call(`${catalog.url}/entities?action=search`, {
    method: 'POST',
    body: JSON.stringify({
      entity: 'dataset',
      input: '*',
      start: (i % 40) * 50,
      count: 50,
      searchFlags: { skipAggregates: true, skipHighlighting: true },
    }),
  });
  const urns = JSON.parse(found).value.entities.map((u) =>
    encodeURIComponent(u).replace(/[()]/g, escapeParenthesis),
  );
  return call(`${catalog.url}/entitiesV2?ids=List(${urns.join(',')})&aspects=List(${ASPECTS})`);
};
const escapeParenthesis = (char) => (char === '(' ? '%28' : '%29');

const bare = await startProgram(
  'bench/graphql-bare.mjs',
  { SOURCE: catalog.url, SOURCE_TOKEN: TOKEN },
  '/health/ready',
  ['--max-semi-space-size=16'],
);
const one = (service) => (i) => graphql(ONE, { urn: urn(i) }, service);
const page = (count, service) => (i) => graphql(PAGE, { start: (i % 40) * count, count }, service);
// The first operation starts the engine: a busy machine takes so long for it that requests are refused meanwhile.
await patiently(() => one(catalog)(0));
for (const send of [one, (service) => page(10, service)]) {
  const answers = await Promise.all([catalog, bare].map((service) => send(service)(3)));
  if (answers[0] !== answers[1]) throw new Error('the answers differ');
}

/** What is sent, against what, how often, by how many callers. */
const measures = {
  one: [one(), readOne, COUNT, WORKERS],
  page: [page(50), readPage, PAGES, 4],
  bareOne: [one(), one(bare), COUNT, WORKERS],
  bareTen: [page(10), page(10, bare), PAGES * 4, 4],
};
const ratios = { one: [], page: [], bareOne: [], bareTen: [] };
for (let round = 0; round <= ROUNDS; round += 1) {
  for (const [name, [send, against, count, workers]] of Object.entries(measures)) {
    const ratio = (await rate(send, count, workers)) / (await rate(against, count, workers));
    // The first round fills caches and compiles the queries.
    if (round > 0) ratios[name].push(ratio);
  }
}
await bare.stop();
await catalog.stop();
removeFolder(home);
const shown = (name) => median(ratios[name]).toFixed(2);
console.log(`dataset(urn): ${shown('one')} x the read of the same aspects (floor: 0.5)`);
console.log(`a page of 50 datasets: ${shown('page')} x search and batch read (floor: 0.5)`);
console.log(`dataset(urn): ${shown('bareOne')} x graphql-jit with the same answer in memory (floor: 0.35)`);
console.log(
  `a page of 10 datasets: ${shown('bareTen')} x graphql-jit with the same answer in memory (floor: 0.35)`,
);
