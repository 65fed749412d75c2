import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure, graphql } from './support.js';

const ANN = 'urn:li:corpuser:ann';
const CREATE = `mutation createAccessToken($input: CreateAccessTokenInput!) {
  createAccessToken(input: $input) { accessToken metadata { urn id name actorUrn ownerUrn role createdAt expiresAt } }
}`;

describe('access tokens over GraphQL', () => {
  let catalog: TestCatalog;
  let ann: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    ann = (await catalog.issueToken({ user: 'ann', role: 'EDITOR' })).token;
  });
  afterAll(() => catalog.stop());

  it('says who is calling and what they may do', async () => {
    const answer = await graphql(
      catalog,
      '{ me { corpUser { urn username } platformPrivileges { manageTokens createTags } } }',
      undefined,
      { token: ann },
    );
    expect(answer.body).toEqual({
      data: {
        me: {
          corpUser: { urn: ANN, username: 'ann' },
          platformPrivileges: { manageTokens: false, createTags: true },
        },
      },
      extensions: {},
    });
  });

  it('makes a token that works, lists it, and takes it back', async () => {
    const input = { type: 'PERSONAL', actorUrn: ANN, duration: 'ONE_DAY', name: 'mine' };
    const made = await graphql(catalog, CREATE, { input }, { token: ann });
    const { accessToken, metadata } = made.body.data.createAccessToken;
    expect(metadata).toMatchObject({ name: 'mine', actorUrn: ANN, ownerUrn: ANN, role: 'EDITOR' });
    expect(metadata.expiresAt - metadata.createdAt).toBe(86_400_000);
    const me = await graphql(catalog, '{ me { corpUser { urn } } }', undefined, { token: accessToken });
    expect(me.body.data.me.corpUser.urn).toBe(ANN);

    const mine =
      '{ listAccessTokens(input: { filters: [{ field: "ownerUrn", values: ["urn:li:corpuser:ann"] }] }) { total tokens { id name } } }';
    const listed = await graphql(catalog, mine, undefined, { token: ann });
    expect(listed.body.data.listAccessTokens).toEqual({
      total: 1,
      tokens: [{ id: metadata.id, name: 'mine' }],
    });
    const known = await data(catalog, 'query($t: String!) { getAccessTokenMetadata(token: $t) { id } }', {
      t: accessToken,
    });
    expect(known.getAccessTokenMetadata).toEqual({ id: metadata.id });

    const revoke = 'mutation($id: String!) { revokeAccessToken(tokenId: $id) }';
    expect((await graphql(catalog, revoke, { id: metadata.id }, { token: ann })).body.data).toEqual({
      revokeAccessToken: true,
    });
    expect(
      (await graphql(catalog, '{ me { corpUser { urn } } }', undefined, { token: accessToken })).status,
    ).toBe(401);
  });

  it.each([
    ['a token without an end', { actorUrn: ANN, duration: 'NO_EXPIRY' }, 403, 'NOT_ALLOWED'],
    ['a token of somebody else', { actorUrn: 'urn:li:corpuser:bob' }, 403, 'NOT_ALLOWED'],
    ['a token that may do more', { actorUrn: ANN, role: 'ADMIN' }, 403, 'NOT_ALLOWED'],
    ['a token of no user', { actorUrn: 'urn:li:tag:x' }, 400, 'PARAMETER_INVALID'],
  ])('refuses %s', async (_what, more, code, errorCode) => {
    const input = { type: 'PERSONAL', duration: 'ONE_HOUR', name: 'x', ...more };
    const error = await failure(catalog, CREATE, { input }, { token: ann });
    expect(error.extensions).toMatchObject({ code, errorCode, classification: 'DataFetchingException' });
    if (code === 400) expect(error.extensions.pointer).toBe('/input/actorUrn');
  });

  it('shows the tokens of others to administrators only', async () => {
    const all = '{ listAccessTokens(input: {}) { total tokens { actorUrn } } }';
    expect((await data(catalog, all)).listAccessTokens.total).toBeGreaterThan(0);
    const bobs =
      '{ listAccessTokens(input: { filters: [{ field: "actorUrn", values: ["urn:li:corpuser:bob"] }] }) { total } }';
    const error = await failure(catalog, bobs, undefined, { token: ann });
    expect(error.extensions).toMatchObject({ code: 403, type: 'UNAUTHORIZED' });
  });
});
