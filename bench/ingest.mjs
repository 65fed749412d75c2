// Ingest over HTTP: batches, and creates of one aspect by sixteen clients, each against the same rows written straight
// into SQLite in transactions of the same size; whole datasets against creates of one aspect.
import {
  batchBodies,
  call,
  DATASET_ASPECTS,
  datasetProposals,
  load,
  median,
  rate,
  removeFolder,
  search,
  startCatalog,
  startProgram,
  tempFolder,
} from './lib.mjs';
import { copyOf } from './straight.mjs';

const DATASETS = Number(process.env.DATASETS ?? 8_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Connections at once; the field's own ingestion tool uses up to fifteen. */
const WORKERS = Number(process.env.WORKERS ?? 8);
/** Writers of one aspect, or of one whole dataset, a request, and how many requests they send in a round. */
const CLIENTS = 16;
const CREATES = Number(process.env.CREATES ?? 8_000);
const WARM = 2_000;

/** Copies every row that the service wrote into new tables of the same shape; milliseconds. */
function straight(home, transactions) {
  const copy = copyOf(home, transactions);
  const began = performance.now();
  for (let i = 0; i < transactions; i += 1) copy.write(i, i + 1);
  const ms = performance.now() - began;
  copy.close();
  return ms;
}

/** Requests per second of a server that only parses the bodies and writes the rows of `home`; see bare-writer.mjs. */
async function bareRate(home, { path, bodies, warm, clients, answer }) {
  const bare = await startProgram(
    'bench/bare-writer.mjs',
    { SOURCE: home, REQUESTS: String(bodies.length), ANSWER: answer },
    '/',
  );
  const send = (i) => call(bare.url + path, { method: 'POST', body: bodies[i] });
  await rate(send, warm, clients);
  const perSecond = await rate((i) => send(i + warm), bodies.length - warm, clients);
  await bare.stop();
  return perSecond;
}

const proposalsOf = (i) =>
  datasetProposals(i).map(({ entityUrn, ...rest }) => ({
    entityUrn: entityUrn.replace('shop.area_', 'sole.area_'),
    ...rest,
  }));

/** One aspect of a new dataset. */
const oneAspect = (i) => JSON.stringify({ proposal: proposalsOf(i)[1] });

/** Five aspects of a new dataset. */
function wholeDataset(i) {
  const proposals = proposalsOf(i).slice(0, 5);
  const aspects = proposals.map(({ aspectName, aspect }) => [
    aspectName,
    { value: JSON.parse(aspect.value) },
  ]);
  return JSON.stringify([{ urn: proposals[0].entityUrn, ...Object.fromEntries(aspects) }]);
}

/** Requests per second on a new catalog, and of the same rows straight into SQLite, sixteen requests a commit. */
async function alone(path, bodyOf) {
  const home = tempFolder();
  const catalog = await startCatalog(home);
  const bodies = Array.from({ length: WARM + CREATES }, (_, i) => bodyOf(i));
  let answer = '';
  const send = async (i) => (answer = await call(catalog.url + path, { method: 'POST', body: bodies[i] }));
  await rate(send, WARM, CLIENTS);
  const service = await rate((i) => send(i + WARM), CREATES, CLIENTS);
  await catalog.stop();
  const ms = straight(home, Math.ceil(bodies.length / CLIENTS));
  const raw = (bodies.length / ms) * 1000;
  const bare = await bareRate(home, { path, bodies, warm: WARM, clients: CLIENTS, answer });
  removeFolder(home);
  return { service, ratio: service / raw, bare: bare / raw };
}

const creates = [];
const wholes = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const create = await alone('/aspects?action=ingestProposal', oneAspect);
  const whole = await alone('/openapi/v3/entity/dataset?async=false', wholeDataset);
  if (round === 0) continue;
  creates.push(create);
  wholes.push({ ...whole, toOne: whole.service / create.service });
}
const middle = (list, name) => median(list.map((entry) => entry[name]));
console.log(
  `create one aspect, ${CLIENTS} clients: ${middle(creates, 'service').toFixed(0)}/s, ` +
    `${middle(creates, 'ratio').toFixed(2)} x straight into SQLite by sixteens (floor: 0.4; ` +
    `a bare server that checks nothing: ${middle(creates, 'bare').toFixed(2)})`,
);
console.log(
  `create a dataset of five aspects, ${CLIENTS} clients: ${middle(wholes, 'service').toFixed(0)}/s, ` +
    `${middle(wholes, 'toOne').toFixed(2)} x creates of one aspect (aim: 1), ` +
    `${middle(wholes, 'ratio').toFixed(2)} x straight into SQLite by sixteens ` +
    `(a bare server that checks nothing: ${middle(wholes, 'bare').toFixed(2)})`,
);

const ratios = [];
const service = [];
const caughtUp = [];
const bares = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const home = tempFolder();
  const catalog = await startCatalog(home);
  await load(catalog.url, 1_000_000, 1_000_100);
  const began = performance.now();
  const perSecond = await load(catalog.url, 0, DATASETS, WORKERS);
  await search(catalog.url, 'table_1');
  const throughIndex = ((DATASETS * DATASET_ASPECTS) / (performance.now() - began)) * 1000;
  await catalog.stop();
  const proposals = DATASETS * DATASET_ASPECTS;
  const raw = (proposals / straight(home, Math.ceil(proposals / 200))) * 1000;
  const bodies = batchBodies(0, DATASETS);
  const bare = await bareRate(home, { path: '/', bodies, warm: 0, clients: WORKERS, answer: '{}' });
  removeFolder(home);
  if (round === 0) continue;
  bares.push((bare * proposals) / bodies.length / raw);
  ratios.push(perSecond / raw);
  service.push(perSecond);
  caughtUp.push(throughIndex / raw);
}
console.log(`ingest, batches of 200: ${median(service).toFixed(0)} proposals/s`);
console.log(
  `ingest: ${median(ratios).toFixed(2)} x straight into SQLite (floor: 0.4; a bare server that checks nothing: ${median(bares).toFixed(2)})`,
);
console.log(`ingest until found by search: ${median(caughtUp).toFixed(2)} x straight into SQLite`);
