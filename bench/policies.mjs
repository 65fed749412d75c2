// Access policies: what a caller pays who may see one in a hundred datasets by one of a thousand policies.
// On servers when STACK_DATABASE_URL, STACK_REDIS_URL and STACK_SEARCH_URL name them, with one process that serves and one that
// follows the log. LOADED=<folder> keeps what was loaded, and later runs of the same size measure on a copy of it (embedded only).
// ONLY=ingest measures what has that word.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  call,
  DATASET_ASPECTS,
  datasetProposals,
  load,
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
const POLICIES = Number(process.env.POLICIES ?? 1_000);
const CALLS = Number(process.env.CALLS ?? 400);
const ROUNDS = Number(process.env.ROUNDS ?? 7);
/** Callers take turns so often in a round: what else the machine does meets both. */
const TURNS = 4;

const home = tempFolder();
const servers = await freshPlace();
const loaded = process.env.LOADED && !servers && join(process.env.LOADED, `policies-${DATASETS}`);
const isLoaded = Boolean(loaded) && existsSync(loaded);
if (isLoaded) cpSync(loaded, home, { recursive: true });
// The load is heavy, and is not what is measured.
const environment = { CATALOG_SHED_DELAY_MS: '60000', ...servers?.environment };
const start = () => startCatalog(home, { ...environment, ...(servers && { CATALOG_ROLE: 'api' }) });
let catalog = await start();
const workerHome = tempFolder();
const worker = servers && (await startWorker(workerHome, environment));
const post = (path, body, token) =>
  call(`${catalog.url}${path}`, { method: 'POST', body: JSON.stringify(body), token });
const urnOf = (i) => datasetProposals(i)[0].entityUrn;
const domainOf = (i) => `urn:li:domain:d${i % 100}`;
const proposal = (entityUrn, aspectName, value) => ({
  ...{ entityType: entityUrn.split(':')[2], entityUrn, changeType: 'UPSERT', aspectName },
  aspect: { value: JSON.stringify(value), contentType: 'application/json' },
});
const ingest = (proposals, token) =>
  post('/aspects?action=ingestProposalBatch', { proposals, async: 'false' }, token);

if (!isLoaded) {
  console.log(`loading ${DATASETS} datasets in 100 domains`);
  await load(catalog.url, 0, DATASETS);
  for (let i = 0; i < DATASETS; i += 1_000) {
    const page = Array.from({ length: Math.min(1_000, DATASETS - i) }, (_, k) => i + k);
    await ingest(page.map((k) => proposal(urnOf(k), 'domains', { domains: [domainOf(k)] })));
  }
  await search(catalog.url, '*');
  if (loaded) {
    await catalog.stop();
    cpSync(home, loaded, { recursive: true });
    catalog = await start();
  }
}
const actors = { allUsers: false, allGroups: false, resourceOwners: false };
const policy = (value) => ({
  displayName: 'bench',
  description: '',
  type: 'METADATA',
  state: 'ACTIVE',
  actors,
  ...value,
});
const EDITS = ['VIEW_ENTITY_PAGE', 'EDIT_ENTITY', 'CREATE_ENTITY', 'DELETE_ENTITY'];
await ingest([
  ...['catalog-readers', 'catalog-editors'].map((id) =>
    proposal(
      `urn:li:dataHubPolicy:${id}`,
      'dataHubPolicyInfo',
      policy({ state: 'INACTIVE', privileges: EDITS }),
    ),
  ),
  // All are about the caller; those of domains that hold nothing let nothing more be seen.
  ...Array.from({ length: POLICIES }, (_, i) =>
    proposal(
      `urn:li:dataHubPolicy:p${i}`,
      'dataHubPolicyInfo',
      policy({
        privileges: EDITS,
        actors: { ...actors, users: ['urn:li:corpuser:limited'] },
        resources: {
          filter: {
            criteria: [{ field: 'DOMAIN', values: [i === 0 ? domainOf(0) : `urn:li:domain:none${i}`] }],
          },
        },
      }),
    ),
  ),
]);
const made = await post('/api/graphql', {
  query: `mutation { createAccessToken(input: { type: PERSONAL, actorUrn: "urn:li:corpuser:limited", duration: ONE_DAY,
    role: EDITOR, name: "bench" }) { accessToken } }`,
});
const limited = JSON.parse(made).data.createAccessToken.accessToken;
await search(catalog.url, '*');

const own = { or: [{ and: [{ field: 'domains', condition: 'EQUAL', values: [domainOf(0)] }] }] };
const searching = (input, token, filter) =>
  post(
    '/entities?action=search',
    { entity: 'dataset', input, start: 0, count: 10, ...(filter && { filter }) },
    token,
  );
const ofPlatform = {
  or: [{ and: [{ field: 'platform', condition: 'EQUAL', values: ['urn:li:dataPlatform:postgres'] }] }],
};
const total = async (token) => JSON.parse(await searching('*', token)).value.numEntities;
// On servers a search waits for the index for a moment only.
while ((await total(limited)) < DATASETS / 100) await new Promise((resolve) => setTimeout(resolve, 500));
console.log(`the caller sees ${await total(limited)} of ${await total()} datasets`);

let written = 0;
/** Sends datasets of the caller's domain as a crawler does, in batches of `size` datasets. */
const writing = (size, numberOf, change) => (token) => async () => {
  const batch = Array.from({ length: size }, () => {
    written += 1;
    const i = numberOf(written);
    const sent = datasetProposals(i).map((one) => ({ ...one, systemMetadata: { runId: `r${written}` } }));
    return [...sent, ...(change?.(i) ?? [])];
  });
  await ingest(batch.flat(), token);
};
const owned = (n) => (n * 100) % DATASETS;
/** What the caller does, what an administrator does to get the same, and how the floor is meant. */
const WORK = {
  'search of everything with facets, against the same as a filter': [
    () => searching('*', limited),
    () => searching('*', undefined, own),
    'at least 0.67',
  ],
  'search of a common word with facets, against the same with a filter': [
    () => searching('rows about', limited),
    () => searching('rows about', undefined, own),
    'at least 0.67',
  ],
  'search of a common word with facets, against one of all datasets': [
    () => searching('rows about', limited),
    () => searching('rows about'),
    'at least 0.67',
  ],
  'search with a filter by platform and facets, against the same without policies': [
    () => searching('*', limited, ofPlatform),
    () => searching('*', undefined, ofPlatform),
    'at least 0.67',
  ],
  'read of one entity': [
    (i) => call(`${catalog.url}/entitiesV2/${encodeURIComponent(urnOf(owned(i)))}`, { token: limited }),
    (i) => call(`${catalog.url}/entitiesV2/${encodeURIComponent(urnOf(owned(i)))}`),
    'at least 0.91',
    // One takes microseconds: fewer would measure what is found out about the caller every two seconds.
    20,
  ],
  ...Object.fromEntries(
    Object.entries({
      [`ingest of datasets that are there as they are, ${DATASET_ASPECTS} aspects a request`]: writing(
        1,
        owned,
      ),
      [`ingest of datasets of which one aspect has changed, ${DATASET_ASPECTS + 1} aspects a request`]:
        writing(1, owned, (i) => [
          proposal(urnOf(i), 'editableDatasetProperties', { description: `edition ${written}` }),
        ]),
      'ingest of new datasets, 200 proposals a request': [writing(28, (n) => DATASETS + n, inOwn), 0.1],
    }).map(([name, said]) => {
      const [write, times] = Array.isArray(said) ? said : [said, 1];
      return [name, [write(limited), write(undefined), 'at least 0.95', times]];
    }),
  ),
};
function inOwn(i) {
  return [proposal(urnOf(i), 'domains', { domains: [domainOf(0)] })];
}

for (const [name, [asLimited, asAdministrator, floor, times = 1]] of Object.entries(WORK)) {
  if (!name.includes(process.env.ONLY ?? '')) continue;
  const [rates, processor] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [took, cost] = [
      [0, 0],
      [0, 0],
    ];
    for (let turn = 0; turn < TURNS; turn += 1)
      // Who begins changes from turn to turn.
      for (const index of (round + turn) % 2 === 0 ? [0, 1] : [1, 0]) {
        const calls = Math.ceil((times * CALLS) / TURNS);
        const before = processorMs(catalog.pid);
        took[index] += calls / (await rate([asLimited, asAdministrator][index], calls, 8));
        cost[index] += processorMs(catalog.pid) - before;
      }
    // The first round warms up.
    if (round === 0) continue;
    rates.push(took[1] / took[0]);
    processor.push(cost[1] / cost[0]);
  }
  console.log(
    `${name}: ${median(rates).toFixed(2)} x in calls a second, ${median(processor).toFixed(2)} x by processor time (floor: ${floor})`,
  );
}
await catalog.stop();
await worker?.stop();
await servers?.drop();
removeFolder(home);
removeFolder(workerHome);
