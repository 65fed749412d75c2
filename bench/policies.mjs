// Access policies: what a caller pays who may see one in a hundred datasets by one of a thousand policies.
import {
  call,
  DATASET_ASPECTS,
  datasetProposals,
  load,
  median,
  rate,
  removeFolder,
  search,
  startCatalog,
  tempFolder,
} from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 100_000);
const POLICIES = Number(process.env.POLICIES ?? 1_000);
const CALLS = Number(process.env.CALLS ?? 400);
const ROUNDS = Number(process.env.ROUNDS ?? 7);

const home = tempFolder();
const { url, stop } = await startCatalog(home);
const post = (path, body, token) =>
  call(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), token });
const urnOf = (i) => datasetProposals(i)[0].entityUrn;
const domainOf = (i) => `urn:li:domain:d${i % 100}`;
const proposal = (entityUrn, aspectName, value) => ({
  ...{ entityType: entityUrn.split(':')[2], entityUrn, changeType: 'UPSERT', aspectName },
  aspect: { value: JSON.stringify(value), contentType: 'application/json' },
});
const ingest = (proposals, token) =>
  post('/aspects?action=ingestProposalBatch', { proposals, async: 'false' }, token);

console.log(`loading ${DATASETS} datasets in 100 domains`);
await load(url, 0, DATASETS);
for (let i = 0; i < DATASETS; i += 1_000) {
  const page = Array.from({ length: Math.min(1_000, DATASETS - i) }, (_, k) => i + k);
  await ingest(page.map((k) => proposal(urnOf(k), 'domains', { domains: [domainOf(k)] })));
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
await search(url, '*');

const own = { or: [{ and: [{ field: 'domains', condition: 'EQUAL', values: [domainOf(0)] }] }] };
const searching = (input, token, filter) =>
  post(
    '/entities?action=search',
    { entity: 'dataset', input, start: 0, count: 10, ...(filter && { filter }) },
    token,
  );
const total = async (token) => JSON.parse(await searching('*', token)).value.numEntities;
console.log(`the caller sees ${await total(limited)} of ${await total()} datasets`);

let written = 0;
const writing = (token) => async () => {
  const i = (written++ * 100) % DATASETS;
  await ingest(
    datasetProposals(i).map((one) => ({ ...one, systemMetadata: { runId: `r${written}` } })),
    token,
  );
};
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
  'read of one entity': [
    (i) => call(`${url}/entitiesV2/${encodeURIComponent(urnOf((i * 100) % DATASETS))}`, { token: limited }),
    (i) => call(`${url}/entitiesV2/${encodeURIComponent(urnOf((i * 100) % DATASETS))}`),
    'at least 0.91',
    // One takes microseconds: fewer would measure what is found out about the caller every two seconds.
    100,
  ],
  [`ingest of ${DATASET_ASPECTS} aspects of a dataset`]: [
    writing(limited),
    writing(undefined),
    'at least 0.95',
  ],
};
for (const [name, [asLimited, asAdministrator, floor, times = 1]] of Object.entries(WORK)) {
  const rates = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const seen = [];
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0])
      seen[index] = await rate([asLimited, asAdministrator][index], times * CALLS, 8);
    // The first round warms up.
    if (round > 0) rates.push(seen[0] / seen[1]);
  }
  console.log(`${name}: ${median(rates).toFixed(2)} x in calls a second (floor: ${floor})`);
}
await stop();
removeFolder(home);
