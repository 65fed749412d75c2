// Reads over GraphQL against the same aspects over the aspect API, in one run.
import { call, load, median, rate, removeFolder, search, startCatalog, tempFolder } from './lib.mjs';

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
const graphql = async (query, variables) => {
  const body = await call(`${catalog.url}/api/graphql`, {
    method: 'POST',
    body: JSON.stringify({ query, variables }),
  });
  if (body.includes('"errors"')) throw new Error(body.slice(0, 1000));
  return body;
};
const ONE = `query one($urn: String!) { dataset(urn: $urn) { ${SELECTION} } }`;
const PAGE = `query page($start: Int!) {
  searchAcrossEntities(input: { types: [DATASET], query: "*", start: $start, count: 50,
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

const ratios = { one: [], page: [] };
for (let round = 0; round <= ROUNDS; round += 1) {
  const one =
    (await rate((i) => graphql(ONE, { urn: urn(i) }), COUNT, WORKERS)) /
    (await rate(readOne, COUNT, WORKERS));
  const page =
    (await rate((i) => graphql(PAGE, { start: (i % 40) * 50 }), PAGES, 4)) / (await rate(readPage, PAGES, 4));
  // The first round fills caches and compiles the queries.
  if (round === 0) continue;
  ratios.one.push(one);
  ratios.page.push(page);
}
await catalog.stop();
removeFolder(home);
console.log(`dataset(urn): ${median(ratios.one).toFixed(2)} x the read of the same aspects (floor: 0.5)`);
console.log(`a page of 50 datasets: ${median(ratios.page).toFixed(2)} x search and batch read (floor: 0.5)`);
