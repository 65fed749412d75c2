import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeHome } from '../../harness/catalog.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { McpSession } from './mcp-session.js';

const snowflake = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:snowflake,${name},PROD)`;
const column = (dataset: string, path: string) => `urn:li:schemaField:(${dataset},${path})`;
const ORDERS = snowflake('brew.marts.orders');
const STAGED = snowflake('brew.staging.stg_orders');
const COMMERCE = 'urn:li:domain:commerce';
const MAUD = 'urn:li:corpuser:maud.finch';
const GUIDE = 'urn:li:document:counting-orders';
const RETENTION = 'urn:li:structuredProperty:tk.governance.retentionDays';
const AUDIENCE = 'urn:li:structuredProperty:tk.usage.audience';

/** The searches of the default view are narrowed to it; the sample has one. */
const WHOLE_CATALOG = { DATAHUB_MCP_DISABLE_DEFAULT_VIEW: 'true' };

const TOOLS = [
  'search',
  'get_lineage',
  'get_dataset_queries',
  'get_entities',
  'get_aspect_history',
  'list_schema_fields',
  'get_lineage_paths_between',
  'search_documents',
  'grep_documents',
  'add_tags',
  'remove_tags',
  'add_terms',
  'remove_terms',
  'add_owners',
  'remove_owners',
  'set_domains',
  'remove_domains',
  'update_description',
  'add_structured_properties',
  'remove_structured_properties',
  'save_document',
  'get_me',
];

describe("the field's MCP server, unmodified, on the sample", () => {
  let home: string;
  let service: ServiceProcess;
  let session: McpSession;
  /** Calls by tool that differ from each other, and those that were answered. */
  const called = new Map<string, Set<string>>();
  const answered = new Map<string, Set<string>>();
  const count = (of: Map<string, Set<string>>, name: string, input: object): void => {
    of.set(name, (of.get(name) ?? new Set()).add(JSON.stringify(input)));
  };
  const call = async (name: string, input: object = {}): Promise<any> => {
    count(called, name, input);
    const answer = await session.call(name, input);
    count(answered, name, input);
    return answer;
  };
  const entity = async (urn: string): Promise<any> => call('get_entities', { urns: urn });
  const urnsOf = ({ searchResults = [] }: any): string[] => searchResults.map((hit: any) => hit.entity.urn);
  const columnOf = async (dataset: string, path: string): Promise<any> => {
    const { fields } = await call('list_schema_fields', { urn: dataset });
    return fields.find(({ fieldPath }: any) => fieldPath === path);
  };

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-mcp-'));
    service = await ServiceProcess.start(join(home, 'catalog'));
    await importSample(service);
    // The server offers its tools for documents where it finds any.
    const documents = { entity: 'document', input: '*', start: 0, count: 0 };
    await until(async () => {
      const { body } = await service.post('/entities?action=search', documents);
      return body.value?.numEntities > 0;
    });
    session = await McpSession.open(home, service.url, WHOLE_CATALOG);
  });
  afterAll(async () => {
    await session?.close();
    await service?.kill();
    await removeHome(home);
  });

  it('offers all of its tools', async () => {
    expect(await session.tools()).toEqual(TOOLS);
  });

  describe('finds', () => {
    it('by words, the best first, with facets', async () => {
      const found = await call('search', { query: 'late parcels', num_results: 3 });
      expect(found).toMatchObject({ start: 0, count: 3, total: 6 });
      expect(urnsOf(found)[0]).toBe('urn:li:chart:(looker,late_parcels_by_courier)');
      const types = found.facets.find(({ field }: any) => field === '_entityType');
      expect(types.aggregations[0]).toMatchObject({ value: 'DATASET', count: 3 });
    });

    it.each([
      ['/q orders', 46],
      ['/q orders AND NOT revenue', 37],
      ['/q "late parcels"', 5],
      ['/q parcel*', 22],
    ])('in the query language: %s', async (query, total) => {
      const found = await call('search', { query });
      expect(found.total).toBe(total);
      expect(urnsOf(found)).toHaveLength(Math.min(total, 10));
    });

    it('what a filter lets through', async () => {
      const snowflakes = await call('search', { filter: 'entity_type = dataset AND platform = snowflake' });
      expect(snowflakes.total).toBe(40);
      for (const urn of urnsOf(snowflakes)) expect(urn).toContain('snowflake');
      expect((await call('search', { filter: 'tag = urn:li:tag:Tier1' })).total).toBe(12);
    });

    it('counts alone', async () => {
      const counted = await call('search', { filter: `domain = ${COMMERCE}`, num_results: 0 });
      expect(counted.total).toBe(50);
      expect(counted.searchResults).toBeUndefined();
    });

    it('page by page, in an order', async () => {
      const pages = [0, 2].map((offset) =>
        call('search', { query: '/q parcel*', sort_by: 'name', sort_order: 'asc', num_results: 2, offset }),
      );
      const [first, second] = await Promise.all(pages);
      expect(new Set([...urnsOf(first), ...urnsOf(second)]).size).toBe(4);
      expect((await call('search', { sort_by: 'lastOperationTime', num_results: 2 })).count).toBe(2);
    });

    it('documents, by words, filter and pattern', async () => {
      expect(urnsOf(await call('search_documents', { query: 'orders' }))).toEqual([GUIDE]);
      const owned = await call('search_documents', { filter: 'owner = urn:li:corpuser:ines.okafor' });
      expect(owned.searchResults[0].entity).toMatchObject({
        urn: GUIDE,
        subType: 'Guide',
        info: { title: 'How we count orders', created: { actor: { urn: 'urn:li:corpuser:ines.okafor' } } },
        domain: { domain: { properties: { name: 'Commerce' } } },
      });
      // Without search by meaning, words alone are searched for.
      const both = await call('search_documents', {
        query: 'orders',
        semantic_query: 'how orders are counted',
      });
      expect(urnsOf(both)).toEqual([GUIDE]);
      const passages = await call('grep_documents', { urns: [GUIDE], pattern: 'placed' });
      expect(passages).toMatchObject({ total_matches: 1, documents_with_matches: 1 });
      expect(passages.results[0].matches[0].excerpt).toContain('An order counts when it is placed');
    });
  });

  describe('shows', () => {
    it('a dataset with everything that is known of it', async () => {
      expect(await entity(ORDERS)).toMatchObject({
        urn: ORDERS,
        name: 'orders',
        platform: { name: 'snowflake' },
        properties: { description: expect.stringContaining('The certified order table') },
        ownership: {
          owners: [
            { owner: { properties: { displayName: 'Ines Okafor' } }, type: 'TECHNICAL_OWNER' },
            { owner: { properties: { displayName: 'Maud Finch' } }, type: 'BUSINESS_OWNER' },
            { owner: { properties: { displayName: 'Analytics' } }, type: 'DATAOWNER' },
          ],
        },
        tags: {
          tags: [{ tag: { properties: { name: 'gold' } } }, { tag: { properties: { name: 'Tier1' } } }],
        },
        glossaryTerms: {
          terms: [
            {
              term: {
                hierarchicalName: 'Commerce.Order',
                parentNodes: { count: 1, nodes: [{ properties: { name: 'Commerce' } }] },
              },
            },
            { term: { hierarchicalName: 'Finance.NetRevenue' } },
          ],
        },
        domain: { domain: { urn: COMMERCE, entities: { total: 49 }, dataProducts: { total: 1 } } },
        dataProduct: { relationships: [{ entity: { properties: { name: 'Order facts' } } }] },
        structuredProperties: {
          properties: [
            { structuredProperty: { urn: RETENTION }, values: [{ numberValue: 2555 }] },
            { values: [{ stringValue: 'analysts' }, { stringValue: 'finance' }] },
            { values: [{ numberValue: 24 }] },
          ],
        },
        schemaMetadata: {
          primaryKeys: ['order_id'],
          foreignKeys: [
            { foreignDataset: { name: 'customers' }, sourceFields: [{ fieldPath: 'customer_id' }] },
          ],
        },
      });
    });

    it('several entities of all kinds', async () => {
      const shown = await call('get_entities', {
        urns: [
          'urn:li:assertion:orders-fresh-by-seven',
          'urn:li:incident:parcels-late-2026-06-12',
          RETENTION,
          'urn:li:container:sf-brew-marts',
          'urn:li:query:orders-of-yesterday',
          'urn:li:glossaryTerm:Commerce.Order',
          'urn:li:corpGroup:analytics',
          MAUD,
          snowflake('nothing'),
        ],
      });
      expect(shown).toMatchObject([
        {
          type: 'ASSERTION',
          info: { datasetAssertion: { datasetUrn: ORDERS, scope: 'DATASET_ROWS' } },
          runEvents: { total: 1, succeeded: 1, failed: 0, runEvents: [{ result: { type: 'SUCCESS' } }] },
        },
        {
          incidentType: 'FRESHNESS',
          title: 'Parcels are a day late',
          entity: { urn: snowflake('brew.marts.parcel_delays') },
        },
        {
          definition: {
            displayName: 'Retention in days',
            allowedValues: [{ value: { numberValue: 30 } }, {}, {}, {}],
            created: { actor: { properties: { displayName: 'Petra Vance' } } },
          },
          settings: { showInSearchFilters: true },
        },
        {
          subTypes: { typeNames: ['Schema'] },
          browsePathV2: { path: [{ entity: { urn: 'urn:li:container:sf-brew' } }] },
        },
        { properties: { source: 'MANUAL' }, subjects: [{ dataset: { urn: ORDERS } }] },
        { properties: { termSource: 'INTERNAL' } },
        { memberCount: { total: 4 } },
        { properties: { title: 'Head of Data' } },
        { urn: snowflake('nothing'), error: expect.stringContaining('not found') },
      ]);
    });

    it('columns, all of them or those of a word', async () => {
      const all = await call('list_schema_fields', { urn: ORDERS });
      expect(all).toMatchObject({ totalFields: 12, returned: 12, remainingCount: 0 });
      const some = await call('list_schema_fields', { urn: ORDERS, keywords: ['revenue'], limit: 2 });
      expect(some).toMatchObject({
        returned: 2,
        matchingCount: 2,
        fields: [
          { fieldPath: 'gross_revenue', nativeDataType: 'NUMBER(12,2)', glossaryTerms: ['Gross revenue'] },
          { fieldPath: 'net_revenue', tags: ['Finance.Close'], glossaryTerms: ['Net revenue'] },
        ],
      });
      const rest = await call('list_schema_fields', { urn: ORDERS, limit: 2, offset: 10 });
      expect(rest.fields.map(({ fieldPath }: any) => fieldPath)).toEqual(['placed_at', 'status']);
    });

    it('lineage, up and down, near and far', async () => {
      const up = (await call('get_lineage', { urn: ORDERS })).upstreams;
      expect(up).toMatchObject({ total: 6, returned: 6, hasMore: false });
      expect(urnsOf(up)).toContain(STAGED);
      for (const { degree, entity: near } of up.searchResults) {
        expect(degree).toBe(1);
        expect(near.type).toMatch(/^(DATASET|DATA_JOB)$/);
      }
      const down = (await call('get_lineage', { urn: ORDERS, upstream: false, max_hops: 3 })).downstreams;
      expect(down).toMatchObject({ total: 42, returned: 30 });
      const far = { urn: ORDERS, upstream: false, max_hops: 3, max_results: 50 };
      expect((await call('get_lineage', far)).downstreams).toMatchObject({ total: 42, returned: 42 });
      const charts = await call('get_lineage', {
        urn: ORDERS,
        upstream: false,
        filter: 'entity_type = chart',
      });
      expect(charts.downstreams.searchResults).toMatchObject([{ entity: { type: 'CHART' } }]);
      const orders = await call('get_lineage', { urn: ORDERS, max_hops: 3, query: 'orders' });
      expect(orders.upstreams.total).toBe(7);
    });

    it('lineage of a column', async () => {
      const { upstreams } = await call('get_lineage', { urn: ORDERS, column: 'order_id' });
      expect(upstreams.searchResults).toMatchObject([
        { entity: { urn: STAGED }, degree: 1, lineageColumns: ['order_id'] },
      ]);
    });

    it('the ways from one to another', async () => {
      const between = (input: object) => call('get_lineage_paths_between', input);
      const path = async (input: object) => {
        const { pathCount, paths } = await between(input);
        expect(pathCount).toBe(1);
        return paths[0].path.map(({ urn }: any) => urn);
      };
      expect(await path({ source_urn: STAGED, target_urn: ORDERS })).toEqual([STAGED, ORDERS]);
      expect(await path({ source_urn: ORDERS, target_urn: STAGED, direction: 'upstream' })).toEqual([
        ORDERS,
        STAGED,
      ]);
      const columns = { source_column: 'order_id', target_column: 'order_id' };
      expect(await path({ source_urn: STAGED, target_urn: ORDERS, ...columns })).toEqual([
        column(STAGED, 'order_id'),
        column(ORDERS, 'order_id'),
      ]);
    });

    it('queries over a dataset', async () => {
      const all = await call('get_dataset_queries', { urn: ORDERS });
      expect(all).toMatchObject({
        total: 1,
        queries: [
          { properties: { name: 'Orders of yesterday', statement: { language: 'SQL' } }, subjects: [ORDERS] },
        ],
      });
      expect((await call('get_dataset_queries', { urn: ORDERS, source: 'MANUAL' })).total).toBe(1);
      expect((await call('get_dataset_queries', { urn: ORDERS, source: 'SYSTEM' })).total).toBe(0);
      expect((await call('get_dataset_queries', { urn: ORDERS, column: 'order_id' })).total).toBe(0);
    });

    it('who is asking', async () => {
      expect(await call('get_me')).toMatchObject({
        success: true,
        data: { corpUser: { urn: 'urn:li:corpuser:admin', username: 'admin' } },
      });
    });
  });

  describe('changes', () => {
    const tags = async () => (await entity(STAGED)).tags?.tags.map(({ tag }: any) => tag.urn) ?? [];
    const terms = async () =>
      (await entity(STAGED)).glossaryTerms?.terms.map(({ term }: any) => term.urn) ?? [];
    const owners = async () =>
      (await entity(STAGED)).ownership.owners.map(({ owner, ownershipType }: any) => [
        owner.urn,
        ownershipType?.urn,
      ]);

    it('tags, of an entity and of a column', async () => {
      const input = { tag_urns: ['urn:li:tag:PII'], entity_urns: [STAGED] };
      const before = await tags();
      expect(await call('add_tags', input)).toMatchObject({ success: true });
      expect(await tags()).toEqual([...before, 'urn:li:tag:PII']);
      await call('add_tags', { ...input, column_paths: ['order_id'] });
      expect((await columnOf(STAGED, 'order_id')).tags).toEqual(['PII']);
      await call('remove_tags', { ...input, column_paths: ['order_id'] });
      expect((await columnOf(STAGED, 'order_id')).tags).toBeUndefined();
      await call('remove_tags', input);
      expect(await tags()).toEqual(before);
    });

    it('terms, of an entity and of a column', async () => {
      const input = { term_urns: ['urn:li:glossaryTerm:Finance.Refund'], entity_urns: [STAGED] };
      const before = await terms();
      expect(before).not.toContain(input.term_urns[0]);
      await call('add_terms', input);
      expect(await terms()).toContain(input.term_urns[0]);
      await call('add_terms', { ...input, column_paths: ['order_id'] });
      expect((await columnOf(STAGED, 'order_id')).glossaryTerms).toContain('Refund');
      await call('remove_terms', { ...input, column_paths: ['order_id'] });
      expect((await columnOf(STAGED, 'order_id')).glossaryTerms ?? []).not.toContain('Refund');
      await call('remove_terms', input);
      expect(await terms()).toEqual(before);
    });

    it('owners, of a kind that exists always and of one by its name', async () => {
      const input = { owner_urns: [MAUD], entity_urns: [STAGED] };
      await call('add_owners', { ...input, ownership_type: 'BUSINESS_OWNER' });
      await call('add_owners', { ...input, ownership_type: 'data TASTER' });
      expect(await owners()).toEqual(
        expect.arrayContaining([
          [MAUD, 'urn:li:ownershipType:__system__business_owner'],
          [MAUD, 'urn:li:ownershipType:data-taster'],
        ]),
      );
      await call('remove_owners', { ...input, ownership_type: 'Data taster' });
      expect((await owners()).filter(([urn]: string[]) => urn === MAUD)).toHaveLength(1);
      await call('remove_owners', input);
      expect((await owners()).filter(([urn]: string[]) => urn === MAUD)).toEqual([]);
      expect((await session.attempt('add_owners', { ...input, ownership_type: 'No such' })).text).toContain(
        'was not found',
      );
    });

    it('the domain', async () => {
      await call('set_domains', { domain_urn: COMMERCE, entity_urns: [STAGED] });
      expect((await entity(STAGED)).domain.domain.properties.name).toBe('Commerce');
      await call('remove_domains', { entity_urns: [STAGED] });
      expect((await entity(STAGED)).domain).toBeUndefined();
    });

    it('descriptions, of an entity and of a column', async () => {
      const change = (operation: string, description?: string, more: object = {}) =>
        call('update_description', { entity_urn: STAGED, operation, description, ...more });
      await change('replace', 'Staged orders');
      await change('append', ' of the shop');
      expect((await entity(STAGED)).editableProperties.description).toBe('Staged orders of the shop');
      const of = { column_path: 'order_id' };
      await change('replace', 'The number', of);
      await change('append', ' of the order', of);
      expect((await columnOf(STAGED, 'order_id')).description).toBe('The number of the order');
      await change('remove', undefined, of);
      expect((await columnOf(STAGED, 'order_id')).description).not.toBe('The number of the order');
      await change('remove');
      expect((await entity(STAGED)).editableProperties?.description ?? '').toBe('');
      for (const urn of ['urn:li:tag:gold', COMMERCE, 'urn:li:glossaryTerm:Commerce.Order']) {
        await change('replace', 'In other words', { entity_urn: urn });
        expect((await entity(urn)).properties.description).toBe('In other words');
      }
    });

    it('structured properties', async () => {
      const values = async () =>
        Object.fromEntries(
          ((await entity(STAGED)).structuredProperties?.properties ?? []).map(
            ({ structuredProperty, values: all }: any) => [structuredProperty.urn, all],
          ),
        );
      const entity_urns = [STAGED];
      await call('add_structured_properties', {
        property_values: { [RETENTION]: [90], [AUDIENCE]: ['everyone'] },
        entity_urns,
      });
      expect(await values()).toMatchObject({
        [RETENTION]: [{ numberValue: 90 }],
        [AUDIENCE]: [{ stringValue: 'everyone' }],
      });
      await call('remove_structured_properties', { property_urns: [RETENTION], entity_urns });
      expect(Object.keys(await values())).toEqual([AUDIENCE]);
    });

    it('documents, which are found at once', async () => {
      const { urn, author } = await call('save_document', {
        document_type: 'Insight',
        title: 'Kettles boil twice',
        content: '## Finding\n\nTwice.',
        topics: ['quality'],
        related_assets: [ORDERS],
        related_documents: [GUIDE],
      });
      expect(author).toBe('admin');
      const { searchResults } = await call('search_documents', { query: 'kettles boil' });
      expect(searchResults).toMatchObject([
        { entity: { urn, subType: 'Insight', tags: { tags: [{ tag: { urn: 'urn:li:tag:quality' } }] } } },
      ]);
      await call('save_document', {
        urn,
        document_type: 'Insight',
        title: 'Kettles boil once',
        content: 'Once.',
      });
      const { results } = await call('grep_documents', { urns: [urn], pattern: 'Once' });
      expect(results).toMatchObject([{ title: 'Kettles boil once', total_matches: 1 }]);
    });

    it('and tells what was there before', async () => {
      const before = await call('get_aspect_history', { urns: [STAGED], aspect_names: ['domains'] });
      const [{ current, history, error }] = before.results;
      // The server leaves out lists that are empty.
      expect({ value: current.value, error }).toEqual({ value: {}, error: null });
      expect(history.map(({ value }: any) => value.domains)).toContainEqual([COMMERCE]);
    });

    it('nothing of what is not there, and says so', async () => {
      const refused = async (name: string, input: object) => {
        const { failed, text } = await session.attempt(name, input);
        expect(failed).toBe(true);
        return text;
      };
      const input = { entity_urn: snowflake('nothing'), operation: 'replace', description: 'x' };
      expect(await refused('update_description', input)).toContain('does not exist');
      const tagging = { tag_urns: ['urn:li:tag:nothing'], entity_urns: [STAGED] };
      expect(await refused('add_tags', tagging)).toContain('do not exist');
      expect(await refused('search', { query: '/q (a' })).toContain('character 4');
    });
  });

  it('was asked for each of its tools, by 69 different calls, and answered all of them', () => {
    expect([...called.keys()].sort()).toEqual([...TOOLS].sort());
    expect(answered).toEqual(called);
    expect([...answered.values()].reduce((sum, { size }) => sum + size, 0)).toBe(69);
  });

  it('does what the role of its token allows', async () => {
    const { body } = await service.post('/api/graphql', {
      query: `mutation { createAccessToken(input: { type: PERSONAL, actorUrn: "${MAUD}", name: "agent",
        duration: ONE_HOUR, role: READER }) { accessToken } }`,
    });
    const reader = await McpSession.open(home, service.url, {
      ...WHOLE_CATALOG,
      DATAHUB_GMS_TOKEN: body.data.createAccessToken.accessToken,
    });
    try {
      expect((await reader.call('get_me')).data.corpUser.info.displayName).toBe('Maud Finch');
      expect((await reader.call('search', { query: '/q orders' })).total).toBeGreaterThan(0);
      const tagging = { tag_urns: ['urn:li:tag:PII'], entity_urns: [ORDERS] };
      expect(await reader.attempt('add_tags', tagging)).toMatchObject({
        failed: true,
        text: expect.stringContaining('403'),
      });
    } finally {
      await reader.close();
    }
  });

  it('searches within the default view of everyone', async () => {
    const narrowed = await McpSession.open(home, service.url);
    try {
      const found = await narrowed.call('search', { num_results: 50 });
      expect(found.total).toBeLessThan(20);
      for (const { entity: hit } of found.searchResults) expect(hit.urn).toMatch(/^urn:li:dataset:/);
    } finally {
      await narrowed.close();
    }
  });
});
