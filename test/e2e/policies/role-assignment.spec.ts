import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import {
  ANN,
  BOB,
  dataset,
  eventually,
  expectRefused,
  mutate,
  resultOf,
  graphql,
  tried,
} from '../graphql/mutating.js';
import { policy, putPolicies } from './policies.js';

const ANALYST = 'urn:li:dataHubRole:analyst';
const EDITOR = 'urn:li:dataHubRole:Editor';
const CLEO = 'urn:li:corpuser:cleo';
const ORDERS = dataset('orders');

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [ANN, 'corpUserInfo', { active: true }],
    [BOB, 'corpUserInfo', { active: true }],
    [CLEO, 'corpUserInfo', { active: true }],
    [ORDERS, 'datasetProperties', { name: 'orders' }],
    [ANALYST, 'dataHubRoleInfo', { name: 'Analyst', description: 'reads what others may not' }],
  );
});
afterAll(() => catalog?.stop());

const rolesOf = async (urn: string): Promise<unknown> => (await catalog.read(urn, 'roleMembership'))?.roles;
const accountOf = async (urn: string): Promise<any> => {
  const answer = await graphql(catalog, '{ listAccounts(input: {}) { accounts { userUrn role } } }');
  return resultOf(answer, 'listAccounts').accounts.find(
    ({ userUrn }: { userUrn: string }) => userUrn === urn,
  );
};

it('gives users a role instead of the one they had, and takes it away', async () => {
  expect(await mutate(catalog, 'batchAssignRole', { roleUrn: ANALYST, actors: [ANN, BOB] })).toBe(true);
  expect([await rolesOf(ANN), await rolesOf(BOB)]).toEqual([[ANALYST], [ANALYST]]);
  await mutate(catalog, 'batchAssignRole', { roleUrn: 'urn:li:dataHubRole:editor', actors: [BOB] });
  expect(await rolesOf(BOB)).toEqual([EDITOR]);
  await mutate(catalog, 'batchAssignRole', { actors: [ANN, BOB] });
  expect([await rolesOf(ANN), await rolesOf(BOB)]).toEqual([[], []]);
});

it('gives accounts the role too', async () => {
  await graphql(
    catalog,
    `mutation { createAccount(input: { userUrn: "${BOB}", role: READER }) { resetToken } }`,
  );
  await mutate(catalog, 'batchAssignRole', { roleUrn: EDITOR, actors: [ANN, BOB] });
  expect(await accountOf(BOB)).toEqual({ userUrn: BOB, role: 'EDITOR' });
  expect(await accountOf(ANN)).toBeUndefined();
  const none = await tried(catalog, 'batchAssignRole', { actors: [ANN, BOB] });
  expectRefused(none, 400, 'RULE_VIOLATED', '/input/actors/1');
  expect([await rolesOf(ANN), await rolesOf(BOB)]).toEqual([[EDITOR], [EDITOR]]);
});

it('is refused to those who only edit, and for what is no user or no role', async () => {
  const { token } = await catalog.issueToken({ role: 'EDITOR' });
  expectRefused(
    await tried(catalog, 'batchAssignRole', { roleUrn: EDITOR, actors: [ANN] }, token),
    403,
    'NOT_ALLOWED',
  );
  const refused = (input: object) => tried(catalog, 'batchAssignRole', input);
  expectRefused(
    await refused({ roleUrn: EDITOR, actors: [ANN, ORDERS] }),
    400,
    'PARAMETER_INVALID',
    '/input/actors/1',
  );
  expectRefused(await refused({ roleUrn: EDITOR, actors: [] }), 400, 'PARAMETER_INVALID', '/input/actors');
  expectRefused(
    await refused({ roleUrn: ORDERS, actors: [ANN] }),
    400,
    'PARAMETER_INVALID',
    '/input/roleUrn',
  );
  const absent = 'urn:li:dataHubRole:absent';
  expectRefused(await refused({ roleUrn: absent, actors: [ANN] }), 404, 'ENTITY_NOT_FOUND', '/input/roleUrn');
  const nobody = 'urn:li:corpuser:nobody-there';
  expectRefused(
    await refused({ roleUrn: EDITOR, actors: [ANN, nobody] }),
    404,
    'ENTITY_NOT_FOUND',
    '/input/actors/1',
  );
});

it('decides what policies let a user read', async () => {
  await putPolicies(catalog, {
    'catalog-readers': policy({ privileges: ['VIEW_ENTITY_PAGE'], actors: { roles: [ANALYST] } }),
  });
  const { token } = await catalog.issueToken({ role: 'READER', user: 'cleo' });
  const seen = async (): Promise<unknown> =>
    (await graphql(catalog, `{ dataset(urn: "${ORDERS}") { urn } }`, {}, token)).data.dataset;
  await eventually(async () => expect(await seen()).toBeNull());
  await mutate(catalog, 'batchAssignRole', { roleUrn: ANALYST, actors: [CLEO] });
  await eventually(async () => expect(await seen()).toEqual({ urn: ORDERS }));
});
