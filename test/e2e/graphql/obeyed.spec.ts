import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [ORDERS, OLD, NEW] = [dataset('orders'), dataset('orders_v1'), dataset('orders_v2')];
const STAMP = { time: 1_700_000_000_000, actor: 'urn:li:corpuser:ann' };
const SALES = 'urn:li:domain:sales';
const DAY = 86_400_000;

type Aspect = [urn: string, aspect: string, value: object];

const post = (id: string, time: number, target?: string): Aspect => [
  `urn:li:post:${id}`,
  'postInfo',
  {
    ...{ type: target ? 'ENTITY_ANNOUNCEMENT' : 'HOME_PAGE_ANNOUNCEMENT', ...(target && { target }) },
    ...{ content: { type: 'TEXT', title: id }, created: time, lastModified: time },
  },
];
const domain = (id: string, name: string, parentDomain?: string): Aspect => [
  `urn:li:domain:${id}`,
  'domainProperties',
  { name, ...(parentDomain && { parentDomain }) },
];

/** One entity of each of more types than a facet has values when nobody says how many. */
const KINDS: Aspect[] = [
  ['urn:li:tag:a', 'tagProperties', { name: 'a' }],
  ['urn:li:glossaryTerm:a', 'glossaryTermInfo', { definition: '', termSource: 'INTERNAL' }],
  ['urn:li:glossaryNode:a', 'glossaryNodeInfo', { definition: '' }],
  ['urn:li:corpuser:a', 'corpUserInfo', { active: true }],
  ['urn:li:corpGroup:a', 'corpGroupInfo', { admins: [], members: [], groups: [] }],
  ['urn:li:container:a', 'containerProperties', { name: 'a' }],
  ['urn:li:dataProduct:a', 'dataProductProperties', { name: 'a' }],
  ['urn:li:application:a', 'applicationProperties', { name: 'a' }],
  ['urn:li:dataFlow:(airflow,a,PROD)', 'dataFlowInfo', { name: 'a' }],
  [
    'urn:li:dataJob:(urn:li:dataFlow:(airflow,a,PROD),b)',
    'dataJobInfo',
    { name: 'a', type: { string: 'SQL' } },
  ],
  ['urn:li:chart:(looker,a)', 'status', { removed: false }],
  ['urn:li:dashboard:(looker,a)', 'status', { removed: false }],
  ['urn:li:notebook:(querybook,a)', 'status', { removed: false }],
  ['urn:li:mlModel:(urn:li:dataPlatform:mlflow,a,PROD)', 'status', { removed: false }],
  ['urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,a,PROD)', 'status', { removed: false }],
  ['urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,a)', 'status', { removed: false }],
  ['urn:li:mlFeature:(a,b)', 'status', { removed: false }],
  ['urn:li:mlPrimaryKey:(a,b)', 'status', { removed: false }],
  ['urn:li:businessAttribute:a', 'status', { removed: false }],
  ['urn:li:dataContract:a', 'status', { removed: false }],
  ['urn:li:document:a', 'status', { removed: false }],
];

describe('arguments do what their names say', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const used = Array.from({ length: 12 }, (_, i): Aspect => [
      ORDERS,
      'datasetUsageStatistics',
      { timestampMillis: Date.now() - (i + 1) * DAY, totalSqlQueries: 1 },
    ]);
    await catalog.ingest(
      ...[ORDERS, OLD, NEW].map((urn): Aspect => [urn, 'datasetProperties', { name: 'orders' }]),
      ...KINDS,
      ...used,
      post('about', 1_000, ORDERS),
      post('early', 2_000),
      post('late', 3_000),
      domain('sales', 'Sales'),
      domain('finance', 'Finance'),
      domain('north', 'North sales', SALES),
    );
  });
  afterAll(() => catalog?.stop());

  it('listPosts answers what is about an asset, and the latest first', async () => {
    const listed = async (input: object) => {
      const found = await data(
        catalog,
        'query ($input: ListPostsInput!) { listPosts(input: $input) { total posts { urn } } }',
        { input },
      );
      return found.listPosts.posts.map(({ urn }: { urn: string }) => urn.split(':').at(-1));
    };
    expect(await listed({ resourceUrn: ORDERS })).toEqual(['about']);
    expect(await listed({ resourceUrn: OLD })).toEqual([]);
    expect(await listed({})).toEqual(['late', 'early', 'about']);
  });

  it('aggregateAcrossEntities with an empty list of facets counts the usual ones', async () => {
    const facets = async (input: object) =>
      (
        await data(
          catalog,
          'query ($input: AggregateAcrossEntitiesInput!) { aggregateAcrossEntities(input: $input) { facets { field } } }',
          { input: { query: '*', ...input } },
        )
      ).aggregateAcrossEntities.facets;
    const usual = await facets({});
    expect(usual.map(({ field }: { field: string }) => field).slice(0, 2)).toEqual([
      '_entityType',
      '_entityType␞typeNames',
    ]);
    expect(await facets({ facets: [] })).toEqual(usual);
    expect(await facets({ facets: ['platform'] })).toEqual([{ field: 'platform' }]);
  });

  it('getEntityCounts counts every type, however many there are', async () => {
    const types =
      `TAG GLOSSARY_TERM GLOSSARY_NODE CORP_USER CORP_GROUP CONTAINER DATA_PRODUCT APPLICATION DATA_FLOW DATA_JOB
      CHART DASHBOARD NOTEBOOK MLMODEL MLMODEL_GROUP MLFEATURE_TABLE MLFEATURE MLPRIMARY_KEY BUSINESS_ATTRIBUTE
      DATA_CONTRACT DOCUMENT DATASET DOMAIN`.split(/\s+/);
    const { getEntityCounts } = await data(
      catalog,
      'query ($types: [EntityType!]) { getEntityCounts(input: { types: $types }) { counts { entityType count } } }',
      { types },
    );
    const counted = getEntityCounts.counts.map(({ entityType }: { entityType: string }) => entityType);
    expect(counted.sort()).toEqual(types.sort());
  });

  it('listDomains looks for a text on the level', async () => {
    const listed = async (input: object) => {
      const { listDomains } = await data(
        catalog,
        'query ($input: ListDomainsInput!) { listDomains(input: $input) { start count total domains { urn } } }',
        { input },
      );
      expect(listDomains).toMatchObject({ start: 0, count: listDomains.domains.length });
      return listDomains.domains.map(({ urn }: { urn: string }) => urn);
    };
    expect(await listed({ query: 'sales' })).toEqual([SALES]);
    expect(await listed({ query: 'sales', parentDomain: SALES })).toEqual(['urn:li:domain:north']);
    expect(await listed({ query: 'finance', parentDomain: SALES })).toEqual([]);
    expect(await listed({ query: '*' })).toEqual(['urn:li:domain:finance', SALES]);
    const input = { query: 'sales', parentDomain: ORDERS };
    const wrong = await failure(
      catalog,
      'query ($input: ListDomainsInput!) { listDomains(input: $input) { total } }',
      { input },
    );
    expect(wrong.extensions).toMatchObject({ code: 400, pointer: '/input/parentDomain' });
  });

  it('usageStats answers all reports of a span that is named', async () => {
    const { dataset: found } = await data(
      catalog,
      `{ dataset(urn: "${ORDERS}") { month: usageStats(range: MONTH) { buckets { bucket } }
        two: usageStats(resource: "${ORDERS}", range: MONTH, limit: 2) { buckets { bucket } } all: usageStats { buckets { bucket } } } }`,
    );
    const sizes = Object.entries<any>(found).map(([name, { buckets }]) => [name, buckets.length]);
    expect(Object.fromEntries(sizes)).toEqual({ month: 12, two: 2, all: 10 });
  });

  it('series of events answer all since a time that is named', async () => {
    const profiles = Array.from({ length: 12 }, (_, i): Aspect => [
      ORDERS,
      'datasetProfile',
      { timestampMillis: (i + 1) * 1_000, rowCount: i },
    ]);
    const operations = Array.from({ length: 12 }, (_, i): Aspect => [
      ORDERS,
      'operation',
      { timestampMillis: (i + 1) * 1_000, lastUpdatedTimestamp: 1, operationType: 'INSERT' },
    ]);
    await catalog.ingest(...profiles, ...operations);
    const { dataset: found } = await data(
      catalog,
      `{ dataset(urn: "${ORDERS}") {
        since: datasetProfiles(startTimeMillis: 2000) { rowCount } some: datasetProfiles(startTimeMillis: 2000, limit: 3) { rowCount }
        latest: datasetProfiles { rowCount } operations(startTimeMillis: 0) { timestampMillis } few: operations { timestampMillis } } }`,
    );
    const sizes = Object.entries<any>(found).map(([name, events]) => [name, events.length]);
    expect(Object.fromEntries(sizes)).toEqual({ since: 11, some: 3, latest: 10, operations: 12, few: 10 });
  });

  it('filterNonLatestVersions leaves out earlier versions, unless it is false', async () => {
    const link = `mutation ($input: LinkVersionInput!) { linkAssetVersion(input: $input) { urn } }`;
    const versionSet = 'urn:li:versionSet:(orders,dataset)';
    for (const [version, linkedEntity] of Object.entries({ 1: OLD, 2: NEW }))
      await data(catalog, link, { input: { versionSet, linkedEntity, version } });
    const box = 'urn:li:container:a';
    const target = dataset('made_of_versions');
    const upstreams = [ORDERS, OLD, NEW].map((urn) => ({ dataset: urn, type: 'TRANSFORMED' }));
    await catalog.ingest(
      ...[ORDERS, OLD, NEW].flatMap((urn): Aspect[] => [
        [urn, 'container', { container: box }],
        [urn, 'browsePathsV2', { path: [{ id: 'versions' }] }],
      ]),
      [target, 'upstreamLineage', { upstreams }],
    );
    const urns = ({ searchResults }: any): string[] =>
      searchResults.map(({ entity }: any) => entity.urn).sort();
    const [all, latest] = [[ORDERS, OLD, NEW].sort(), [ORDERS, NEW].sort()];
    const ask = `query ($flags: SearchFlags) {
      search(input: { type: DATASET, query: "orders", searchFlags: $flags }) { searchResults { entity { urn } } }
      across: searchAcrossEntities(input: { types: [DATASET], query: "orders", searchFlags: $flags }) { searchResults { entity { urn } } }
      scroll: scrollAcrossEntities(input: { types: [DATASET], query: "orders", searchFlags: $flags }) { searchResults { entity { urn } } }
      lineage: searchAcrossLineage(input: { urn: "${target}", direction: UPSTREAM, searchFlags: $flags }) { searchResults { entity { urn } } }
      walk: scrollAcrossLineage(input: { urn: "${target}", direction: UPSTREAM, searchFlags: $flags }) { searchResults { entity { urn } } }
      aggregateAcrossEntities(input: { types: [DATASET], query: "orders", facets: ["platform"], searchFlags: $flags }) { facets { aggregations { count } } }
      browseV2(input: { types: [DATASET], path: ["versions"], searchFlags: $flags }) { metadata { totalNumEntities } } }`;
    const found = async (flags: object | null) => {
      const { aggregateAcrossEntities, browseV2, ...pages } = await data(catalog, ask, { flags });
      const counts = [
        aggregateAcrossEntities.facets[0].aggregations[0].count,
        browseV2.metadata.totalNumEntities,
      ];
      return [...Object.values(pages).map(urns), ...counts];
    };
    const expected = (those: string[]) => [...Array(5).fill(those), those.length, those.length];
    for (const flags of [null, {}, { filterNonLatestVersions: null }, { filterNonLatestVersions: true }])
      expect(await found(flags)).toEqual(expected(latest));
    expect(await found({ filterNonLatestVersions: false })).toEqual(expected(all));

    // Versions of a set, members of something and counts of what there is are whole.
    const whole = await data(
      catalog,
      `{ entity(urn: "${versionSet}") { ... on VersionSet {
           versionsSearch(input: { query: "*" }) { searchResults { entity { urn } } }
           latest: versionsSearch(input: { query: "*", searchFlags: { filterNonLatestVersions: true } }) { searchResults { entity { urn } } } } }
         container(urn: "${box}") { entities(input: {}) { searchResults { entity { urn } } } }
         getEntityCounts(input: { types: [DATASET] }) { counts { count } } }`,
    );
    expect(urns(whole.entity.versionsSearch)).toEqual([OLD, NEW].sort());
    expect(urns(whole.entity.latest)).toEqual([NEW]);
    expect(urns(whole.container.entities)).toEqual(all);
    expect(whole.getEntityCounts.counts).toEqual([{ count: 4 }]);
  });

  it('empty lists of conditions ask for nothing', async () => {
    await data(catalog, 'mutation ($input: RaiseIncidentInput!) { raiseIncident(input: $input) }', {
      input: { type: 'OPERATIONAL', resourceUrn: ORDERS, title: 'late' },
    });
    await catalog.ingest([
      'urn:li:document:guide',
      'documentInfo',
      {
        ...{ title: 'Guide', status: { state: 'PUBLISHED' }, contents: { text: '' } },
        ...{ created: STAMP, lastModified: STAMP, relatedAssets: [{ asset: ORDERS }] },
      },
    ]);
    const { dataset: found } = await data(
      catalog,
      `{ dataset(urn: "${ORDERS}") { incidents(assigneeUrns: []) { total }
        relatedDocuments(input: { types: [], domains: [], parentDocuments: [] }) { total } } }`,
    );
    expect(found).toEqual({ incidents: { total: 1 }, relatedDocuments: { total: 1 } });
  });
});

describe('descriptions that people write are shown', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog?.stop());

  it.each([
    ['urn:li:mlModel:(urn:li:dataPlatform:mlflow,m,PROD)', 'mlModelProperties', 'MLModel'],
    ['urn:li:mlModelGroup:(urn:li:dataPlatform:mlflow,g,PROD)', 'mlModelGroupProperties', 'MLModelGroup'],
    ['urn:li:mlFeatureTable:(urn:li:dataPlatform:feast,t)', 'mlFeatureTableProperties', 'MLFeatureTable'],
    ['urn:li:mlFeature:(users,age)', 'mlFeatureProperties', 'MLFeature'],
    ['urn:li:mlPrimaryKey:(users,id)', 'mlPrimaryKeyProperties', 'MLPrimaryKey'],
    ['urn:li:application:shop', 'applicationProperties', 'Application'],
  ])('of %s', async (urn, aspect, type) => {
    const sources = aspect === 'mlPrimaryKeyProperties' ? { sources: [] } : {};
    await catalog.ingest([urn, aspect, { description: 'as reported', ...sources }]);
    const shown = `query ($urn: String!) { entity(urn: $urn) { ... on ${type} { properties { description } } } }`;
    expect(await data(catalog, shown, { urn })).toEqual({
      entity: { properties: { description: 'as reported' } },
    });
    const input = { resourceUrn: urn, description: 'as people say' };
    await data(catalog, 'mutation ($input: DescriptionUpdateInput!) { updateDescription(input: $input) }', {
      input,
    });
    expect(await data(catalog, shown, { urn })).toEqual({
      entity: { properties: { description: 'as people say' } },
    });
  });

  it.each([
    ['urn:li:application:shop', 'Application'],
    [ORDERS, 'Dataset'],
  ])('and %s gets a new name', async (urn, type) => {
    await catalog.ingest([urn, 'status', { removed: false }]);
    const input = { urn, name: 'The shop' };
    await data(catalog, 'mutation ($input: UpdateNameInput!) { updateName(input: $input) }', { input });
    const shown = `query ($urn: String!) { entity(urn: $urn) { displayName ... on ${type} { properties { name } } } }`;
    expect(await data(catalog, shown, { urn })).toEqual({
      entity: { displayName: 'The shop', properties: { name: 'The shop' } },
    });
  });
});
