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
    ann = (await catalog.issueToken({ user: 'ann', role: 'EDITOR', durationMs: 864_000_000 })).token;
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

  describe('that make others', () => {
    const REVOKE = 'mutation($id: String!) { revokeAccessToken(tokenId: $id) }';
    const ME = '{ me { corpUser { urn } } }';
    const create = (token: string, more: object = {}) =>
      graphql(
        catalog,
        CREATE.replace('expiresAt }', 'expiresAt parentId }'),
        {
          input: {
            type: 'PERSONAL',
            actorUrn: 'urn:li:corpuser:eve',
            duration: 'ONE_HOUR',
            name: 'x',
            ...more,
          },
        },
        { token },
      );
    const eve = (role: 'READER' | 'EDITOR' | 'ADMIN', durationMs: number) =>
      catalog.issueToken({ user: 'eve', role, durationMs });

    it('make none that outlives them', async () => {
      const { token } = await eve('EDITOR', 1_800_000);
      const [error] = (await create(token)).body.errors;
      expect(error.extensions).toMatchObject({
        code: 400,
        errorCode: 'RULE_VIOLATED',
        pointer: '/input/duration',
      });
      expect(error.message).toContain('cannot outlive');
    });

    it('are revoked with all that they made, and name their parent', async () => {
      const root = await eve('EDITOR', 100_000_000);
      const child = (await create(root.token)).body.data.createAccessToken;
      expect(child.metadata.parentId).toBe(root.id);
      const grandchild = (await create(child.accessToken)).body.errors;
      // It would end later than its parent, by what has passed since.
      expect(grandchild[0].extensions.pointer).toBe('/input/duration');
      expect((await graphql(catalog, REVOKE, { id: root.id })).body.data).toEqual({
        revokeAccessToken: true,
      });
      for (const token of [root.token, child.accessToken])
        expect((await graphql(catalog, ME, undefined, { token })).status).toBe(401);
    });

    it('leave nothing behind that was made while they were revoked', async () => {
      const { id, token } = await catalog.issueToken({
        user: 'kim',
        role: 'READER',
        durationMs: 100_000_000,
      });
      const kim = { actorUrn: 'urn:li:corpuser:kim' };
      const [, ...made] = await Promise.all([
        graphql(catalog, REVOKE, { id }),
        ...Array.from({ length: 8 }, () => create(token, kim)),
      ]);
      const alive = made.flatMap(({ body }) => body.data?.createAccessToken?.accessToken ?? []);
      for (const child of alive)
        expect((await graphql(catalog, ME, undefined, { token: child })).status).toBe(401);
    });

    it('revoke none that may do more than they', async () => {
      const [weak, strong] = [await eve('READER', 3_600_000), await eve('ADMIN', 3_600_000)];
      const { body } = await graphql(catalog, REVOKE, { id: strong.id }, { token: weak.token });
      expect(body.errors[0].extensions).toMatchObject({ code: 403, errorCode: 'NOT_ALLOWED' });
      expect((await graphql(catalog, ME, undefined, { token: strong.token })).status).toBe(200);
    });

    it('make so many in a minute, and are told when to come again', async () => {
      const { token } = await eve('READER', 100_000_000);
      const made = 'a: createAccessToken(input: $input) { accessToken }';
      const aliases = Array.from({ length: 40 }, (_, i) => made.replace('a:', `a${i}:`)).join(' ');
      const input = { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:eve', duration: 'ONE_HOUR', name: 'x' };
      const answer = await graphql(
        catalog,
        `mutation($input: CreateAccessTokenInput!) { ${aliases} }`,
        { input },
        { token },
      );
      const refused = answer.body.errors.at(-1);
      expect(refused.extensions).toMatchObject({ code: 429, errorCode: 'TOO_MANY_REQUESTS' });
      expect(refused.message).toContain('and may make 30');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    });

    it('have names and descriptions of a limited length', async () => {
      const { token } = await catalog.issueToken({ user: 'eve', role: 'ADMIN' });
      for (const more of [{ name: 'x'.repeat(513) }, { description: 'x'.repeat(1001) }]) {
        const [error] = (await create(token, { actorUrn: 'urn:li:corpuser:max', ...more })).body.errors;
        expect(error.extensions.pointer).toBe(`/input/${Object.keys(more)[0]}`);
      }
    });
  });

  it('shows the tokens of others to administrators only', async () => {
    const all = '{ listAccessTokens(input: {}) { total tokens { actorUrn } } }';
    expect((await data(catalog, all)).listAccessTokens.total).toBeGreaterThan(0);
    const bobs =
      '{ listAccessTokens(input: { filters: [{ field: "actorUrn", values: ["urn:li:corpuser:bob"] }] }) { total } }';
    const error = await failure(catalog, bobs, undefined, { token: ann });
    expect(error.extensions).toMatchObject({ code: 403, type: 'UNAUTHORIZED' });
  });

  it('finds those that have ended, until they are taken back, as clean-ups ask', async () => {
    const ended = await catalog.issueToken({ user: 'carl', durationMs: -1 });
    await catalog.issueToken({ user: 'carl', durationMs: 3_600_000 });
    const list = `query ($filters: [FacetFilterInput!]) {
      listAccessTokens(input: { filters: $filters }) { total tokens { id } }
    }`;
    const carl = { field: 'actorUrn', values: ['urn:li:corpuser:carl'] };
    const before = { field: 'expiresAt', condition: 'LESS_THAN', values: [String(Date.now() + 60_000)] };
    const found = async () => (await data(catalog, list, { filters: [carl, before] })).listAccessTokens;
    expect(await found()).toEqual({ total: 1, tokens: [{ id: ended.id }] });
    await data(catalog, 'mutation ($id: String!) { revokeAccessToken(tokenId: $id) }', { id: ended.id });
    expect(await found()).toEqual({ total: 0, tokens: [] });
    for (const wrong of [
      { ...before, condition: 'GREATER_THAN' },
      { ...before, values: ['soon'] },
    ])
      expect((await failure(catalog, list, { filters: [wrong] })).extensions).toMatchObject({
        errorCode: 'FILTER_INVALID',
      });
  });
});
