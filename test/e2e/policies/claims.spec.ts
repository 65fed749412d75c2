import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, statusOf, TestCatalog, type Answer } from '../../harness/catalog.js';
import { TestIssuer } from '../../harness/test-issuer.js';
import { settled } from '../openapi/support.js';
import { dataset, policy, putPolicies } from './policies.js';

const [ORDERS, SALARIES] = [dataset('shop.orders'), dataset('shop.salaries')];
const urn = encodeURIComponent;
const NOBODY = { allUsers: false };

/** Policies know who calls by a token of an identity provider by the claims of that token. */
describe('policies for callers with tokens of identity providers', () => {
  let first: TestIssuer;
  let second: TestIssuer;
  let catalog: TestCatalog;
  beforeAll(async () => {
    [first, second] = [await TestIssuer.start(), await TestIssuer.start()];
    catalog = await TestCatalog.start({
      CATALOG_OIDC_ISSUER: `${first.url} ${second.url}`,
      CATALOG_OIDC_AUDIENCE: 'catalog',
      CATALOG_OIDC_ROLES: 'writers=EDITOR admins=ADMIN',
      CATALOG_OIDC_DEFAULT_ROLE: 'reader',
    });
    await catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders' }],
      [ORDERS, 'domains', { domains: ['urn:li:domain:sales'] }],
      [SALARIES, 'datasetProperties', { name: 'salaries' }],
      [SALARIES, 'domains', { domains: ['urn:li:domain:hr'] }],
    );
    const hr = [{ field: 'DOMAIN', values: ['urn:li:domain:hr'] }];
    const sales = [{ field: 'DOMAIN', values: ['urn:li:domain:sales'] }];
    const inactive = policy({ privileges: ['EDIT_ENTITY'], state: 'INACTIVE' });
    await putPolicies(catalog, {
      'catalog-readers': inactive,
      'catalog-editors': inactive,
      'sales-reads': policy({
        privileges: ['VIEW_ENTITY_PAGE'],
        actors: { allUsers: true },
        criteria: sales,
      }),
      'hr-reads': policy({
        privileges: ['VIEW_ENTITY_PAGE'],
        actors: { ...NOBODY, groups: ['urn:li:corpGroup:hr'] },
        criteria: hr,
      }),
      'sales-edits': policy({
        privileges: ['EDIT_ENTITY'],
        actors: { ...NOBODY, groups: ['urn:li:corpGroup:sales'] },
        criteria: sales,
      }),
      'eve-edits': policy({
        privileges: ['EDIT_ENTITY'],
        actors: { ...NOBODY, users: ['urn:li:corpuser:eve'] },
        criteria: sales,
      }),
      'contractors-not': policy({
        privileges: ['VIEW_ENTITY_PAGE'],
        effect: 'DENY',
        actors: { ...NOBODY, groups: ['urn:li:corpGroup:contractors'] },
        criteria: sales,
      }),
      'carl-not': policy({
        privileges: ['VIEW_ENTITY_PAGE'],
        effect: 'DENY',
        actors: { ...NOBODY, users: ['urn:li:corpuser:carl'] },
        criteria: hr,
      }),
    });
  });
  afterAll(async () => {
    await catalog?.stop();
    await first.stop();
    await second.stop();
  });

  const tokenOf = (user: string, groups: string[], issuer = first) =>
    issuer.token({ preferred_username: user, groups });

  /** The datasets that each surface shows. */
  const SURFACES: Record<string, (token: string) => Promise<string[]>> = {
    'the aspect API': async (token) => {
      const input = { entity: 'dataset', input: '*', start: 0, count: 10 };
      const { body } = await catalog.post('/entities?action=search', input, { token });
      expect(body.value.numEntities).toBe(body.value.entities.length);
      return body.value.entities;
    },
    'the entity API': async (token) => {
      const shown: string[] = [];
      for (const name of [ORDERS, SALARIES])
        if ((await catalog.get(`/openapi/v3/entity/dataset/${urn(name)}`, { token })).status === 200)
          shown.push(name);
      return shown;
    },
    GraphQL: async (token) => {
      const query = `{ entities(urns: ["${ORDERS}", "${SALARIES}"]) { urn } }`;
      const { body } = await catalog.post('/api/graphql', { query }, { token });
      return body.data.entities.filter((one: unknown) => one !== null).map((one: { urn: string }) => one.urn);
    },
  };

  it.each(Object.entries(SURFACES))('hold for reads on %s', async (_, shown) => {
    const both = [ORDERS, SALARIES];
    for (const issuer of [first, second]) {
      expect(await shown(await tokenOf('ann', [], issuer))).toEqual([ORDERS]);
      expect((await shown(await tokenOf('ann', ['hr'], issuer))).sort()).toEqual(both);
      // The claims of this token count, not those of an earlier one.
      expect(await shown(await tokenOf('ann', ['sales'], issuer))).toEqual([ORDERS]);
      expect(await shown(await tokenOf('carl', ['hr'], issuer))).toEqual([ORDERS]);
      expect((await shown(await tokenOf('dora', ['admins'], issuer))).sort()).toEqual(both);
    }
  });

  const write = (token: string, of: string): Record<string, () => Promise<Answer>> => ({
    'the aspect API': () =>
      catalog.post(
        '/aspects?action=ingestProposal',
        { proposal: proposal(of, 'editableDatasetProperties', { description: 'new' }) },
        { token },
      ),
    'the entity API': () =>
      catalog.post(
        '/openapi/v3/entity/dataset?async=false',
        [{ urn: of, editableDatasetProperties: { value: { description: 'newer' } } }],
        { token },
      ),
    GraphQL: () =>
      catalog.post(
        '/api/graphql',
        {
          query: `mutation { updateDescription(input: { resourceUrn: "${of}", description: "newest" }) }`,
        },
        { token },
      ),
  });

  it.each(Object.keys(write('', '')))('hold for writes on %s', async (surface) => {
    const statuses = async (user: string, groups: string[], issuer: TestIssuer) => {
      const token = await tokenOf(user, groups, issuer);
      return [
        statusOf(await write(token, ORDERS)[surface]!()),
        statusOf(await write(token, SALARIES)[surface]!()),
      ];
    };
    for (const issuer of [first, second]) {
      expect((await statuses('ann', ['writers', 'sales'], issuer))[0]).toBe(200);
      expect([403, 404]).toContain((await statuses('ann', ['writers', 'sales'], issuer))[1]);
      // The role of the token is the ceiling.
      expect(await statuses('ann', ['sales'], issuer)).toEqual([403, 403]);
      expect((await statuses('ann', ['writers'], issuer))[0]).toBe(403);
      expect(await statuses('ann', ['admins'], issuer)).toEqual([200, 200]);
    }
  });

  it('hold for writes that are carried out later', async () => {
    const later = async (user: string, groups: string[]) => {
      const body = [{ urn: ORDERS, editableDatasetProperties: { value: { description: groups.join() } } }];
      const token = await tokenOf(user, ['writers', ...groups]);
      const accepted = await catalog.post('/openapi/v3/entity/dataset?async=true', body, { token });
      expect(accepted.status).toBe(202);
      return (await settled(catalog, accepted)).state;
    };
    expect(await later('ann', ['sales'])).toBe('COMMITTED');
    expect(await later('ann', [])).toBe('REJECTED');
    expect(await later('eve', [])).toBe('COMMITTED');
    expect(await later('eve', ['contractors'])).toBe('REJECTED');
  });

  it('hold for the tokens that the caller makes, and for those that are made with these', async () => {
    const exp = Math.floor(Date.now() / 1000) + 7200;
    const input = { type: 'PERSONAL', actorUrn: 'urn:li:corpuser:eve', duration: 'ONE_HOUR', name: 'x' };
    const query =
      'mutation($input: CreateAccessTokenInput!) { createAccessToken(input: $input) { accessToken } }';
    const madeWith = async (token: string): Promise<string> =>
      (await catalog.post('/api/graphql', { query, variables: { input } }, { token })).body.data
        .createAccessToken.accessToken;
    const seen = async (...groups: string[]) => {
      const token = await first.token({ preferred_username: 'eve', groups, exp });
      const made = await madeWith(token);
      const shown = SURFACES['the entity API']!;
      return [await shown(token), await shown(made)];
    };
    expect(await seen()).toEqual([[ORDERS], [ORDERS]]);
    expect(await seen('contractors')).toEqual([[], []]);
    expect(await seen('contractors', 'hr')).toEqual([[SALARIES], [SALARIES]]);
  });

  it('know no groups of a token that is refused', async () => {
    const wrong = await first.token({ iss: second.url, preferred_username: 'ann', groups: ['hr'] });
    expect((await catalog.get(`/openapi/v3/entity/dataset/${urn(SALARIES)}`, { token: wrong })).status).toBe(
      401,
    );
  });
});
