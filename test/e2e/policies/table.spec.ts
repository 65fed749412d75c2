import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, proposal, TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset, policy, putPolicies } from './policies.js';

/**
 * What comes of an operation: it is done; the caller may not; it ends as for what does not exist; the caller is not known.
 */
type Verdict = 'done' | 'refused' | 'absent' | 'unknown';
/** One entity that nothing is said of, one that nobody may change, one that nobody may see, and none. */
type State = 'open' | 'locked' | 'hidden' | 'none';
/** `change` needs what is there, `write` makes what is not there. */
type Kind = 'read' | 'change' | 'write' | 'remove';
type Caller = 'nobody' | 'reader' | 'editor' | 'admin';

const all = (verdict: Verdict): Record<State, Verdict> => ({
  ...{ open: verdict, locked: verdict, hidden: verdict, none: verdict },
});
const READS: Record<State, Verdict> = { open: 'done', locked: 'done', hidden: 'absent', none: 'absent' };
const CHANGES: Record<State, Verdict> = { open: 'done', locked: 'refused', hidden: 'absent', none: 'absent' };

/** What should be. */
const TABLE: Record<Caller, Record<Kind, Record<State, Verdict>>> = {
  nobody: { read: all('unknown'), change: all('unknown'), write: all('unknown'), remove: all('unknown') },
  reader: { read: READS, change: all('refused'), write: all('refused'), remove: all('refused') },
  editor: {
    read: READS,
    change: CHANGES,
    write: { open: 'done', locked: 'refused', hidden: 'refused', none: 'done' },
    remove: CHANGES,
  },
  admin: {
    read: { ...all('done'), none: 'absent' },
    change: { ...all('done'), none: 'absent' },
    write: all('done'),
    remove: { ...all('done'), none: 'absent' },
  },
};

const STATES: readonly State[] = ['open', 'locked', 'hidden', 'none'];
const CALLERS: readonly Caller[] = ['nobody', 'reader', 'editor', 'admin'];
const urnIn = encodeURIComponent;
const PROPERTIES = { name: 'table', description: 'said anew' };

type Ask = (of: string) => [method: string, path: string, body?: unknown];
const mutation = (text: (of: string) => string): Ask => {
  return (of) => ['POST', '/api/graphql', { query: `mutation { ${text(of)} }` }];
};
const proposed = (more: object): Ask => {
  return (of) => [
    'POST',
    '/aspects?action=ingestProposal',
    { proposal: proposal(of, 'editableDatasetProperties', { description: 'anew' }, { ...more }) },
  ];
};
const snapshot = (of: string) => ({
  value: {
    'com.linkedin.metadata.snapshot.DatasetSnapshot': {
      urn: of,
      aspects: [{ 'com.linkedin.dataset.DatasetProperties': PROPERTIES }],
    },
  },
});

/** Operations by surface. */
const OPERATIONS: Record<Kind, Record<string, Ask>> = {
  read: {
    'aspect API: an entity': (of) => ['GET', `/entitiesV2/${urnIn(of)}`],
    'aspect API: an aspect': (of) => ['GET', `/aspects/${urnIn(of)}?aspect=datasetProperties&version=0`],
    'aspect API: existence': (of) => ['POST', '/entities?action=exists', { urn: of }],
    'OpenAPI v3: an entity': (of) => ['GET', `/openapi/v3/entity/dataset/${urnIn(of)}`],
    'OpenAPI v3: an aspect': (of) => ['GET', `/openapi/v3/entity/dataset/${urnIn(of)}/datasetProperties`],
    'OpenAPI v3: several': (of) => ['POST', '/openapi/v3/entity/dataset/batchGet', [{ urn: of }]],
    'OpenAPI v2: an entity': (of) => ['GET', `/openapi/v2/entity/dataset/${urnIn(of)}`],
    'OpenAPI v1: an entity': (of) => ['GET', `/openapi/entities/v1/latest?urns=${urnIn(of)}`],
    'GraphQL: a dataset': (of) => ['POST', '/api/graphql', { query: `{ dataset(urn: "${of}") { urn } }` }],
    'GraphQL: existence': (of) => ['POST', '/api/graphql', { query: `{ entityExists(urn: "${of}") }` }],
  },
  change: {
    'aspect API: UPDATE': (of) => [
      'POST',
      '/aspects?action=ingestProposal',
      { proposal: proposal(of, 'datasetProperties', PROPERTIES, { changeType: 'UPDATE' }) },
    ],
    'OpenAPI v3: an aspect that is there': (of) => [
      'POST',
      `/openapi/v3/entity/dataset/${urnIn(of)}/datasetProperties?async=false&createIfNotExists=false`,
      { value: PROPERTIES },
    ],
    'GraphQL: addTag': mutation((of) => `addTag(input: { tagUrn: "urn:li:tag:new", resourceUrn: "${of}" })`),
    'GraphQL: setDomain': mutation((of) => `setDomain(entityUrn: "${of}", domainUrn: "urn:li:domain:new")`),
    'GraphQL: updateDeprecation': mutation(
      (of) => `updateDeprecation(input: { urn: "${of}", deprecated: true, note: "old" })`,
    ),
    'GraphQL: updateDataset': mutation(
      (of) =>
        `updateDataset(urn: "${of}", input: { editableProperties: { description: "anew" } }) { __typename }`,
    ),
    'GraphQL: addOwner': mutation(
      (of) =>
        `addOwner(input: { ownerUrn: "urn:li:corpuser:new", ownerEntityType: CORP_USER, resourceUrn: "${of}" })`,
    ),
  },
  write: {
    'aspect API: UPSERT': proposed({}),
    'aspect API: a batch': (of) => [
      'POST',
      '/aspects?action=ingestProposalBatch',
      { proposals: [proposal(of, 'datasetProperties', PROPERTIES)] },
    ],
    'aspect API: a snapshot': (of) => ['POST', '/entities?action=ingest', { entity: snapshot(of) }],
    'aspect API: an event': (of) => [
      'POST',
      '/aspects?action=ingestProposal',
      {
        proposal: proposal(of, 'operation', {
          ...{ timestampMillis: Date.now(), operationType: 'INSERT', lastUpdatedTimestamp: Date.now() },
        }),
      },
    ],
    'OpenAPI v3: an entity': (of) => [
      'POST',
      '/openapi/v3/entity/dataset?async=false',
      [{ urn: of, datasetProperties: { value: PROPERTIES } }],
    ],
    'OpenAPI v3: an aspect': (of) => [
      'POST',
      `/openapi/v3/entity/dataset/${urnIn(of)}/datasetProperties?async=false`,
      { value: PROPERTIES },
    ],
    'OpenAPI v2: an entity': (of) => [
      'POST',
      '/openapi/v2/entity/dataset?async=false',
      [{ urn: of, aspects: { datasetProperties: { value: PROPERTIES } } }],
    ],
    'OpenAPI v1: proposals': (of) => [
      'POST',
      '/openapi/platform/entities/v1',
      [proposal(of, 'datasetProperties', PROPERTIES)],
    ],
  },
  remove: {
    'aspect API: an entity': (of) => ['POST', '/entities?action=delete', { urn: of }],
    'OpenAPI v3: an entity': (of) => ['DELETE', `/openapi/v3/entity/dataset/${urnIn(of)}?async=false`],
    'OpenAPI v3: an aspect': (of) => ['DELETE', `/openapi/v3/entity/dataset/${urnIn(of)}/datasetProperties`],
    'OpenAPI v2: an entity': (of) => ['DELETE', `/openapi/v2/entity/dataset/${urnIn(of)}`],
    'OpenAPI v1: an entity, for good': (of) => [
      'DELETE',
      `/openapi/entities/v1?urns=${urnIn(of)}&soft=false`,
    ],
    'GraphQL: a mark': mutation((of) => `batchUpdateSoftDeleted(input: { urns: ["${of}"], deleted: true })`),
  },
};

const GRID = (Object.keys(OPERATIONS) as Kind[]).flatMap((kind) =>
  Object.keys(OPERATIONS[kind]).map((name): [Kind, string] => [kind, name]),
);

/** Each test has entities of its own. */
function namesOf(kind: Kind, operation: string, caller: Caller): Record<State, string> {
  const own = `grid.${GRID.findIndex(([k, o]) => k === kind && o === operation)}.${caller}`;
  return { open: `${own}.open`, locked: `${own}.locked`, hidden: `${own}.hidden`, none: `${own}.none` };
}

let catalog: TestCatalog;
const tokens: Record<Caller, string | null> = { nobody: null, reader: '', editor: '', admin: ADMIN_TOKEN };

beforeAll(async () => {
  catalog = await TestCatalog.start();
  tokens.reader = (await catalog.issueToken({ user: 'rita', role: 'READER' })).token;
  tokens.editor = (await catalog.issueToken({ user: 'egon', role: 'EDITOR' })).token;
  await catalog.ingest(
    ['urn:li:tag:new', 'tagProperties', { name: 'new' }],
    ['urn:li:domain:new', 'domainProperties', { name: 'new' }],
    ['urn:li:corpuser:new', 'corpUserInfo', { active: true }],
    ...GRID.flatMap(([kind, operation]) =>
      CALLERS.flatMap((caller) =>
        (['open', 'locked', 'hidden'] as const).flatMap((state): Array<[string, string, unknown]> => {
          const urn = dataset(namesOf(kind, operation, caller)[state]);
          return [
            [urn, 'datasetProperties', { name: 'table' }],
            [urn, 'globalTags', { tags: [{ tag: `urn:li:tag:${state}` }] }],
          ];
        }),
      ),
    ),
  );
  const denied = (tag: string, ...privileges: string[]) =>
    policy({
      privileges,
      effect: 'DENY',
      actors: { allUsers: true },
      criteria: [{ field: 'TAG', values: [`urn:li:tag:${tag}`] }],
    });
  await putPolicies(catalog, {
    locked: denied('locked', 'EDIT_ENTITY', 'DELETE_ENTITY', 'EDIT_ENTITY_TAGS'),
    hidden: denied('hidden', 'VIEW_ENTITY_PAGE'),
  });
});
afterAll(() => catalog?.stop());

/** An answer without the name of what was asked for. */
const bare = ({ status, text }: Answer, name: string): string =>
  `${status} ${text
    .replaceAll(name, 'NAME')
    .replaceAll(/"(requestId|timestamp|timestampMillis)":("[^"]*"|\d+)/g, '')}`;

describe.each(GRID)('%s: %s', (kind, operation) => {
  it.each(CALLERS)('by %s', async (caller) => {
    const names = namesOf(kind, operation, caller);
    const never = `${names.none}.either`;
    const ask = (name: string): Promise<Answer> => {
      const [method, path, body] = OPERATIONS[kind][operation]!(dataset(name));
      return catalog.request(method, path, { token: tokens[caller], ...(body !== undefined && { body }) });
    };
    const nothing = bare(await ask(never), never);
    const seen: Record<string, string> = {};
    for (const state of STATES) {
      const answer = await ask(names[state]);
      const refused =
        answer.status === 403 || answer.body?.errors?.[0]?.extensions?.errorCode === 'NOT_ALLOWED';
      const said = bare(answer, names[state]);
      if (answer.status === 401) seen[state] = 'unknown';
      else if (refused) seen[state] = 'refused';
      else if (kind !== 'write' && said === nothing) seen[state] = 'absent';
      else seen[state] = answer.status < 300 && answer.body?.errors === undefined ? 'done' : said;
    }
    expect(seen).toEqual(TABLE[caller][kind]);
  });
});

it('a tag that is hidden cannot be told from one that does not exist by putting it somewhere', async () => {
  await catalog.ingest(
    [dataset('grid.tagged'), 'datasetProperties', { name: 'tagged' }],
    ['urn:li:tag:secret', 'tagProperties', { name: 'secret' }],
  );
  await putPolicies(catalog, {
    tags: policy({
      privileges: ['VIEW_ENTITY_PAGE'],
      effect: 'DENY',
      actors: { allUsers: true },
      criteria: [{ field: 'URN', values: ['urn:li:tag:secret', 'urn:li:tag:never'] }],
    }),
  });
  const add = async (tag: string, token: string | null) =>
    bare(
      await catalog.post(
        '/api/graphql',
        {
          query: `mutation { addTag(input: { tagUrn: "${tag}", resourceUrn: "${dataset('grid.tagged')}" }) }`,
        },
        { token },
      ),
      tag,
    );
  const { editor, admin } = tokens;
  expect(await add('urn:li:tag:secret', editor)).toBe(await add('urn:li:tag:never', editor));
  expect(await add('urn:li:tag:secret', admin)).not.toBe(await add('urn:li:tag:never', admin));
});
