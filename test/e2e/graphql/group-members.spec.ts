import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, BOB, graphql, tried } from './mutating.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest(
    [ANN, 'corpUserInfo', { active: true, displayName: 'Ann Archer' }],
    [BOB, 'corpUserInfo', { active: true, displayName: 'Bob Baker' }],
  );
});
afterAll(() => catalog.stop());

const run = (field: string, input: Record<string, unknown>, token?: string) =>
  tried(catalog, field, input, token);
const make = async (input: Record<string, unknown>): Promise<string> => {
  const { data, errors } = await run('createGroup', input);
  expect(errors).toBeUndefined();
  return data.createGroup;
};
const add = (groupUrn: string, ...userUrns: string[]) => run('addGroupMembers', { groupUrn, userUrns });
const take = (groupUrn: string, ...userUrns: string[]) => run('removeGroupMembers', { groupUrn, userUrns });
const MEMBERS = `query($urn: String!) { corpGroup(urn: $urn) {
  relationships(input: { types: ["IsMemberOfGroup", "IsMemberOfNativeGroup"], direction: INCOMING, start: 0, count: 10 }) {
    total relationships { type entity { urn } }
  }
} }`;
const membersOf = async (urn: string): Promise<string[]> => {
  const { data } = await graphql(catalog, MEMBERS, { urn });
  return data.corpGroup.relationships.relationships.map(({ type, entity }: any) => `${entity.urn} ${type}`);
};
const codeOf = ({ errors }: Awaited<ReturnType<typeof graphql>>) => [
  errors?.[0]?.extensions['errorCode'],
  errors?.[0]?.extensions['pointer'],
];

describe('a group', () => {
  it('gets members and loses them, each once', async () => {
    const urn = await make({ id: 'readers', name: 'Readers' });
    expect((await add(urn, ANN, BOB, ANN)).data.addGroupMembers).toBe(true);
    expect((await add(urn, ANN)).data.addGroupMembers).toBe(true);
    expect((await membersOf(urn)).sort()).toEqual([
      `${ANN} IsMemberOfNativeGroup`,
      `${BOB} IsMemberOfNativeGroup`,
    ]);
    const groups = `{ corpUser(urn: "${ANN}") { nativeGroupMembership { nativeGroups { urn } } } }`;
    expect((await graphql(catalog, groups)).data.corpUser.nativeGroupMembership.nativeGroups).toEqual([
      { urn },
    ]);
    expect((await take(urn, ANN)).data.removeGroupMembers).toBe(true);
    expect((await take(urn, ANN)).data.removeGroupMembers).toBe(true);
    expect(await membersOf(urn)).toEqual([`${BOB} IsMemberOfNativeGroup`]);
  });

  it('of a directory has its members from there', async () => {
    const urn = 'urn:li:corpGroup:directory';
    await catalog.ingest(
      [urn, 'origin', { type: 'EXTERNAL', externalType: 'ldap' }],
      [BOB, 'groupMembership', { groups: [urn] }],
    );
    expect(codeOf(await add(urn, ANN))).toEqual(['RULE_VIOLATED', '/input/groupUrn']);
    expect(await membersOf(urn)).toEqual([`${BOB} IsMemberOfGroup`]);
  });

  it('is changed by administrators only', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    const urn = await make({ id: 'stewards', name: 'Stewards' });
    const calls = [
      run('createGroup', { name: 'mine' }, token),
      run('addGroupMembers', { groupUrn: urn, userUrns: [ANN] }, token),
      run('removeGroupMembers', { groupUrn: urn, userUrns: [ANN] }, token),
      graphql(catalog, `mutation { removeGroup(urn: "${urn}") }`, {}, token),
      graphql(catalog, `mutation { removeUser(urn: "${ANN}") }`, {}, token),
    ];
    for (const answer of await Promise.all(calls)) expect(codeOf(answer)[0]).toBe('NOT_ALLOWED');
  });
});
