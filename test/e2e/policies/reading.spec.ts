import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { dataset, policy, putPolicies } from './policies.js';

const [ORDERS, SALARIES, REPORT] = [dataset('shop.orders'), dataset('shop.salaries'), dataset('shop.report')];
const SALES = 'urn:li:domain:sales';
const PII = 'urn:li:tag:pii';
const urn = encodeURIComponent;
const graphqlOf = (catalog: TestCatalog, token: string, query: string): Promise<Answer> =>
  catalog.post('/api/graphql', { query }, { token });

const upstream = (of: string) => ({
  upstreams: [{ dataset: of, type: 'TRANSFORMED', auditStamp: { time: 0, actor: 'urn:li:corpuser:x' } }],
});

type Ask = (catalog: TestCatalog, token: string, of: string) => Promise<Answer>;

/** Answers about one entity: of one that is hidden, each surface says what it says of one that does not exist. */
const ONE: Record<string, Ask> = {
  'entity of the aspect API': (c, token, of) => c.get(`/entitiesV2/${urn(of)}`, { token }),
  'aspect of the aspect API': (c, token, of) =>
    c.get(`/aspects/${urn(of)}?aspect=datasetProperties&version=0`, { token }),
  'snapshot of the aspect API': (c, token, of) => c.get(`/entities/${urn(of)}`, { token }),
  'entity of v3': (c, token, of) => c.get(`/openapi/v3/entity/dataset/${urn(of)}`, { token }),
  'aspect of v3': (c, token, of) =>
    c.get(`/openapi/v3/entity/dataset/${urn(of)}/datasetProperties`, { token }),
  'earlier version of v3': (c, token, of) =>
    c.get(`/openapi/v3/entity/dataset/${urn(of)}/datasetProperties?version=1`, { token }),
  'existence in v3': (c, token, of) => c.request('HEAD', `/openapi/v3/entity/dataset/${urn(of)}`, { token }),
  'batch of v3': (c, token, of) => c.post('/openapi/v3/entity/dataset/batchGet', [{ urn: of }], { token }),
  'dataset of GraphQL': (c, token, of) =>
    graphqlOf(c, token, `{ dataset(urn: "${of}") { urn properties { name } } }`),
  'entity of GraphQL': (c, token, of) => graphqlOf(c, token, `{ entity(urn: "${of}") { urn } }`),
  'relationships of the aspect API': (c, token, of) =>
    c.get(`/relationships?direction=OUTGOING&urn=${urn(of)}&types=List(AssociatedWith,TaggedWith)`, {
      token,
    }),
  'events of the aspect API': (c, token, of) =>
    c.post(
      '/aspects?action=getTimeseriesAspectValues',
      { urn: of, entity: 'dataset', aspect: 'operation' },
      { token },
    ),
  timeline: (c, token, of) =>
    c.get(`/openapi/v2/timeline/v1/${urn(of)}?categories=TAG,DOCUMENTATION,OWNERSHIP,GLOSSARY_TERM`, {
      token,
    }),
};

/** Answers that list entities, all those of the test. */
const MANY: Record<string, (catalog: TestCatalog, token: string) => Promise<Answer>> = {
  'search of the aspect API': (c, token) =>
    c.post('/entities?action=search', { entity: 'dataset', input: '*', start: 0, count: 10 }, { token }),
  'search of GraphQL': (c, token) =>
    graphqlOf(
      c,
      token,
      `{ searchAcrossEntities(input: { types: [DATASET], query: "shop", start: 0, count: 10 }) {
          total searchResults { entity { urn } } } }`,
    ),
  'list of v3': (c, token) => c.get('/openapi/v3/entity/dataset?count=10', { token }),
  'autocompletion of the aspect API': (c, token) =>
    c.post(
      '/entities?action=autocomplete',
      { entity: 'dataset', query: 'shop', field: 'name', limit: 10 },
      { token },
    ),
  'browsing of the aspect API': (c, token) =>
    c.post(
      '/entities?action=browse',
      { entity: 'dataset', path: '/prod/hive/shop', start: 0, limit: 10 },
      { token },
    ),
  'relationships of v3': (c, token) => c.get('/openapi/v3/relationship/TaggedWith?count=100', { token }),
  'events of v2': (c, token) => c.get('/openapi/v2/timeseries/dataset/operation?count=10', { token }),
  'scroll of v3': (c, token) => c.post('/openapi/v3/entity/scroll', { entities: ['dataset'] }, { token }),
  'change feed': (c, token) =>
    c.get(
      '/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&lookbackWindowDays=1&pollTimeoutSeconds=0&entityType=dataset',
      { token },
    ),
  'pages of the change feed': async (c, token) => {
    const page = (query: string, as?: string) =>
      c.get(`/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&pollTimeoutSeconds=0&${query}`, {
        ...(as !== undefined && { token: as }),
      });
    const texts: string[] = [];
    for (let query = 'limit=2&lookbackWindowDays=1'; ;) {
      // Someone who may read all has been here, and these answers are kept.
      await page(query);
      const answer = await page(query, token);
      texts.push(answer.text);
      if (answer.body.count === 0) return { ...answer, text: texts.join('\n') };
      query = `limit=2&offsetId=${answer.body.offsetId}`;
    }
  },
  'platform events': (c, token) =>
    c.get(
      '/openapi/v1/events/poll?topic=PlatformEvent_v1&lookbackWindowDays=1&pollTimeoutSeconds=0&entityType=dataset',
      { token },
    ),
  'references to a tag': (c, token) =>
    c.get(`/relationships?direction=INCOMING&urn=${urn('urn:li:tag:any')}&types=List(TaggedWith)`, { token }),
  'references of GraphQL': (c, token) =>
    graphqlOf(
      c,
      token,
      `{ tag(urn: "urn:li:tag:any") { relationships(input: { types: ["TaggedWith"], direction: INCOMING, start: 0, count: 10 }) {
          total relationships { entity { urn } } } } }`,
    ),
};

describe('policies on reading', () => {
  let catalog: TestCatalog;
  let reader: string;
  let editor: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    reader = (await catalog.issueToken({ user: 'ann', role: 'READER' })).token;
    editor = (await catalog.issueToken({ user: 'bob', role: 'EDITOR' })).token;
    const event = { timestampMillis: Date.now(), operationType: 'INSERT', lastUpdatedTimestamp: Date.now() };
    await catalog.ingest(
      ...[ORDERS, SALARIES, REPORT].flatMap((of): Array<[string, string, unknown]> => [
        [of, 'datasetProperties', { name: of.split(',')[1]! }],
        [of, 'operation', event],
      ]),
      [ORDERS, 'domains', { domains: [SALES] }],
      [ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:any' }] }],
      [SALARIES, 'domains', { domains: ['urn:li:domain:hr'] }],
      [SALARIES, 'globalTags', { tags: [{ tag: PII }, { tag: 'urn:li:tag:any' }] }],
      [SALARIES, 'upstreamLineage', upstream(ORDERS)],
      ['urn:li:tag:any', 'tagProperties', { name: 'any' }],
    );
    await catalog.ingest([SALARIES, 'datasetProperties', { name: 'shop.salaries', description: 'new' }]);
  });
  afterAll(() => catalog?.stop());

  it('are not felt while there are none', async () => {
    for (const ask of Object.values(ONE))
      expect((await ask(catalog, reader, SALARIES)).status).toBeLessThan(300);
    for (const ask of Object.values(MANY)) expect((await ask(catalog, reader)).text).toContain('salaries');
  });

  describe('that hide what has a tag', () => {
    beforeAll(() =>
      putPolicies(catalog, {
        hide: policy({
          privileges: ['VIEW_ENTITY_PAGE'],
          effect: 'DENY',
          actors: { allUsers: true },
          criteria: [{ field: 'TAG', values: [PII] }],
        }),
      }),
    );

    it.each(Object.entries(ONE))('hold for the %s', async (_, ask) => {
      // Twice: the second answer may be a kept one.
      for (let time = 0; time < 2; time += 1) {
        const [hidden, absent, shown] = [
          await ask(catalog, reader, SALARIES),
          await ask(catalog, reader, dataset('shop.absent.')),
          await ask(catalog, reader, ORDERS),
        ];
        const withoutName = (text: string) =>
          text.replaceAll(/shop\.[a-z.]+/g, 'shop').replace(/"requestId":"[^"]+"/, '');
        expect([hidden.status, withoutName(hidden.text)]).toEqual([absent.status, withoutName(absent.text)]);
        expect(shown.status).toBeLessThan(300);
        expect([shown.status, withoutName(shown.text)]).not.toEqual([
          hidden.status,
          withoutName(hidden.text),
        ]);
      }
    });

    it.each(Object.entries(MANY))('hold for the %s', async (_, ask) => {
      for (const token of [reader, editor]) {
        const answer = await ask(catalog, token);
        expect(answer.status).toBe(200);
        expect(answer.text).toContain('shop.orders');
        expect(answer.text).not.toContain('shop.salaries,PROD');
      }
    });

    it('hold for totals and facets', async () => {
      const ask = async (token?: string) => {
        const query = `{ searchAcrossEntities(input: { types: [DATASET], query: "*", start: 0, count: 1 }) {
          total facets { field aggregations { value count } } } }`;
        const { body } = await catalog.post('/api/graphql', { query }, token === undefined ? {} : { token });
        const { total, facets } = body.data.searchAcrossEntities;
        const tags = facets.find(({ field }: { field: string }) => field === 'tags');
        return [total, tags.aggregations.map(({ value, count }: any) => [value, count])];
      };
      expect(await ask()).toEqual([
        3,
        expect.arrayContaining([
          [PII, 1],
          ['urn:li:tag:any', 2],
        ]),
      ]);
      expect(await ask(reader)).toEqual([2, [['urn:li:tag:any', 1]]]);
    });

    it('end lineage where something is hidden', async () => {
      await catalog.ingest([REPORT, 'upstreamLineage', upstream(SALARIES)]);
      const of = async (token?: string) => {
        const as = token === undefined ? {} : { token };
        const query = `{
          searchAcrossLineage(input: { urn: "${ORDERS}", direction: DOWNSTREAM, start: 0, count: 10 }) {
            total isPartial searchResults { entity { urn } } }
          scrollAcrossLineage(input: { urn: "${ORDERS}", direction: DOWNSTREAM, count: 10 }) { total isPartial }
          dataset(urn: "${ORDERS}") { lineage(input: { direction: DOWNSTREAM, start: 0, count: 10 }) {
            total filtered relationships { entity { urn } } } } }`;
        const { data } = (await catalog.post('/api/graphql', { query }, as)).body;
        const { searchAcrossLineage: found, scrollAcrossLineage: scrolled, dataset: shown } = data;
        const { body } = await catalog.post(
          '/openapi/v3/lineage/scroll?direction=DOWNSTREAM',
          { urns: [ORDERS] },
          as,
        );
        return [
          [found.total, found.isPartial, found.searchResults.length],
          [scrolled.total, scrolled.isPartial],
          [shown.lineage.filtered, shown.lineage.relationships.length],
          [body.results.length, body.isPartial],
        ];
      };
      expect(await of()).toEqual([
        [2, false, 2],
        [2, false],
        [0, 1],
        [1, false],
      ]);
      // What is hidden is a gap that says so.
      expect(await of(reader)).toEqual([
        [0, true, 0],
        [0, true],
        [1, 0],
        [0, true],
      ]);
    });

    it('say on each page of lineage whether something of it is hidden', async () => {
      const shown = ['a', 'b', 'd'].map((name) => dataset(`shop.below_${name}`));
      const hidden = dataset('shop.below_c');
      for (const below of [shown[0]!, shown[1]!, hidden, shown[2]!])
        await catalog.ingest([below, 'upstreamLineage', upstream(REPORT)]);
      await catalog.ingest([hidden, 'globalTags', { tags: [{ tag: PII }] }]);
      const pages = async (count: number, token?: string) => {
        const told: Array<[number, boolean]> = [];
        for (let scrollId = ''; ;) {
          const { body } = await catalog.post(
            `/openapi/v3/lineage/scroll?direction=DOWNSTREAM&count=${count}${scrollId && `&scrollId=${urn(scrollId)}`}`,
            { urns: [REPORT] },
            token === undefined ? {} : { token },
          );
          told.push([body.results.length, body.isPartial]);
          if (body.scrollId === null) return told;
          scrollId = body.scrollId;
        }
      };
      for (const count of [1, 2, 3, 10]) {
        const told = await pages(count, reader);
        expect(told.reduce((sum, [results]) => sum + results, 0)).toBe(3);
        expect(told.filter(([, isPartial]) => isPartial)).toHaveLength(1);
        for (const [, isPartial] of await pages(count)) expect(isPartial).toBe(false);
      }
    });

    it.each([
      ['counts', '/entities?action=getTotalEntityCount', { entity: 'dataset' }],
      ['lists of runs', '/runs?action=list', {}],
    ])('refuse %s of the whole catalog', async (_, path, body) => {
      expect((await catalog.post(path, body)).status).toBe(200);
      const { status, body: problem } = await catalog.post(path, body, { token: reader });
      expect([status, problem.code ?? problem.errorCode]).toEqual([403, expect.anything()]);
    });

    it('do not hold for administrators', async () => {
      expect((await catalog.get(`/entitiesV2/${urn(SALARIES)}`)).status).toBe(200);
    });

    it('end with the policy, at once', async () => {
      await putPolicies(catalog, {
        hide: policy({ privileges: ['VIEW_ENTITY_PAGE'], effect: 'DENY', state: 'INACTIVE' }),
      });
      expect((await ONE['entity of v3']!(catalog, reader, SALARIES)).status).toBe(200);
    });
  });

  describe('that narrow what the role allows', () => {
    beforeAll(async () => {
      await putPolicies(catalog, {
        'catalog-readers': policy({ privileges: ['VIEW_ENTITY_PAGE'], state: 'INACTIVE' }),
        sales: policy({
          privileges: ['VIEW_ENTITY_PAGE'],
          actors: { groups: ['urn:li:corpGroup:sales'] },
          criteria: [{ field: 'DOMAIN', values: [SALES] }],
        }),
        owners: policy({ privileges: ['VIEW_ENTITY_PAGE'], actors: { resourceOwners: true } }),
      });
    });
    afterAll(async () => {
      for (const id of ['catalog-readers', 'sales', 'owners'])
        await catalog.request(
          'DELETE',
          `/openapi/v3/entity/dataHubPolicy/${urn(`urn:li:dataHubPolicy:${id}`)}`,
        );
    });

    const seen = async (token: string): Promise<string[]> => {
      const { body } = await MANY['search of the aspect API']!(catalog, token);
      const listed: string[] = body.value.metadata.urns.toSorted();
      for (const one of [ORDERS, SALARIES, REPORT]) {
        const { status } = await ONE['entity of v3']!(catalog, token, one);
        expect([one, status]).toEqual([one, listed.includes(one) ? 200 : 404]);
      }
      return listed;
    };

    it('leave nothing to those whom no policy names', async () => {
      expect(await seen(reader)).toEqual([]);
    });

    it('follow the groups of a user, at once', async () => {
      await catalog.ingest([
        'urn:li:corpuser:ann',
        'groupMembership',
        { groups: ['urn:li:corpGroup:sales'] },
      ]);
      expect(await seen(reader)).toEqual([ORDERS]);
      await catalog.ingest(['urn:li:corpuser:ann', 'groupMembership', { groups: [] }]);
      expect(await seen(reader)).toEqual([]);
    });

    it('follow the roles of these groups, at once', async () => {
      const [group, role] = ['urn:li:corpGroup:analysts', 'urn:li:dataHubRole:analyst'];
      await catalog.ingest(['urn:li:corpuser:ann', 'nativeGroupMembership', { nativeGroups: [group] }]);
      await putPolicies(catalog, {
        analysts: policy({
          privileges: ['VIEW_ENTITY_PAGE'],
          actors: { roles: [role] },
          criteria: [{ field: 'URN', values: [REPORT] }],
        }),
      });
      expect(await seen(reader)).toEqual([]);
      await catalog.ingest([group, 'roleMembership', { roles: [role] }]);
      expect(await seen(reader)).toEqual([REPORT]);
      await catalog.ingest([group, 'roleMembership', { roles: [] }]);
      expect(await seen(reader)).toEqual([]);
    });

    it('mean what is in the domains below one as well, as long as they are', async () => {
      const properties = (parentDomain?: string) => ({
        name: 'Retail',
        ...(parentDomain && { parentDomain }),
      });
      const [retail, stores] = ['urn:li:domain:retail', 'urn:li:domain:stores'];
      await catalog.ingest(
        [SALES, 'domainProperties', { name: 'Sales' }],
        [retail, 'domainProperties', properties(SALES)],
        [stores, 'domainProperties', { name: 'Stores', parentDomain: retail }],
        [ORDERS, 'domains', { domains: [stores] }],
        ['urn:li:corpuser:ann', 'groupMembership', { groups: ['urn:li:corpGroup:sales'] }],
      );
      expect(await seen(reader)).toEqual([ORDERS]);
      await catalog.ingest([retail, 'domainProperties', properties()]);
      expect(await seen(reader)).toEqual([]);
      await catalog.ingest(
        [ORDERS, 'domains', { domains: [SALES] }],
        ['urn:li:corpuser:ann', 'groupMembership', { groups: [] }],
      );
    });

    it('follow the owners of an entity', async () => {
      const owner = { owner: 'urn:li:corpuser:ann', type: 'TECHNICAL_OWNER' };
      await catalog.ingest([REPORT, 'ownership', { owners: [owner] }]);
      expect(await seen(reader)).toEqual([REPORT]);
    });
  });
});
