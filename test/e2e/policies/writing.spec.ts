import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, statusOf, TestCatalog, type Answer } from '../../harness/catalog.js';
import { settled } from '../openapi/support.js';
import { dataset, policy, putPolicies } from './policies.js';

const [ORDERS, SALARIES] = [dataset('desk.orders'), dataset('desk.salaries')];
const [SALES, HR] = ['urn:li:domain:sales', 'urn:li:domain:hr'];
const TAGS = { tags: [{ tag: 'urn:li:tag:any' }] };
const urn = encodeURIComponent;

describe('policies on writing', () => {
  let catalog: TestCatalog;
  let editor: string;
  let reader: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    editor = (await catalog.issueToken({ user: 'bob', role: 'EDITOR' })).token;
    reader = (await catalog.issueToken({ user: 'bob', role: 'READER' })).token;
    await catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders' }],
      [ORDERS, 'domains', { domains: [SALES] }],
      [SALARIES, 'datasetProperties', { name: 'salaries' }],
      [SALARIES, 'domains', { domains: [HR] }],
      ['urn:li:tag:any', 'tagProperties', { name: 'any' }],
      [SALES, 'domainProperties', { name: 'sales' }],
      [HR, 'domainProperties', { name: 'hr' }],
      ['urn:li:corpuser:bob', 'corpUserInfo', { active: true }],
    );
  });
  afterAll(() => catalog?.stop());

  const propose = (token: string, of: string, aspect: string, value?: unknown, more = {}): Promise<Answer> =>
    catalog.post(
      '/aspects?action=ingestProposal',
      { proposal: proposal(of, aspect, value, more) },
      { token },
    );
  const graphql = (token: string, query: string, variables = {}): Promise<Answer> =>
    catalog.post('/api/graphql', { query, variables }, { token });

  describe('that leave an editor the tags of one domain', () => {
    beforeAll(() =>
      putPolicies(catalog, {
        'catalog-editors': policy({ privileges: ['EDIT_ENTITY'], state: 'INACTIVE' }),
        'sales-tags': policy({
          privileges: ['EDIT_ENTITY_TAGS'],
          actors: { users: ['urn:li:corpuser:bob'] },
          criteria: [{ field: 'DOMAIN', values: [SALES] }],
        }),
      }),
    );
    afterAll(async () => {
      for (const id of ['catalog-editors', 'sales-tags'])
        await catalog.request(
          'DELETE',
          `/openapi/v3/entity/dataHubPolicy/${urn(`urn:li:dataHubPolicy:${id}`)}`,
        );
    });

    /** Each way to change the tags of a dataset. */
    const TAGGING: Record<string, (token: string, of: string) => Promise<Answer>> = {
      'a proposal': (token, of) => propose(token, of, 'globalTags', TAGS),
      'a batch of proposals': (token, of) =>
        catalog.post(
          '/aspects?action=ingestProposalBatch',
          { proposals: [proposal(of, 'globalTags', TAGS)] },
          { token },
        ),
      'an aspect of v3': (token, of) =>
        catalog.request('POST', `/openapi/v3/entity/dataset/${urn(of)}/globalTags?async=false`, {
          body: { value: TAGS },
          token,
        }),
      'an entity of v3': (token, of) =>
        catalog.post('/openapi/v3/entity/dataset?async=false', [{ urn: of, globalTags: { value: TAGS } }], {
          token,
        }),
      'a patch of v3': (token, of) =>
        catalog.request('PATCH', `/openapi/v3/entity/dataset/${urn(of)}/globalTags?async=false`, {
          body: {
            patch: [{ op: 'add', path: '/tags/urn:li:tag:any', value: { tag: 'urn:li:tag:any' } }],
            arrayPrimaryKeys: { tags: ['tag'] },
          },
          token,
        }),
      'an entity of v2': (token, of) =>
        catalog.post(
          '/openapi/v2/entity/dataset?async=false',
          [{ urn: of, aspects: { globalTags: { value: TAGS } } }],
          {
            token,
          },
        ),
      'a mutation': (token, of) =>
        graphql(token, `mutation { addTag(input: { tagUrn: "urn:li:tag:any", resourceUrn: "${of}" }) }`),
    };

    it.each(Object.entries(TAGGING))('hold for %s', async (_, tag) => {
      expect([statusOf(await tag(editor, ORDERS)), statusOf(await tag(editor, SALARIES))]).toEqual([
        200, 403,
      ]);
      // A token allows no more than its role, whatever policies say.
      expect(statusOf(await tag(reader, ORDERS))).toBe(403);
    });

    it('leave other aspects, new entities and deletions out', async () => {
      const refused = [
        await propose(editor, ORDERS, 'datasetProperties', { name: 'other' }),
        await propose(editor, ORDERS, 'ownership', { owners: [] }),
        await propose(editor, ORDERS, 'globalTags', undefined, { changeType: 'DELETE' }),
        await propose(editor, dataset('desk.new'), 'globalTags', TAGS),
        await catalog.request('DELETE', `/openapi/v3/entity/dataset/${urn(ORDERS)}`, { token: editor }),
        await catalog.post('/entities?action=delete', { urn: ORDERS }, { token: editor }),
        await graphql(editor, 'mutation { createTag(input: { id: "made", name: "made" }) }'),
        await graphql(editor, `mutation { setDomain(entityUrn: "${ORDERS}", domainUrn: "${HR}") }`),
      ];
      expect(refused.map(statusOf)).toEqual([403, 403, 200, 403, 403, 403, 403, 403]);
      expect(await catalog.read(ORDERS, 'datasetProperties')).toMatchObject({ name: 'orders' });
    });

    it('judge a write that is carried out later', async () => {
      const write = async (of: string) => {
        const body = [{ urn: of, globalTags: { value: { tags: [] } } }];
        const accepted = await catalog.post('/openapi/v3/entity/dataset?async=true', body, { token: editor });
        expect(accepted.status).toBe(202);
        return settled(catalog, accepted);
      };
      expect(await write(ORDERS)).toMatchObject({ state: 'COMMITTED' });
      expect(await write(SALARIES)).toMatchObject({ state: 'REJECTED' });
      expect(await catalog.read(SALARIES, 'globalTags')).toBeUndefined();
    });

    it('are what privileges tell of', async () => {
      const query = `query p($of: String!) {
        dataset(urn: $of) { privileges { canEditTags canEditOwners canViewDatasetProfile } }
        getGrantedPrivileges(input: { actorUrn: "urn:li:corpuser:bob", resourceSpec: { resourceType: DATASET, resourceUrn: $of } }) {
          privileges } }`;
      const of = async (resource: string) => (await graphql(editor, query, { of: resource })).body.data;
      const [sales, hr] = [await of(ORDERS), await of(SALARIES)];
      expect(sales.dataset.privileges).toEqual({
        canEditTags: true,
        canEditOwners: false,
        canViewDatasetProfile: true,
      });
      expect(hr.dataset.privileges).toMatchObject({ canEditTags: false, canEditOwners: false });
      expect(sales.getGrantedPrivileges.privileges).toEqual(
        expect.arrayContaining(['VIEW_ENTITY_PAGE', 'EDIT_ENTITY_TAGS']),
      );
      expect(sales.getGrantedPrivileges.privileges).not.toContain('EDIT_ENTITY_OWNERS');
      expect(hr.getGrantedPrivileges.privileges).not.toContain('EDIT_ENTITY_TAGS');
    });
  });

  it('let a new entity be judged by what the request gives it', async () => {
    await putPolicies(catalog, {
      'catalog-editors': policy({ privileges: ['EDIT_ENTITY'], state: 'INACTIVE' }),
      'sales-team': policy({
        privileges: ['CREATE_ENTITY', 'EDIT_ENTITY', 'DELETE_ENTITY'],
        actors: { users: ['urn:li:corpuser:bob'] },
        criteria: [
          { field: 'DOMAIN', values: [SALES] },
          { field: 'TYPE', values: ['dataset'] },
        ],
      }),
    });
    const make = (name: string, domain: string) =>
      catalog.post(
        '/aspects?action=ingestProposalBatch',
        {
          proposals: [
            proposal(dataset(name), 'datasetProperties', { name }),
            proposal(dataset(name), 'domains', { domains: [domain] }),
          ],
        },
        { token: editor },
      );
    expect([(await make('desk.mine', SALES)).status, (await make('desk.theirs', HR)).status]).toEqual([
      200, 403,
    ]);
    expect(await catalog.read(dataset('desk.theirs'), 'datasetProperties')).toBeUndefined();
    const gone = await catalog.request('DELETE', `/openapi/v3/entity/dataset/${urn(dataset('desk.mine'))}`, {
      token: editor,
    });
    expect(gone.status).toBeLessThan(300);
    for (const id of ['catalog-editors', 'sales-team'])
      await catalog.request(
        'DELETE',
        `/openapi/v3/entity/dataHubPolicy/${urn(`urn:li:dataHubPolicy:${id}`)}`,
      );
  });

  it('leave callers what concerns only themselves, also those who may edit and see nothing', async () => {
    const nobody = 'urn:li:corpuser:nell';
    await putPolicies(catalog, {
      nothing: policy({
        privileges: ['VIEW_ENTITY_PAGE', 'EDIT_ENTITY', 'CREATE_ENTITY', 'DELETE_ENTITY'],
        effect: 'DENY',
        actors: { users: [nobody] },
      }),
    });
    for (const role of ['READER', 'EDITOR'] as const) {
      const { token } = await catalog.issueToken({ user: 'nell', role });
      const choose = 'mutation { updateUserSetting(input: { name: SHOW_THEME_V2, value: true }) }';
      expect((await graphql(token, choose)).body.data).toEqual({ updateUserSetting: true });
      const keep = (...ids: string[]) => {
        const states = ids.map((id) => ({ id, properties: [{ key: 'seen', value: role }] }));
        return graphql(
          token,
          'mutation m($states: [StepStateInput!]!) { batchUpdateStepStates(input: { states: $states }) { results { id } } }',
          { states },
        );
      };
      const [own, other] = [`${nobody}-welcome`, 'urn:li:corpuser:bob-welcome'];
      expect((await keep(own)).body.data).toEqual({ batchUpdateStepStates: { results: [{ id: own }] } });
      const get = `{ batchGetStepStates(input: { ids: ["${own}"] }) { results { id properties { value } } } }`;
      expect((await graphql(token, get)).body.data.batchGetStepStates.results).toEqual([
        { id: own, properties: [{ value: role }] },
      ]);
      // Of others nothing, nor anything together with what is one's own.
      for (const ids of [[other], ['welcome'], [own, other]])
        expect([ids, statusOf(await keep(...ids))]).toEqual([ids, 403]);
      expect(
        await catalog.read(`urn:li:dataHubStepState:${other}`, 'dataHubStepStateProperties'),
      ).toBeUndefined();
    }
    expect(await catalog.read(nobody, 'corpUserSettings')).toEqual({ appearance: { showThemeV2: true } });
  });

  describe('guard themselves', () => {
    const RAISING: Array<[aspect: string, of: string, value: unknown]> = [
      ['dataHubPolicyInfo', 'urn:li:dataHubPolicy:mine', policy({ privileges: ['EDIT_ENTITY'] })],
      ['groupMembership', 'urn:li:corpuser:bob', { groups: ['urn:li:corpGroup:admins'] }],
      ['nativeGroupMembership', 'urn:li:corpuser:bob', { nativeGroups: ['urn:li:corpGroup:admins'] }],
      ['roleMembership', 'urn:li:corpuser:bob', { roles: ['urn:li:dataHubRole:Admin'] }],
    ];

    it.each(RAISING)('in %s, whatever the change', async (aspect, of, value) => {
      const [type] = of.split(':').slice(2);
      const answers = [
        await propose(editor, of, aspect, value),
        await propose(editor, of, aspect, value, { changeType: 'CREATE' }),
        await propose(editor, of, aspect, [], { changeType: 'PATCH' }),
        await propose(editor, of, aspect, undefined, { changeType: 'DELETE' }),
        await catalog.post(`/openapi/v3/entity/${type}?async=false`, [{ urn: of, [aspect]: { value } }], {
          token: editor,
        }),
        await catalog.post(`/openapi/v3/entity/${type}?async=true`, [{ urn: of, [aspect]: { value } }], {
          token: editor,
        }),
        await catalog.request('DELETE', `/openapi/v3/entity/${type}/${urn(of)}/${aspect}`, { token: editor }),
      ];
      expect(answers.map(statusOf)).toEqual(Array.from(answers, () => 403));
      expect((await propose(await admin(), of, aspect, value)).status).toBe(200);
      const deleted = await catalog.request('DELETE', `/openapi/v3/entity/${type}/${urn(of)}`, {
        token: editor,
      });
      expect(deleted.status).toBe(403);
      await propose(await admin(), of, aspect, undefined, { changeType: 'DELETE' });
    });

    const admin = async () => (await catalog.issueToken({ user: 'root', role: 'ADMIN' })).token;

    it('refuse what could not be applied, with pointers', async () => {
      const wrong = policy({
        privileges: ['VIEW_ENTITY_PAGE', 'DANCE'],
        effect: 'DENY',
        criteria: [
          { field: 'MOON', values: ['full'] },
          { field: 'TYPE', values: ['dragon'] },
        ],
      });
      const { status, body } = await catalog.post('/openapi/v3/entity/dataHubPolicy?async=false', [
        { urn: 'urn:li:dataHubPolicy:wrong', dataHubPolicyInfo: { value: wrong } },
      ]);
      expect(status).toBe(400);
      expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
        ['privileges/1', 'resources/filter/criteria/0/field', 'resources/filter/criteria/1/values/0'].map(
          (place) => `/0/dataHubPolicyInfo/value/${place}`,
        ),
      );
    });

    it('are made, listed, replaced and deleted in GraphQL by managers', async () => {
      const input = {
        type: 'METADATA',
        state: 'ACTIVE',
        effect: 'DENY',
        name: 'No deletions',
        privileges: ['DELETE_ENTITY'],
        actors: { allUsers: true, allGroups: false, resourceOwners: false },
        resources: { filter: { criteria: [{ field: 'TYPE', values: ['DATASET'], condition: 'EQUALS' }] } },
      };
      const create = 'mutation m($input: PolicyUpdateInput!) { createPolicy(input: $input) }';
      expect(statusOf(await graphql(editor, create, { input }))).toBe(403);
      const { body } = await graphql(await admin(), create, { input });
      const made = body.data.createPolicy;
      const remove = () =>
        catalog.request('DELETE', `/openapi/v3/entity/dataset/${urn(SALARIES)}`, { token: editor });
      expect((await remove()).status).toBe(403);
      const list =
        '{ listPolicies(input: { query: "deletions" }) { total policies { ... on DataHubPolicy { urn info { displayName effect } } } } }';
      expect((await graphql(reader, list)).body.data.listPolicies).toEqual({
        total: 1,
        policies: [{ urn: made, info: { displayName: 'No deletions', effect: 'DENY' } }],
      });
      const update =
        'mutation m($urn: String!, $input: PolicyUpdateInput!) { updatePolicy(urn: $urn, input: $input) }';
      await graphql(await admin(), update, { urn: made, input: { ...input, state: 'INACTIVE' } });
      expect(await catalog.read(made, 'dataHubPolicyInfo')).toMatchObject({ state: 'INACTIVE' });
      const drop = `mutation { deletePolicy(urn: "${made}") }`;
      expect(statusOf(await graphql(editor, drop))).toBe(403);
      expect((await graphql(await admin(), drop)).body.data.deletePolicy).toBe(made);
      expect((await remove()).status).toBeLessThan(300);
    });
  });

  it('that keep events of a run leave them out of what its rollback says is gone', async () => {
    await catalog.ingest([SALARIES, 'domains', { domains: [HR] }]);
    await putPolicies(catalog, {
      'no-hr': policy({
        privileges: ['EDIT_ENTITY'],
        effect: 'DENY',
        actors: { users: ['urn:li:corpuser:bob'] },
        criteria: [{ field: 'DOMAIN', values: [HR] }],
      }),
    });
    const profiles = [SALARIES, ORDERS, SALARIES].map((of, i) =>
      proposal(of, 'datasetProfile', { timestampMillis: i + 1 }, { systemMetadata: { runId: 'profiled' } }),
    );
    await catalog.post('/aspects?action=ingestProposalBatch', { proposals: profiles });
    const { body } = await catalog.post('/runs?action=rollback', { runId: 'profiled' }, { token: editor });
    expect(body.value).toMatchObject({
      aspectsReverted: 1,
      unsafeEntities: [{ urn: SALARIES, reason: expect.stringContaining('no policy allows') }],
    });
    expect(body.value.aspectRowSummaries.map((row: { urn: string }) => row.urn)).toEqual([ORDERS]);
  });
});
