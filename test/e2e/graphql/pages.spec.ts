import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { ANN, dataset, eventually, graphql, withDataset } from './mutating.js';
import { data, failure } from './support.js';

/** What the pages of web clients ask besides searches: who may what, lists, histories, what lies above. */
describe('pages', () => {
  let catalog: TestCatalog;
  let urn: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    urn = await withDataset(catalog, 'pages.orders', ['id', 'price']);
    await catalog.ingest(
      [ANN, 'corpUserInfo', { active: true, displayName: 'Ann' }],
      ['urn:li:container:outer', 'containerProperties', { name: 'outer' }],
      ['urn:li:container:inner', 'containerProperties', { name: 'inner' }],
      ['urn:li:container:inner', 'container', { container: 'urn:li:container:outer' }],
      [urn, 'container', { container: 'urn:li:container:inner' }],
      [
        'urn:li:dataProduct:pages',
        'dataProductProperties',
        { name: 'Pages', assets: [{ destinationUrn: urn }] },
      ],
    );
    await eventually(async () => expect((await catalog.search('dataset', 'pages')).numEntities).toBe(1));
  });
  afterAll(() => catalog?.stop());

  it.each([
    ['ADMIN', true, true],
    ['EDITOR', true, false],
    ['READER', false, false],
  ] as const)('tell a %s what the token allows', async (role, write, manage) => {
    const { token } = await catalog.issueToken({ role });
    const { data: found } = await graphql(
      catalog,
      `{ me { platformPrivileges { viewTests manageTags managePolicies } }
         dataset(urn: "${urn}") { privileges { canEditTags canViewDatasetProfile } }
         service: getGrantedPrivileges(input: { actorUrn: "${ANN}" }) { privileges }
         resource: getGrantedPrivileges(input: { actorUrn: "${ANN}", resourceSpec: { resourceType: DATASET, resourceUrn: "${urn}" } }) { privileges }
         other: getGrantedPrivileges(input: { actorUrn: "urn:li:corpuser:bob" }) { privileges } }`,
      {},
      token,
    );
    expect(found.me.platformPrivileges).toEqual({
      viewTests: true,
      manageTags: write,
      managePolicies: manage,
    });
    expect(found.dataset.privileges).toEqual({ canEditTags: write, canViewDatasetProfile: true });
    expect(found.service.privileges.includes('MANAGE_POLICIES')).toBe(manage);
    expect(found.service.privileges).toContain('VIEW_TESTS');
    expect(found.resource.privileges.includes('EDIT_ENTITY_TAGS')).toBe(write);
    expect(found.other.privileges).toEqual([]);
  });

  it('show the containers above an entity, the nearest first, and when it was last ingested', async () => {
    const query = `{ dataset(urn: "${urn}") { lastIngested parentContainers { count containers { urn } } } }`;
    expect((await data(catalog, query)).dataset).toEqual({
      lastIngested: null,
      parentContainers: {
        count: 2,
        containers: [{ urn: 'urn:li:container:inner' }, { urn: 'urn:li:container:outer' }],
      },
    });
  });

  it('list what lies in a container itself', async () => {
    const found = await data(
      catalog,
      `{ inner: container(urn: "urn:li:container:inner") { entities { total searchResults { entity { urn } } } }
         outer: container(urn: "urn:li:container:outer") { entities(input: { count: 5 }) { searchResults { entity { urn } } } }
         none: container(urn: "urn:li:container:inner") { entities(input: { query: "nothing-like-this" }) { total } } }`,
    );
    expect(found.inner.entities).toEqual({ total: 1, searchResults: [{ entity: { urn } }] });
    expect(found.outer.entities.searchResults).toEqual([{ entity: { urn: 'urn:li:container:inner' } }]);
    expect(found.none.entities.total).toBe(0);
  });

  it('begin with a configuration, counts and lists', async () => {
    const found = await data(
      catalog,
      `{ appConfig { appVersion featureFlags { nestedDomainsEnabled readOnlyModeEnabled }
           viewsConfig { enabled } policiesConfig { enabled platformPrivileges { type } } searchBarConfig { apiVariant } }
         isAnalyticsEnabled
         getEntityCounts(input: { types: [DATASET, CONTAINER, CHART] }) { counts { entityType count } }
         listRoles(input: {}) { total roles { urn } } listPosts(input: {}) { total posts { urn } }
         listMyViews(input: {}) { total views { urn } } listGlobalViews(input: {}) { total }
         searchUsers(input: { query: "Ann" }) { searchResults { entity { urn } } }
         listDataProductAssets(urn: "urn:li:dataProduct:pages", input: { query: "*" }) { total }
         getQuickFilters(input: {}) { quickFilters { field value entity { urn } } }
         listRecommendations(input: { userUrn: "${ANN}" }) { modules { moduleId renderType content { value entity { urn }
           params { searchParams { query filters { field values } } contentParams { count } } } } }
         first: listRecommendations(input: { userUrn: "${ANN}", limit: 1 }) { modules { title } }
         beside: listRecommendations(input: { userUrn: "${ANN}", requestContext: { scenario: SEARCH_BAR } }) {
           modules { title } } }`,
    );
    expect(found).toMatchObject({
      appConfig: {
        appVersion: expect.stringMatching(/^\d/),
        featureFlags: { nestedDomainsEnabled: true, readOnlyModeEnabled: false },
        viewsConfig: { enabled: true },
        policiesConfig: { enabled: true, platformPrivileges: [] },
        searchBarConfig: { apiVariant: 'AUTOCOMPLETE_FOR_MULTIPLE' },
      },
      isAnalyticsEnabled: false,
      listRoles: { total: 0, roles: [] },
      listPosts: { total: 0 },
      listMyViews: { total: 0 },
      searchUsers: { searchResults: [{ entity: { urn: ANN } }] },
      listDataProductAssets: { total: 1 },
      beside: { modules: [] },
    });
    const platform = 'urn:li:dataPlatform:postgres';
    expect(found.getQuickFilters.quickFilters).toEqual(
      expect.arrayContaining([
        { field: 'platform', value: platform, entity: { urn: platform } },
        { field: '_entityType', value: 'CONTAINER', entity: null },
      ]),
    );
    expect(found.first.modules).toHaveLength(1);
    expect(found.listRecommendations.modules[0]).toMatchObject({
      moduleId: 'Platforms',
      renderType: 'PLATFORM_SEARCH_LIST',
      content: expect.arrayContaining([
        {
          ...{ value: platform, entity: { urn: platform } },
          params: {
            searchParams: { query: '*', filters: [{ field: 'platform', values: [platform] }] },
            contentParams: { count: expect.any(Number) },
          },
        },
      ]),
    });
    expect(found.getEntityCounts.counts).toEqual(
      expect.arrayContaining([
        { entityType: 'CONTAINER', count: 2 },
        { entityType: 'DATASET', count: 1 },
      ]),
    );
    expect(found.getEntityCounts.counts).toHaveLength(2);
  });

  it('list views by who made them', async () => {
    const view = (name: string, type: string, actor: string) =>
      [
        `urn:li:dataHubView:${name}`,
        'dataHubViewInfo',
        {
          name,
          type,
          definition: { entityTypes: ['dataset'], filter: { or: [] } },
          created: { time: 1, actor },
          lastModified: { time: 1, actor },
        },
      ] as [string, string, unknown];
    await catalog.ingest(
      view('mine', 'PERSONAL', 'urn:li:corpuser:admin'),
      view('theirs', 'PERSONAL', ANN),
      view('all', 'GLOBAL', ANN),
    );
    await eventually(async () => {
      const found = await data(
        catalog,
        '{ mine: listMyViews(input: {}) { views { urn } } global: listGlobalViews(input: {}) { views { urn } } }',
      );
      expect(found).toEqual({
        mine: { views: [{ urn: 'urn:li:dataHubView:mine' }] },
        global: { views: [{ urn: 'urn:li:dataHubView:all' }] },
      });
    });
  });

  it('tell the history of an entity, of its schema and of its columns', async () => {
    const changed = await withDataset(catalog, 'pages.changed', ['id', 'old']);
    await withDataset(catalog, 'pages.changed', ['id', 'new']);
    await catalog.ingest(
      ['urn:li:tag:pages', 'tagProperties', { name: 'pages' }],
      [changed, 'globalTags', { tags: [{ tag: 'urn:li:tag:pages' }] }],
    );
    const found = await data(
      catalog,
      `{ tags: getTimeline(input: { urn: "${changed}", changeCategories: [TAG, PARENT] }) {
           changeTransactions { changeType lastSemanticVersion changes { urn category operation modifier } } }
         all: getTimeline(input: { urn: "${changed}" }) { changeTransactions { changeType versionStamp } }
         versions: getSchemaVersionList(input: { datasetUrn: "${changed}" }) {
           latestVersion { semanticVersion } semanticVersionList { semanticVersion versionStamp } }
         blame: getSchemaBlame(input: { datasetUrn: "${changed}" }) {
           version { semanticVersion } schemaFieldBlameList { fieldPath schemaFieldChange { changeType lastSemanticVersion } } } }`,
    );
    expect(found.tags.changeTransactions).toMatchObject([
      {
        changeType: 'ADD',
        changes: [{ urn: changed, category: 'TAG', operation: 'ADD', modifier: 'urn:li:tag:pages' }],
      },
    ]);
    expect(found.all.changeTransactions.length).toBeGreaterThanOrEqual(3);
    const [latest, first] = found.versions.semanticVersionList;
    expect(found.versions.latestVersion).toEqual({ semanticVersion: latest.semanticVersion });
    expect(found.blame.version).toEqual({ semanticVersion: latest.semanticVersion });
    expect(found.blame.schemaFieldBlameList.map(({ fieldPath }: any) => fieldPath).sort()).toEqual([
      'id',
      'new',
    ]);

    const then = (version: string) =>
      `{ getSchemaBlame(input: { datasetUrn: "${changed}", version: "${version}" }) { schemaFieldBlameList { fieldPath } } }`;
    const { getSchemaBlame } = await data(catalog, then(first.semanticVersion));
    expect(getSchemaBlame.schemaFieldBlameList.map(({ fieldPath }: any) => fieldPath).sort()).toEqual([
      'id',
      'old',
    ]);
    expect((await failure(catalog, then('9.9.9'))).extensions).toMatchObject({
      errorCode: 'PARAMETER_INVALID',
      pointer: '/input/version',
    });
    expect(
      (
        await failure(
          catalog,
          `{ getTimeline(input: { urn: "${dataset('pages.absent')}" }) { changeTransactions { actor } } }`,
        )
      ).extensions,
    ).toMatchObject({ errorCode: 'ENTITY_NOT_FOUND' });
  });
});
