import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const [ORDERS, ITEMS, COPY] = [dataset('orders'), dataset('items'), dataset('orders_copy')];
const FLOW = 'urn:li:dataFlow:(airflow,nightly,PROD)';
const JOB = `urn:li:dataJob:(${FLOW},build)`;
const CHART = 'urn:li:chart:(looker,daily)';
const DASHBOARD = 'urn:li:dashboard:(looker,daily)';
const ANN = 'urn:li:corpuser:ann';
const FOLDER = 'urn:li:glossaryNode:money';
const SETTINGS = 'urn:li:globalSettings:0';
const SET = 'urn:li:versionSet:(orders,dataset)';
const STAMP = { time: 1_700_000_000_000, actor: ANN };
const CHANGED = { created: STAMP, lastModified: STAMP };

const incident = (id: string, entity: string, time: number, rest: object): [string, string, object] => [
  `urn:li:incident:${id}`,
  'incidentInfo',
  { type: 'OPERATIONAL', entities: [entity], created: { time, actor: ANN }, ...rest },
];
const status = (state: string, stage?: string) => ({ state, lastUpdated: STAMP, ...(stage && { stage }) });

describe('what clients show around an entity', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'orders' }],
      [ITEMS, 'datasetProperties', { name: 'items' }],
      [COPY, 'datasetProperties', { name: 'orders' }],
      [COPY, 'siblings', { siblings: [ORDERS], primary: false }],
      [FLOW, 'dataFlowInfo', { name: 'nightly' }],
      [JOB, 'dataJobInfo', { name: 'build', type: { string: 'COMMAND' } }],
      [JOB, 'dataJobInputOutput', { inputDatasets: [ORDERS], outputDatasets: [ITEMS] }],
      [
        CHART,
        'chartInfo',
        { title: 'daily', description: '', lastModified: CHANGED, inputs: [{ string: ORDERS }] },
      ],
      [DASHBOARD, 'dashboardInfo', { title: 'daily', description: '', lastModified: CHANGED }],
      incident('first', ORDERS, 1_000, { status: status('ACTIVE', 'TRIAGE'), priority: 0 }),
      incident('second', ORDERS, 2_000, {
        status: status('RESOLVED', 'FIXED'),
        priority: 3,
        assignees: [{ actor: ANN, assignedAt: STAMP }],
      }),
      incident('flow', FLOW, 1_000, { status: status('ACTIVE') }),
      incident('job', JOB, 1_000, { status: status('ACTIVE') }),
      incident('chart', CHART, 1_000, { status: status('ACTIVE') }),
      incident('dashboard', DASHBOARD, 1_000, { status: status('ACTIVE') }),
    );
  });
  afterAll(() => catalog?.stop());

  it('its incidents, the latest first, by state, stage, priority and who works on them', async () => {
    const { dataset: found } = await data(
      catalog,
      `query ($urn: String!) { dataset(urn: $urn) {
        all: incidents { start count total incidents { urn } }
        page: incidents(start: 1, count: 1) { start count total incidents { urn } }
        active: incidents(state: ACTIVE) { incidents { urn } }
        fixed: incidents(stage: FIXED) { incidents { urn } }
        low: incidents(priority: LOW) { incidents { urn } }
        critical: incidents(priority: CRITICAL) { incidents { urn } }
        hers: incidents(assigneeUrns: ["${ANN}"]) { incidents { urn } }
        nobodys: incidents(assigneeUrns: ["urn:li:corpuser:bob"]) { total } } }`,
      { urn: ORDERS },
    );
    const [first, second] = [{ urn: 'urn:li:incident:first' }, { urn: 'urn:li:incident:second' }];
    expect(found).toEqual({
      all: { start: 0, count: 2, total: 2, incidents: [second, first] },
      page: { start: 1, count: 1, total: 2, incidents: [first] },
      active: { incidents: [first] },
      fixed: { incidents: [second] },
      low: { incidents: [second] },
      critical: { incidents: [first] },
      hers: { incidents: [second] },
      nobodys: { total: 0 },
    });
  });

  it('the incidents of charts, dashboards, flows and jobs', async () => {
    const shown = 'incidents { total incidents { urn incidentStatus { state } } }';
    const found = await data(
      catalog,
      `{ dataFlow(urn: "${FLOW}") { ${shown} } dataJob(urn: "${JOB}") { ${shown} }
         chart(urn: "${CHART}") { ${shown} } dashboard(urn: "${DASHBOARD}") { ${shown} } }`,
    );
    const one = (id: string) => ({
      incidents: {
        total: 1,
        incidents: [{ urn: `urn:li:incident:${id}`, incidentStatus: { state: 'ACTIVE' } }],
      },
    });
    expect(found).toEqual({
      dataFlow: one('flow'),
      dataJob: one('job'),
      chart: one('chart'),
      dashboard: one('dashboard'),
    });
  });

  it('a page of incidents that is as long as pages are when more is asked for', async () => {
    const incidents = (count: number) =>
      `{ dataset(urn: "${ORDERS}") { incidents(count: ${count}) { count total } } }`;
    expect(await data(catalog, incidents(100_000))).toEqual(await data(catalog, incidents(1000)));
    const refused = await failure(catalog, incidents(-1));
    expect(refused.extensions).toMatchObject({ code: 400, pointer: '/count' });
  });

  it('what stands for the same thing elsewhere', async () => {
    const ask = `query ($urn: String!, $input: ScrollAcrossEntitiesInput!) { dataset(urn: $urn) {
      siblingsSearch(input: $input) { total searchResults { entity { urn } } } } }`;
    const input = { query: '*', types: [] };
    expect(await data(catalog, ask, { urn: ORDERS, input })).toEqual({
      dataset: { siblingsSearch: { total: 1, searchResults: [{ entity: { urn: COPY } }] } },
    });
    expect((await data(catalog, ask, { urn: ITEMS, input })).dataset.siblingsSearch.total).toBe(0);
  });

  it('what lies in a folder of the glossary, itself and counted', async () => {
    const term = (name: string, parentNode: string): [string, string, object] => [
      `urn:li:glossaryTerm:${name}`,
      'glossaryTermInfo',
      { name, definition: '', termSource: 'INTERNAL', parentNode },
    ];
    const inner = 'urn:li:glossaryNode:inner';
    await catalog.ingest(
      [FOLDER, 'glossaryNodeInfo', { name: 'Money', definition: '' }],
      [inner, 'glossaryNodeInfo', { name: 'Inner', definition: '', parentNode: FOLDER }],
      term('revenue', FOLDER),
      term('cost', FOLDER),
      term('deep', inner),
      term('removed', FOLDER),
      ['urn:li:glossaryTerm:removed', 'status', { removed: true }],
    );
    const found = await data(
      catalog,
      `query ($input: ScrollAcrossEntitiesInput!, $terms: ScrollAcrossEntitiesInput!) {
        glossaryNode(urn: "${FOLDER}") { childrenCount { termsCount nodesCount }
          all: glossaryChildrenSearch(input: $input) { total }
          terms: glossaryChildrenSearch(input: $terms) { searchResults { entity { urn } } } }
        empty: glossaryNode(urn: "urn:li:glossaryNode:none") { urn childrenCount { termsCount } } }`,
      {
        input: { query: '*' },
        terms: {
          query: '*',
          types: ['GLOSSARY_TERM'],
          sortInput: { sortCriterion: { field: 'name', sortOrder: 'ASCENDING' } },
        },
      },
    );
    expect(found).toEqual({
      glossaryNode: {
        childrenCount: { termsCount: 2, nodesCount: 1 },
        all: { total: 3 },
        terms: {
          searchResults: [
            { entity: { urn: 'urn:li:glossaryTerm:cost' } },
            { entity: { urn: 'urn:li:glossaryTerm:revenue' } },
          ],
        },
      },
      empty: null,
    });
  });

  it('the versions of a set', async () => {
    const version = (urn: string, tag: string): [string, string, object] => [
      urn,
      'versionProperties',
      { versionSet: SET, version: { versionTag: tag }, sortId: tag, isLatest: tag === '2' },
    ];
    await catalog.ingest(version(ORDERS, '1'), version(COPY, '2'));
    const { dataset: found } = await data(
      catalog,
      `query ($urn: String!, $input: SearchAcrossEntitiesInput!) { dataset(urn: $urn) {
        ... on SupportsVersions { versionProperties { versionSet { urn
          versionsSearch(input: $input) { total searchResults { entity { urn } } } } } } } }`,
      { urn: ORDERS, input: { query: '*', filters: [{ field: 'isLatest', values: ['true'] }] } },
    );
    expect(found.versionProperties.versionSet).toEqual({
      urn: SET,
      versionsSearch: { total: 1, searchResults: [{ entity: { urn: COPY } }] },
    });
  });

  it('the data products of several entities', async () => {
    const product = 'urn:li:dataProduct:orders';
    await catalog.ingest([
      product,
      'dataProductProperties',
      { name: 'Orders', assets: [{ destinationUrn: ORDERS, outputPort: true }, { destinationUrn: ITEMS }] },
    ]);
    const ask = `query ($urns: [String!]!) { bulkEntityDataProducts(input: { urns: $urns }) { entities {
      urn dataProductAssociations { isOutputPort dataProduct { urn } } } } }`;
    expect(await data(catalog, ask, { urns: [ITEMS, COPY, ORDERS] })).toEqual({
      bulkEntityDataProducts: {
        entities: [
          { urn: ITEMS, dataProductAssociations: [{ isOutputPort: false, dataProduct: { urn: product } }] },
          { urn: COPY, dataProductAssociations: [] },
          { urn: ORDERS, dataProductAssociations: [{ isOutputPort: true, dataProduct: { urn: product } }] },
        ],
      },
    });
    const refused = await failure(catalog, ask, { urns: Array.from({ length: 1_001 }, () => ORDERS) });
    expect(refused.extensions).toMatchObject({ code: 400, pointer: '/input/urns' });
  });

  it('the name of the relationship to a neighbour in lineage', async () => {
    const { dataset: found } = await data(
      catalog,
      `{ dataset(urn: "${ORDERS}") { ... on EntityWithRelationships { urn type
        lineage(input: { direction: DOWNSTREAM }) { relationships { type entity { urn } createdOn paths { path { urn } } } } } } }`,
    );
    const names = found.lineage.relationships.map((one: any) => [one.entity.urn, one.type]);
    expect(Object.fromEntries(names)).toEqual({ [JOB]: 'Consumes', [CHART]: 'Consumes' });
    expect(found).toMatchObject({ urn: ORDERS, type: 'DATASET' });
  });

  it('the settings of the home page and of views, also before any were made', async () => {
    const ask = `{ globalHomePageSettings { defaultTemplateUrn defaultTemplate { urn } }
      globalViewsSettings { defaultView defaultViewEntity { urn } } }`;
    expect(await data(catalog, ask)).toEqual({
      globalHomePageSettings: null,
      globalViewsSettings: { defaultView: null, defaultViewEntity: null },
    });
    const [template, view] = ['urn:li:dataHubPageTemplate:home', 'urn:li:dataHubView:mine'];
    await catalog.ingest(
      [
        view,
        'dataHubViewInfo',
        {
          name: 'mine',
          type: 'GLOBAL',
          definition: { entityTypes: [], filter: { or: [] } },
          created: STAMP,
          lastModified: STAMP,
        },
      ],
      [
        SETTINGS,
        'globalSettingsInfo',
        { homePage: { defaultTemplate: template }, views: { defaultView: view } },
      ],
    );
    expect(await data(catalog, ask)).toEqual({
      globalHomePageSettings: { defaultTemplateUrn: template, defaultTemplate: { urn: template } },
      globalViewsSettings: { defaultView: view, defaultViewEntity: { urn: view } },
    });
  });
});
