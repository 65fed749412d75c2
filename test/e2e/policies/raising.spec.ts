import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Model } from '../../../src/catalog/model/index.js';
import { EntityStateReader } from '../../../src/catalog/store/index.js';
import { proposal, TestCatalog, type Answer } from '../../harness/catalog.js';
import { permissionRows } from '../../harness/roles-page.js';
import { policy } from './policies.js';

/*
 * What decides who may do what, and what signs in elsewhere, on each surface that writes, by each change type: an editor, whom no policy restricts, is refused
 * and nothing has changed; an administrator is not.
 */

/** By aspect (the mark `x-managed`): an entity of the editor's that has it, what it says, and what the editor would like it to say. */
const MANAGED: Record<string, [urn: string, value: Record<string, unknown>, wish: Record<string, unknown>]> =
  {
    dataHubPolicyInfo: [
      'urn:li:dataHubPolicy:theirs',
      policy({ privileges: ['EDIT_ENTITY_TAGS'] }) as Record<string, unknown>,
      policy({ privileges: ['EDIT_ENTITY'], actors: { allUsers: true } }) as Record<string, unknown>,
    ],
    groupMembership: [
      'urn:li:corpuser:bob',
      { groups: ['urn:li:corpGroup:plain'] },
      { groups: ['urn:li:corpGroup:admins'] },
    ],
    nativeGroupMembership: [
      'urn:li:corpuser:bob',
      { nativeGroups: ['urn:li:corpGroup:plain'] },
      { nativeGroups: ['urn:li:corpGroup:admins'] },
    ],
    roleMembership: [
      'urn:li:corpuser:bob',
      { roles: ['urn:li:dataHubRole:Reader'] },
      { roles: ['urn:li:dataHubRole:Admin'] },
    ],
    corpUserCredentials: [
      'urn:li:corpuser:bob',
      { salt: 'salt', hashedPassword: 'one' },
      { salt: 'salt', hashedPassword: 'another' },
    ],
    dataHubAccessTokenInfo: [
      'urn:li:dataHubAccessToken:theirs',
      { name: 'one', actorUrn: 'urn:li:corpuser:bob', ownerUrn: 'urn:li:corpuser:bob', createdAt: 1 },
      { name: 'one', actorUrn: 'urn:li:corpuser:admin', ownerUrn: 'urn:li:corpuser:bob', createdAt: 1 },
    ],
    dataHubSecretValue: [
      'urn:li:dataHubSecret:theirs',
      { name: 'theirs', value: 'sealed' },
      { name: 'theirs', value: 'of the editor' },
    ],
    dataHubConnectionDetails: [
      'urn:li:dataHubConnection:theirs',
      { type: 'JSON', json: { encryptedBlob: 'sealed' } },
      { type: 'JSON', json: { encryptedBlob: 'of the editor' } },
    ],
  };
/** Their entities are made by anyone who may write, and deleted by managers. */
const MANAGED_KEYS: Record<string, string> = {
  dataHubPolicyKey: 'urn:li:dataHubPolicy:theirs',
  corpGroupKey: 'urn:li:corpGroup:plain',
  dataHubRoleKey: 'urn:li:dataHubRole:analyst',
};

/** What is written where. */
interface Change {
  urn: string;
  type: string;
  aspect: string;
  /** Name of its record. */
  record: string;
  wish: Record<string, unknown>;
}
type Request = [method: string, path: string, body?: unknown];
const escaped = encodeURIComponent;
const wholePatch = (wish: object) =>
  Object.entries(wish).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
const proposed = ({ urn, aspect, wish }: Change, changeType: string) =>
  proposal(
    urn,
    aspect,
    changeType === 'PATCH' ? wholePatch(wish) : changeType === 'DELETE' ? undefined : wish,
    {
      changeType,
    },
  );
const CHANGE_TYPES = ['UPSERT', 'CREATE', 'CREATE_ENTITY', 'UPDATE', 'PATCH', 'RESTATE', 'DELETE'];

/** By the row of docs/roles.md: the requests that would write the value, or delete it. */
const WRITES: Record<string, (change: Change) => Request[]> = {
  'POST /aspects?action=ingestProposal': (change) =>
    CHANGE_TYPES.flatMap((changeType) =>
      ['false', 'true'].map((async): Request => [
        'POST',
        '/aspects?action=ingestProposal',
        { proposal: proposed(change, changeType), async },
      ]),
    ),
  'POST /aspects?action=ingestProposalBatch': (change) =>
    CHANGE_TYPES.map((changeType) => [
      'POST',
      '/aspects?action=ingestProposalBatch',
      { proposals: [proposed(change, changeType)] },
    ]),
  'POST /entities?action=ingest': (change) => [
    ['POST', '/entities?action=ingest', { entity: snapshot(change) }],
  ],
  'POST /entities?action=batchIngest': (change) => [
    ['POST', '/entities?action=batchIngest', { entities: [snapshot(change)] }],
  ],
  'POST /entities?action=delete': ({ urn, aspect }) => [
    ['POST', '/entities?action=delete', { urn }],
    ['POST', '/entities?action=delete', { urn, aspectName: aspect }],
  ],
  'POST /openapi/{v2,v3}/entity/{entity}': ({ urn, type, aspect, wish }) => [
    ...['false', 'true'].map((async): Request => [
      'POST',
      `/openapi/v3/entity/${type}?async=${async}`,
      [{ urn, [aspect]: { value: wish } }],
    ]),
    ['POST', `/openapi/v2/entity/${type}?async=false`, [{ urn, aspects: { [aspect]: { value: wish } } }]],
  ],
  'PATCH /openapi/v3/entity/{entity}': ({ urn, type, aspect, wish }) => [
    [
      'PATCH',
      `/openapi/v3/entity/${type}?async=false`,
      [{ urn, [aspect]: { value: { patch: wholePatch(wish) } } }],
    ],
  ],
  'DELETE /openapi/{v2,v3}/entity/{entity}/{urn}': ({ urn, type, aspect }) => [
    ['DELETE', `/openapi/v2/entity/${type}/${escaped(urn)}`],
    ['DELETE', `/openapi/v3/entity/${type}/${escaped(urn)}`],
    ['DELETE', `/openapi/v3/entity/${type}/${escaped(urn)}?aspects=${aspect}`],
  ],
  'POST /openapi/{v2,v3}/entity/{entity}/{urn}/{aspect}': ({ urn, type, aspect, wish }) => [
    ['POST', `/openapi/v3/entity/${type}/${escaped(urn)}/${aspect}?async=false`, { value: wish }],
    ['POST', `/openapi/v2/entity/${type}/${escaped(urn)}/${aspect}?async=false`, { value: wish }],
  ],
  'PATCH /openapi/{v2,v3}/entity/{entity}/{urn}/{aspect}': ({ urn, type, aspect, wish }) =>
    ['v2', 'v3'].map((version) => [
      'PATCH',
      `/openapi/${version}/entity/${type}/${escaped(urn)}/${aspect}?async=false`,
      { patch: wholePatch(wish) },
    ]),
  'DELETE /openapi/{v2,v3}/entity/{entity}/{urn}/{aspect}': ({ urn, type, aspect }) =>
    ['v2', 'v3'].map((version) => ['DELETE', `/openapi/${version}/entity/${type}/${escaped(urn)}/${aspect}`]),
  'POST /openapi/v3/entity/generic': ({ urn, type, aspect, wish }) => [
    ['POST', '/openapi/v3/entity/generic?async=false', { [type]: [{ urn, [aspect]: { value: wish } }] }],
  ],
  'PATCH /openapi/v3/entity/generic': ({ urn, type, aspect, wish }) => [
    [
      'PATCH',
      '/openapi/v3/entity/generic?async=false',
      { [type]: [{ urn, [aspect]: { value: { patch: wholePatch(wish) } } }] },
    ],
  ],
  'POST /openapi/entities/v1': ({ urn, type, record, wish }) => [
    [
      'POST',
      '/openapi/entities/v1',
      [{ entityType: type, entityUrn: urn, aspect: { __type: record.split('.').at(-1), ...wish } }],
    ],
  ],
  'DELETE /openapi/entities/v1': ({ urn }) => [
    ['DELETE', `/openapi/entities/v1?urns=${escaped(urn)}&soft=false`],
  ],
  'POST /openapi/v2/platform/entities/v1': (change) => [
    ['POST', '/openapi/v2/platform/entities/v1', [proposed(change, 'UPSERT')]],
  ],
  'POST /openapi/platform/entities/v1': (change) => [
    ['POST', '/openapi/platform/entities/v1', [proposed(change, 'UPSERT')]],
  ],
};

/** Calls that write and name no aspect: what comes of them has tests of its own below. */
const INDIRECT = [
  'POST /entities?action=deleteReferences',
  'POST /runs?action=rollback',
  // Writes what the events are about: jobs, runs and data sets.
  'POST /openapi/openlineage/api/v1/lineage',
  // Writes the use of data sets.
  'POST /usageStats?action=batchIngest',
];

function snapshot({ urn, type, record, wish }: Change): unknown {
  const name = `${type === 'corpuser' ? 'CorpUser' : type.slice(0, 1).toUpperCase() + type.slice(1)}Snapshot`;
  return {
    value: {
      [`com.linkedin.metadata.snapshot.${name}`]: { urn, aspects: [{ [`com.linkedin.${record}`]: wish }] },
    },
  };
}

let catalog: TestCatalog;
const model = Model.load();
let editor: string;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  editor = (await catalog.issueToken({ user: 'bob', role: 'EDITOR' })).token;
  const run = { systemMetadata: { runId: 'memberships' } };
  const stored = Object.entries(MANAGED).map(([aspect, [urn, value]]) => proposal(urn, aspect, value, run));
  const others = [
    proposal('urn:li:corpGroup:plain', 'corpGroupInfo', {
      ...{ displayName: 'plain', admins: [], members: [], groups: [] },
    }),
    proposal('urn:li:dataHubRole:analyst', 'dataHubRoleInfo', { name: 'Analyst', description: 'analyses' }),
  ];
  const answer = await catalog.post('/aspects?action=ingestProposalBatch', {
    proposals: [...stored, ...others],
  });
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  expect((await standing()).map(([, version]) => version)).toEqual(Object.keys(MANAGED).map(() => 1));
});
afterAll(() => catalog?.stop());

const changeOf = (aspect: string, urn: string, wish: Record<string, unknown>): Change => ({
  ...{ urn, type: urn.split(':')[2]!, aspect, record: model.aspects.get(aspect)!.record, wish },
});
const send = ([method, path, body]: Request, token?: string): Promise<Answer> =>
  catalog.request(method, path, { ...(token && { token }), ...(body !== undefined && { body }) });

it('the mark is on what is tried here, and on nothing else', () => {
  const marked = [...model.aspects.values()].filter(({ managed }) => managed).map(({ name }) => name);
  expect(marked.sort()).toEqual([...Object.keys(MANAGED), ...Object.keys(MANAGED_KEYS)].sort());
});

it('every call that writes or deletes is tried', () => {
  const calls = permissionRows().filter(
    ({ call, needs }) => call.includes(' ') && /write|delete/.test(needs),
  );
  expect([...Object.keys(WRITES), ...INDIRECT].sort()).toEqual(calls.map(({ call }) => call).sort());
});

/** All that it says of what is managed, with the versions. */
const standing = (): Promise<unknown[][]> =>
  Promise.all(
    Object.entries(MANAGED).map(async ([aspect, [urn]]) => {
      const stored = (await catalog.provider(EntityStateReader).states([urn])).get(urn);
      const { value, version } = stored?.aspects.get(aspect) ?? {};
      return [aspect, version, value];
    }),
  );

describe.each(Object.entries(MANAGED))('%s', (aspect, [urn, , wish]) => {
  it.each(Object.entries(WRITES))('%s', async (_, requests) => {
    const before = await standing();
    for (const request of requests(changeOf(aspect, urn, wish))) {
      const { status, text } = await send(request, editor);
      expect([request, status, text]).toEqual([request, 403, text]);
    }
    expect(await standing()).toEqual(before);
  });

  it('is written by administrators on each surface', async () => {
    for (const requests of Object.values(WRITES))
      for (const request of requests(changeOf(aspect, `${urn}.of-administrators`, wish))) {
        const { status, text } = await send(request);
        expect([request, status, text]).not.toEqual([request, 403, text]);
      }
  });
});

it.each(Object.entries(MANAGED_KEYS))('%s: no entity is deleted', async (aspect, urn) => {
  for (const [call, requests] of Object.entries(WRITES)) {
    if (!/delete|DELETE/.test(call)) continue;
    for (const request of requests(changeOf(aspect, urn, {}))) {
      const { status, text } = await send(request, editor);
      expect([request, status, text]).toEqual([request, 403, text]);
    }
  }
  const proposed = { proposal: proposal(urn, aspect, undefined, { changeType: 'DELETE' }) };
  expect((await send(['POST', '/aspects?action=ingestProposal', proposed], editor)).status).toBe(403);
});

describe('what names no aspect changes none of these', () => {
  it.each(['urn:li:corpGroup:plain', 'urn:li:dataHubRole:Reader'])('references to %s', async (urn) => {
    const before = await standing();
    const answer = await send(['POST', '/entities?action=deleteReferences', { urn, dryRun: false }], editor);
    expect([answer.status, answer.text]).toEqual([403, answer.text]);
    expect(await standing()).toEqual(before);
  });

  it('a rollback of the run that wrote them', async () => {
    const before = await standing();
    const body = { runId: 'memberships', dryRun: false, hardDelete: true, safe: false };
    const { status, body: answer } = await send(['POST', '/runs?action=rollback', body], editor);
    const refused = answer.value.unsafeEntities.map(({ urn, reason }: any) => [urn, /"manage"/.test(reason)]);
    const urns = [...new Set(Object.values(MANAGED).map(([urn]) => urn))];
    expect([status, answer.value.aspectsReverted, refused.sort()]).toEqual([
      200,
      0,
      urns.sort().map((urn) => [urn, true]),
    ]);
    expect(await standing()).toEqual(before);
  });
});
