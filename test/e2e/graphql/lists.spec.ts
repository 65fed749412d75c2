import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { data, failure } from './support.js';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const EVENTS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.events,PROD)';
const COLUMN = `urn:li:schemaField:(${ORDERS},id)`;
const STEWARD = 'urn:li:ownershipType:steward';
const SPONSOR = 'urn:li:ownershipType:sponsor';
const WEEKLY = 'urn:li:query:weekly';
const FOUND = 'urn:li:query:found';
const VIEW = 'urn:li:dataHubView:core';
const SALES = 'urn:li:domain:sales';
const EUROPE = 'urn:li:domain:europe';
const NORTH = 'urn:li:domain:north';
const BUSINESS = 'urn:li:glossaryNode:business';
const MONEY = 'urn:li:glossaryNode:money';
const REVENUE = 'urn:li:glossaryTerm:revenue';
const PRODUCT = 'urn:li:dataProduct:shop';
const GUIDE = 'urn:li:document:guide';
const CHAPTER = 'urn:li:document:chapter';
const stamp = (time: number) => ({ time, actor: 'urn:li:corpuser:anna' });
const kind = (name: string) => ({ name, created: stamp(1), lastModified: stamp(2) });
const query = (value: string, source: string, time: number) => ({
  statement: { value, language: 'SQL' },
  source,
  created: stamp(time),
  lastModified: stamp(time),
});

const document = (title: string, more: object = {}) => ({
  title,
  status: { state: 'PUBLISHED' },
  contents: { text: title },
  created: stamp(1),
  lastModified: stamp(2),
  relatedAssets: [{ asset: ORDERS }],
  ...more,
});

const QUERIES = `query ($input: ListQueriesInput!) { listQueries(input: $input) { start count total queries {
  urn properties { source statement { value language } lastModified { actor } }
  subjects { dataset { urn } schemaField { fieldPath } } } } }`;

describe('lists and what lies above, over GraphQL', () => {
  let catalog: TestCatalog;
  const queries = async (input: Record<string, unknown>) =>
    (await data(catalog, QUERIES, { input })).listQueries;
  const urns = (page: any): string[] => page.queries.map(({ urn }: any) => urn);

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [ORDERS, 'datasetProperties', { name: 'Orders' }],
      [EVENTS, 'datasetProperties', { name: 'Events' }],
      [STEWARD, 'ownershipTypeInfo', kind('Steward')],
      [SPONSOR, 'ownershipTypeInfo', kind('Sponsor')],
      [WEEKLY, 'queryProperties', query('select 1 from orders', 'MANUAL', 5)],
      [WEEKLY, 'querySubjects', { subjects: [{ entity: ORDERS }, { entity: COLUMN }] }],
      [FOUND, 'queryProperties', query('select 2 from orders, events', 'SYSTEM', 9)],
      [FOUND, 'querySubjects', { subjects: [{ entity: ORDERS }, { entity: EVENTS }] }],
      [GUIDE, 'documentInfo', document('Guide')],
      [CHAPTER, 'documentInfo', document('Chapter', { parentDocument: { document: GUIDE } })],
      [ORDERS, 'domains', { domains: [EUROPE] }],
      [PRODUCT, 'dataProductProperties', { name: 'Shop', assets: [{ destinationUrn: EVENTS }] }],
      [SALES, 'domainProperties', { name: 'Sales' }],
      [EUROPE, 'domainProperties', { name: 'Europe', parentDomain: SALES }],
      [NORTH, 'domainProperties', { name: 'North', parentDomain: EUROPE }],
      [BUSINESS, 'glossaryNodeInfo', { definition: 'All', name: 'Business' }],
      [MONEY, 'glossaryNodeInfo', { definition: 'Sums', name: 'Money', parentNode: BUSINESS }],
      [REVENUE, 'glossaryTermInfo', { definition: 'In', termSource: 'INTERNAL', parentNode: MONEY }],
    );
  });
  afterAll(() => catalog?.stop());

  it('lists kinds of ownership by name', async () => {
    const list = `query ($input: ListOwnershipTypesInput!) { listOwnershipTypes(input: $input) {
      start count total ownershipTypes { urn info { name } } } }`;
    const { listOwnershipTypes: found } = await data(catalog, list, { input: { query: 'steward' } });
    expect(found).toEqual({
      start: 0,
      count: 1,
      total: 1,
      ownershipTypes: [{ urn: STEWARD, info: { name: 'Steward' } }],
    });
    const { listOwnershipTypes: rest } = await data(catalog, list, { input: { start: 1, count: 1 } });
    expect(rest).toMatchObject({ start: 1, count: 1, total: 2 });
  });

  it('lists the queries of a dataset, of a column, and of a source', async () => {
    const about = (urn: string) => ({ orFilters: [{ and: [{ field: 'entities', values: [urn] }] }] });
    expect((await queries({ ...about(ORDERS), source: 'MANUAL' })).queries).toEqual([
      {
        urn: WEEKLY,
        properties: {
          source: 'MANUAL',
          statement: { value: 'select 1 from orders', language: 'SQL' },
          lastModified: { actor: 'urn:li:corpuser:anna' },
        },
        subjects: [
          { dataset: { urn: ORDERS }, schemaField: null },
          { dataset: { urn: ORDERS }, schemaField: { fieldPath: 'id' } },
        ],
      },
    ]);
    expect(urns(await queries(about(COLUMN)))).toEqual([WEEKLY]);
    expect(urns(await queries({ datasetUrn: EVENTS }))).toEqual([FOUND]);
    const sortInput = { sortCriterion: { field: 'lastModifiedAt', sortOrder: 'DESCENDING' } };
    expect(urns(await queries({ sortInput }))).toEqual([FOUND, WEEKLY]);
    expect(await queries({ start: 1, count: 1, sortInput })).toMatchObject({ start: 1, count: 1, total: 2 });
  });

  it('answers pages that are too long as far as they go, and refuses those of less than nothing', async () => {
    expect(await queries({ count: 1_001 })).toMatchObject({ start: 0, count: 2, total: 2 });
    const refused = await failure(catalog, QUERIES, { input: { count: -1 } });
    expect(refused.extensions).toMatchObject({ code: 400, pointer: '/input/count' });
  });

  it('answers the view of the global settings', async () => {
    const ask = '{ globalViewsSettings { defaultView } }';
    expect(await data(catalog, ask)).toEqual({ globalViewsSettings: { defaultView: null } });
    await catalog.ingest(['urn:li:globalSettings:0', 'globalSettingsInfo', { views: { defaultView: VIEW } }]);
    expect(await data(catalog, ask)).toEqual({ globalViewsSettings: { defaultView: VIEW } });
  });

  it('answers all that lies above domains and terms, the nearest first', async () => {
    const found = await data(
      catalog,
      `{ domain(urn: "${NORTH}") { parentDomains { count domains { urn } } }
        top: domain(urn: "${SALES}") { parentDomains { count domains { urn } } }
        glossaryTerm(urn: "${REVENUE}") { parentNodes { count nodes { urn properties { name } } } }
        glossaryNode(urn: "${MONEY}") { parentNodes { count nodes { urn } } } }`,
    );
    expect(found).toEqual({
      domain: { parentDomains: { count: 2, domains: [{ urn: EUROPE }, { urn: SALES }] } },
      top: { parentDomains: { count: 0, domains: [] } },
      glossaryTerm: {
        parentNodes: {
          count: 2,
          nodes: [
            { urn: MONEY, properties: { name: 'Money' } },
            { urn: BUSINESS, properties: { name: 'Business' } },
          ],
        },
      },
      glossaryNode: { parentNodes: { count: 1, nodes: [{ urn: BUSINESS }] } },
    });
  });

  it('finds the documents about an entity', async () => {
    const about = `query ($urn: String!, $input: RelatedDocumentsInput!) { entity(urn: $urn) {
      ... on Dataset { relatedDocuments(input: $input) { start count total documents { urn info { title } } } } } }`;
    const found = async (urn: string, input: object) =>
      (await data(catalog, about, { urn, input })).entity.relatedDocuments;
    expect((await found(ORDERS, {})).total).toBe(2);
    expect(await found(ORDERS, { rootOnly: true })).toEqual({
      start: 0,
      count: 1,
      total: 1,
      documents: [{ urn: GUIDE, info: { title: 'Guide' } }],
    });
    expect(await found(ORDERS, { parentDocuments: [GUIDE] })).toMatchObject({
      documents: [{ urn: CHAPTER }],
    });
    expect(await found(EVENTS, {})).toEqual({ start: 0, count: 0, total: 0, documents: [] });
  });

  it('finds what belongs to a domain and to a data product', async () => {
    const hits = 'total searchResults { entity { urn } }';
    const found = await data(
      catalog,
      `{ europe: domain(urn: "${EUROPE}") { entities(input: {}) { ${hits} } }
        none: domain(urn: "${EUROPE}") { entities(input: {
          filters: [{ field: "_entityType", values: ["DATA_PRODUCT"] }] }) { total } }
        sales: domain(urn: "${SALES}") { entities { total } }
        dataProduct(urn: "${PRODUCT}") { entities(input: { query: "*" }) { ${hits} } } }`,
    );
    expect(found).toEqual({
      europe: { entities: { total: 1, searchResults: [{ entity: { urn: ORDERS } }] } },
      none: { entities: { total: 0 } },
      sales: { entities: { total: 0 } },
      dataProduct: { entities: { total: 1, searchResults: [{ entity: { urn: EVENTS } }] } },
    });
  });

  it('answers a search by meaning with one by words, and health where nothing says it with nothing', async () => {
    const found = await data(
      catalog,
      `{ semanticSearchAcrossEntities(input: { query: "orders", types: [DATASET] }) { searchResults { entity {
        urn ... on Dataset { health { type status message causes } } } } } }`,
    );
    expect(found.semanticSearchAcrossEntities.searchResults).toEqual([
      { entity: { urn: ORDERS, health: [] } },
    ]);
  });
});
