import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL, BROWSE_V2_SEPARATOR, IndexDigest, SearchSchema, type SearchIndex } from '../../src/catalog/search/index.js';
import { datasetUrn, documentOf, model, requestOf, schema, unless, where, type Ask } from './search-fixture.js';

const tag = (name: string) => `urn:li:tag:${name}`;
const tags = (...names: string[]) => ({ globalTags: { tags: names.map((name) => ({ tag: tag(name) })) } });

const USERS = datasetUrn('hive', 'prod.fct_users_created');
const CAMEL = datasetUrn('kafka', 'FctUsersCreated');
const DOTTED = datasetUrn('hive', 'fct-users.created', 'DEV');
const ORDERS = datasetUrn('mysql', 'shop/orders');
const ORDERS_1 = datasetUrn('mysql', 'shop/orders_1');
const ORDERS_10 = datasetUrn('mysql', 'shop/orders_10');
const UMLAUT = datasetUrn('hive', 'größe');
const CHINESE = datasetUrn('hive', '用户订单');
const ODD = datasetUrn('s3', `it's "quoted" %_*? AND (NEAR)`);
const REMOVED = datasetUrn('hive', 'old_orders');
const CHART = 'urn:li:chart:(looker,orders_chart)';
const ADA = 'urn:li:corpuser:ada';

const LONG_TEXT = `All orders of the shop. ${'Counted once a night by the ledger. '.repeat(20)}The end`;

/** The documents of the parity table. */
const DOCUMENTS = [
  documentOf(USERS, {
    datasetProperties: {
      name: 'fct_users_created',
      description: 'Number of active users by day',
      customProperties: { team: 'growth', tier: '1' },
      created: { time: 1_000 },
    },
    ...tags('pii', 'Legacy'),
    schemaMetadata: { fields: [{ fieldPath: 'user_id', description: 'Who it was' }, { fieldPath: 'created_at' }] },
    ownership: { owners: [{ owner: ADA, type: 'DATAOWNER' }], ownerTypes: { owner: [ADA] } },
    browsePaths: { paths: ['/prod/hive/facts'] },
    browsePathsV2: { path: [{ id: 'urn:li:container:lake' }, { id: 'facts' }] },
  }),
  documentOf(CAMEL, {
    datasetProperties: { customProperties: {}, created: { time: 2_000 } },
    ...tags('pii'),
    browsePaths: { paths: ['/prod/kafka'] },
    browsePathsV2: { path: [{ id: 'urn:li:container:lake' }] },
  }),
  documentOf(DOTTED, { deprecation: { deprecated: true }, browsePaths: { paths: ['/dev/hive'] } }),
  documentOf(ORDERS, {
    datasetProperties: { name: 'orders', description: LONG_TEXT, created: { time: -3_000 } },
    schemaMetadata: { fields: [{ fieldPath: 'id', globalTags: { tags: [{ tag: tag('pii') }] } }] },
  }),
  documentOf(ORDERS_1, { datasetProperties: { name: 'orders_1', created: { time: 2_000 } } }),
  documentOf(ORDERS_10, { datasetProperties: { name: 'orders_10' } }),
  documentOf(UMLAUT, { datasetProperties: { name: 'Größe', description: 'Straße und Ärger 🚀' } }),
  documentOf(CHINESE, { datasetProperties: { name: '用户订单', description: '' } }),
  documentOf(ODD, { datasetProperties: { name: 'a\u0000b', description: '\u{1F469}\u200D\u{1F4BB} \ud800 tail' } }),
  documentOf(REMOVED, { datasetProperties: { name: 'old_orders' }, status: { removed: true } }),
  documentOf(CHART, { chartInfo: { title: 'Orders by day', description: 'orders' } }),
];

const LIVE = [USERS, CAMEL, DOTTED, ORDERS, ORDERS_1, ORDERS_10, UMLAUT, CHINESE, ODD];
/** The order of URNs: by code points. */
const sorted = (urns: string[]) => urns.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));

/**
 * What is asked, and which URNs come in which order. `total` defaults to their number; beyond the `first` ones the order is
 * left to the engine's own measure of relevance.
 */
const PARITY: Array<Ask & { title: string; urns: string[]; total?: number; first?: number }> = [
  { title: '* finds everything, by URN', urns: sorted(LIVE) },
  { title: 'nothing typed is everything', input: '  ', urns: sorted(LIVE) },
  { title: 'snake case by its parts', input: 'users created', urns: [CAMEL, DOTTED, USERS], first: 0 },
  { title: 'one spelling finds the others, the equal name first', input: 'fct_users_created', urns: [USERS, CAMEL, DOTTED], first: 1 },
  { title: 'camel case', input: 'FctUsersCreated', urns: [CAMEL, USERS, DOTTED], first: 1 },
  { title: 'kebab and dots', input: 'fct-users.created', urns: [DOTTED, USERS, CAMEL], first: 1 },
  { title: 'no separators at all', input: 'fctuserscreated', urns: [CAMEL, USERS, DOTTED], first: 0 },
  { title: 'the beginning of a word', input: 'creat', urns: [CAMEL, DOTTED, USERS], first: 0 },
  { title: 'upper case', input: 'GROWTH', urns: [USERS] },
  { title: 'the equal name before names that begin so', input: 'orders', urns: [ORDERS, ORDERS_1, ORDERS_10] },
  { title: 'a number is not the beginning of another', input: 'orders_1', urns: [ORDERS_1] },
  { title: 'unless a star says so', input: 'orders_1*', urns: [ORDERS_1, ORDERS_10] },
  { title: 'a phrase', input: '"active users"', urns: [USERS] },
  { title: 'words that are there, not as a phrase', input: '"users active"', urns: [] },
  { title: 'a word of a description', input: 'ledger', urns: [ORDERS] },
  { title: 'a column', input: 'user_id', urns: [USERS] },
  { title: 'accents do not matter', input: 'grosse', urns: [] },
  { title: 'accents do not matter, one by one', input: 'GROßE arger', urns: [UMLAUT] },
  { title: 'a part of a Chinese name', input: '订单', urns: [CHINESE] },
  { title: 'a pictogram', input: '🚀', urns: [UMLAUT] },
  { title: 'the URN itself first', input: USERS, urns: [USERS] },
  { title: 'a tag by its URN', input: tag('Legacy'), urns: [USERS] },
  { title: 'no such word', input: 'nonesuch', urns: [] },
  { title: '<field>:<value> with a URN', input: `tags:${tag('Legacy')}`, urns: [USERS] },
  { title: '<field>:<value> with the bare id', input: 'tags:Legacy', urns: [USERS] },
  { title: '<field>:<value> is exact', input: 'tags:Legac', urns: [] },
  { title: '<field>:<value> of a name', input: 'name:ORDERS', urns: [ORDERS] },
  { title: '<field>:<value> with escapes', input: 'tags:urn\\:li\\:tag\\:Legacy', urns: [USERS] },
  { title: '<field>:* is any value', input: 'owners:*', urns: [USERS] },
  { title: 'an unknown field is plain text', input: 'nonesuch:ledger', urns: [] },
  { title: 'a text with a colon', input: 'active:users', urns: [USERS] },
  { title: 'EQUAL', filter: where('platform', 'EQUAL', 'urn:li:dataPlatform:kafka'), urns: [CAMEL] },
  { title: 'EQUAL minds the case', filter: where('name', 'EQUAL', 'ORDERS'), urns: [] },
  { title: 'EQUAL with several values', filter: where('name', 'EQUAL', 'orders', 'orders_1'), urns: [ORDERS, ORDERS_1] },
  { title: 'IN', filter: where('name', 'IN', 'orders', 'nonesuch'), urns: [ORDERS] },
  { title: 'EQUAL without values', filter: where('name', 'EQUAL'), urns: [] },
  { title: '.keyword', filter: where('platform.keyword', 'EQUAL', 'urn:li:dataPlatform:kafka'), urns: [CAMEL] },
  { title: 'the old form', filter: { criteria: [{ field: 'origin', value: 'DEV' }] }, urns: [DOTTED] },
  { title: 'a group of fields', filter: where('tags', 'EQUAL', tag('pii')), urns: sorted([USERS, CAMEL, ORDERS]) },
  { title: 'one of the group', filter: where('fieldTags', 'EQUAL', tag('pii')), urns: [ORDERS] },
  { title: 'env is origin', filter: where('env', 'EQUAL', 'DEV'), urns: [DOTTED] },
  { title: 'a custom property', filter: where('customProperties', 'EQUAL', 'team=growth'), urns: [USERS] },
  { title: 'owners by type', filter: where('ownerTypes', 'EQUAL', `owner=${ADA}`), urns: [USERS] },
  { title: 'a whole long text', filter: where('description', 'EQUAL', LONG_TEXT), urns: [ORDERS] },
  { title: 'the end of a long text', filter: where('description', 'END_WITH', 'the END'), urns: [ORDERS] },
  { title: 'inside a long text', filter: where('description', 'CONTAIN', 'BY THE LEDGER'), urns: [ORDERS] },
  { title: 'the urn', filter: where('urn', 'EQUAL', ORDERS, CHART), urns: [ORDERS] },
  { title: 'part of the urn', filter: where('urn', 'CONTAIN', 'SHOP/ORDERS_'), urns: [ORDERS_1, ORDERS_10] },
  { title: 'IEQUAL', filter: where('name', 'IEQUAL', 'GRÖSSE', 'größe', 'ORDERS'), urns: sorted([UMLAUT, ORDERS]) },
  { title: 'CONTAIN', filter: where('name', 'CONTAIN', 'RS_1'), urns: [ORDERS_1, ORDERS_10] },
  { title: 'CONTAIN takes wildcards literally', filter: where('id', 'CONTAIN', '%_*?'), urns: [ODD] },
  { title: 'CONTAIN in a browse path', filter: where('browsePathV2', 'CONTAIN', 'urn:li:container:lake'), urns: sorted([USERS, CAMEL]) },
  { title: 'START_WITH', filter: where('id', 'START_WITH', 'SHOP/orders_1'), urns: [ORDERS_1, ORDERS_10] },
  { title: 'END_WITH', filter: where('id', 'END_WITH', '.CREATED'), urns: [DOTTED] },
  { title: 'EXISTS', filter: where('owners', 'EXISTS'), urns: [USERS] },
  { title: 'IS_NULL', filter: where('createdAt', 'IS_NULL'), urns: sorted([DOTTED, ORDERS_10, UMLAUT, CHINESE, ODD]) },
  { title: 'GREATER_THAN', filter: where('createdAt', 'GREATER_THAN', '1000'), urns: sorted([CAMEL, ORDERS_1]) },
  { title: 'GREATER_THAN_OR_EQUAL_TO', filter: where('createdAt', 'GREATER_THAN_OR_EQUAL_TO', '1e3'), urns: sorted([USERS, CAMEL, ORDERS_1]) },
  { title: 'LESS_THAN', filter: where('createdAt', 'LESS_THAN', '1000'), urns: [ORDERS] },
  { title: 'LESS_THAN_OR_EQUAL_TO', filter: where('createdAt', 'LESS_THAN_OR_EQUAL_TO', '1970-01-01T00:00:01Z'), urns: sorted([ORDERS, USERS]) },
  { title: 'a number as a number', filter: where('createdAt', 'EQUAL', '2000.0'), urns: sorted([CAMEL, ORDERS_1]) },
  { title: 'a range of texts', filter: where('name', 'GREATER_THAN', 'orders_1'), urns: sorted([ORDERS_10, CHINESE]) },
  { title: 'a flag', filter: where('hasOwners', 'EQUAL', 'true'), urns: [USERS] },
  { title: 'a flag that was never set is false', filter: where('hasOwners', 'EQUAL', 'false'), urns: sorted(LIVE.filter((u) => u !== USERS)) },
  { title: 'negation', filter: unless('origin', 'EQUAL', 'PROD'), urns: [DOTTED] },
  { title: 'negation of a group', filter: unless('tags', 'EXISTS'), urns: sorted(LIVE.filter((u) => ![USERS, CAMEL, ORDERS].includes(u))) },
  { title: 'an unknown field matches nothing', filter: where('nonesuch', 'EQUAL', 'x'), urns: [] },
  { title: 'its negation everything', filter: unless('nonesuch', 'EQUAL', 'x'), urns: sorted(LIVE) },
  { title: 'the entity type, either spelling', filter: where('_entityType', 'EQUAL', 'dataset', 'CHART'), urns: sorted(LIVE) },
  {
    title: 'and within, or between',
    filter: {
      or: [
        { and: [{ field: 'tags', values: [tag('pii')] }, { field: 'tags', values: [tag('Legacy')] }] },
        { and: [{ field: 'origin', values: ['DEV'] }] },
      ],
    },
    urns: sorted([USERS, DOTTED]),
  },
  { title: 'text and filter', input: 'orders', filter: where('name', 'END_WITH', '0'), urns: [ORDERS_10] },
  { title: 'soft-deleted ones when asked for', input: 'orders', includeRemoved: true, urns: [ORDERS, ORDERS_1, ORDERS_10, REMOVED] },
  { title: 'only soft-deleted ones', includeRemoved: true, filter: where('removed', 'EQUAL', 'true'), urns: [REMOVED] },
  { title: 'several entity types', input: 'orders', entities: ['dataset', 'chart'], urns: [ORDERS, ORDERS_1, ORDERS_10, CHART] },
  { title: 'a page', start: 2, count: 3, urns: sorted(LIVE).slice(2, 5), total: LIVE.length },
  { title: 'a page of text hits', input: 'orders', start: 1, count: 1, urns: [ORDERS_1], total: 3 },
  { title: 'a page beyond the end', start: 100, count: 3, urns: [], total: LIVE.length },
  { title: 'no page', count: 0, urns: [], total: LIVE.length },
  {
    title: 'sorted, ties by URN, those without the field last',
    sort: [{ field: 'createdAt', descending: false }],
    urns: [ORDERS, USERS, ...sorted([CAMEL, ORDERS_1]), ...sorted([DOTTED, ORDERS_10, UMLAUT, CHINESE, ODD])],
  },
  {
    title: 'sorted downwards, by two fields',
    sort: [
      { field: 'createdAt', descending: true },
      { field: 'urn', descending: true },
    ],
    count: 4,
    urns: [ORDERS_1, CAMEL, USERS, ORDERS],
    total: LIVE.length,
  },
  { title: 'sorted by a long text', input: 'shop', sort: [{ field: 'description', descending: true }], urns: [ORDERS, ORDERS_1, ORDERS_10] },
];

/** What every search index must do: the port's documentation as examples. */
export function searchIndexConformance(name: string, makeIndex: () => Promise<SearchIndex>): void {
  describe(`search index: ${name}`, () => {
    let index: SearchIndex;
    const urnsOf = async (ask: Ask) => (await index.search(requestOf(ask))).hits.map((hit) => hit.urn);

    beforeEach(async () => {
      index = await makeIndex();
      await index.ensureSchema(schema);
      await index.upsert(DOCUMENTS);
    });
    afterEach(() => index.close());

    it.each(PARITY)('$title', async ({ title: _, urns, total = urns.length, first = urns.length, ...ask }) => {
      const result = await index.search(requestOf(ask));
      const found = result.hits.map((hit) => hit.urn);
      const settled = (all: string[]) => [...all.slice(0, first), ...sorted(all.slice(first))];
      expect({ urns: settled(found), total: result.total }).toEqual({ urns: settled(urns), total });
    });

    it('counts facets under the query and the filter', async () => {
      const facets = ['_entityType', 'platform', 'tags', 'origin', 'createdAt', 'nonesuch'];
      const all = await index.search(requestOf({ facets, count: 0 }));
      expect(all.facets).toEqual([
        { name: '_entityType', values: [{ value: 'DATASET', count: 9 }] },
        {
          name: 'platform',
          values: [
            { value: 'urn:li:dataPlatform:hive', count: 4 },
            { value: 'urn:li:dataPlatform:mysql', count: 3 },
            { value: 'urn:li:dataPlatform:kafka', count: 1 },
            { value: 'urn:li:dataPlatform:s3', count: 1 },
          ],
        },
        { name: 'tags', values: [{ value: tag('pii'), count: 2 }, { value: tag('Legacy'), count: 1 }] },
        { name: 'origin', values: [{ value: 'PROD', count: 8 }, { value: 'DEV', count: 1 }] },
        { name: 'createdAt', values: [{ value: '2000', count: 2 }, { value: '-3000', count: 1 }, { value: '1000', count: 1 }] },
        { name: 'nonesuch', values: [] },
      ]);
      const some = await index.search(
        requestOf({ facets: ['tags', 'origin'], input: 'fct', filter: where('origin', 'EQUAL', 'PROD'), maxFacetValues: 1 }),
      );
      expect(some.facets).toEqual([
        { name: 'tags', values: [{ value: tag('pii'), count: 2 }] },
        { name: 'origin', values: [{ value: 'PROD', count: 2 }] },
      ]);
    });

    it('counts values of one field within those of another, and values of any length', async () => {
      const nested = await index.search(
        requestOf({ entities: ['dataset', 'chart'], facets: ['_entityType␞origin', 'description'], input: 'orders' }),
      );
      expect(nested.facets).toEqual([
        {
          name: '_entityType␞origin',
          values: [
            { value: 'DATASET', count: 3 },
            { value: 'DATASET␞PROD', count: 3 },
            { value: 'CHART', count: 1 },
          ],
        },
        { name: 'description', values: [{ value: LONG_TEXT, count: 1 }, { value: 'orders', count: 1 }] },
      ]);
    });

    it('says where the words were found, and answers fields', async () => {
      const [hit] = (await index.search(requestOf({ input: 'user_id', matchedFields: true, fetch: ['tags', 'origin', 'nonesuch'] }))).hits;
      expect(hit).toEqual({
        urn: USERS,
        entity: 'dataset',
        matchedFields: [{ name: 'fieldPaths', value: 'user_id' }],
        fields: { tags: [tag('pii'), tag('Legacy')], origin: ['PROD'] },
      });
      const [exact] = (await index.search(requestOf({ input: 'tags:Legacy', matchedFields: true }))).hits;
      expect(exact!.matchedFields).toEqual([{ name: 'tags', value: tag('Legacy') }]);
      const all = await index.search(requestOf({ matchedFields: true }));
      expect(all.hits.every((h) => h.matchedFields.length === 0)).toBe(true);
    });

    it.each([
      '"', "'", '""', '" "', '(', ')', '())', '*', '**', ' * ', 'a*b', '-', '--', '+', '|', '&&', '!', '^2', '~', '\\', '/', '//', ':', '::',
      'a:', ':a', 'AND', 'OR', 'NOT', 'a AND', 'NEAR(a b)', 'NEAR/2', '"a" NEAR "b"', '{a b}: c', 'name : x', '[a TO b]', '%', '_', '?',
      '\u0000', 'a\u0000b', '\ud800', '\u{1F600}', '‮', '<script>', "'; DROP TABLE doc; --", '${x}', '\n', '\t', 'é', 'e\u0301', 'ﬁ', 'İ', 'ß',
      'x'.repeat(5000), 'a '.repeat(500), '"unbalanced phrase', '😀😀', '零', '1e400', 'NaN', '__proto__', 'constructor', 'constructor:x',
    ])('takes any text: %j', async (input) => {
      for (const ask of [{ input }, { filter: where('name', 'EQUAL', input) }, { filter: where('name', 'CONTAIN', input) }]) {
        await expect(index.search(requestOf({ ...ask, matchedFields: true }))).resolves.toBeDefined();
      }
      for (const condition of ['START_WITH', 'END_WITH', 'IEQUAL', 'GREATER_THAN', 'LESS_THAN_OR_EQUAL_TO']) {
        await expect(index.search(requestOf({ filter: where('id', condition, input) }))).resolves.toBeDefined();
      }
      await expect(
        index.autocomplete({ ...requestOf({}), text: input, fields: ['name', 'id'], limit: 5 }),
      ).resolves.toBeDefined();
    });

    it('keeps values with odd characters as they are', async () => {
      expect(await urnsOf({ filter: where('name', 'EQUAL', 'a\u0000b') })).toEqual([ODD]);
      expect(await urnsOf({ filter: where('id', 'EQUAL', `it's "quoted" %_*? AND (NEAR)`) })).toEqual([ODD]);
      expect(await urnsOf({ input: `it's "quoted" %_*? AND (NEAR)` })).toEqual([ODD]);
      expect(await urnsOf({ filter: where('description', 'EXISTS', '') })).toContain(CHINESE);
    });

    it('replaces whole documents', async () => {
      await index.upsert([documentOf(USERS, { datasetProperties: { name: 'renamed' } }, 2)]);
      expect(await urnsOf({ input: 'renamed' })).toEqual([USERS]);
      expect(await urnsOf({ input: 'growth' })).toEqual([]);
      expect(await urnsOf({ filter: where('tags', 'EQUAL', tag('Legacy')) })).toEqual([]);
      expect(await urnsOf({ filter: where('tags', 'EQUAL', tag('pii')) })).toEqual(sorted([CAMEL, ORDERS]));
      const { facets } = await index.search(requestOf({ facets: ['tags'] }));
      expect(facets).toEqual([{ name: 'tags', values: [{ value: tag('pii'), count: 1 }] }]);
    });

    it('lets the higher version win, whatever the order of arrival', async () => {
      const named = (n: string, sequence: number) => documentOf(ORDERS, { datasetProperties: { name: n } }, sequence);
      expect(await index.upsert([named('five', 5), named('three', 3)])).toEqual({ written: 1, outdated: 1 });
      expect(await urnsOf({ input: 'five' })).toEqual([ORDERS]);
      expect(await urnsOf({ input: 'three' })).toEqual([]);
      expect(await index.remove([{ urn: ORDERS, sequence: 4 }])).toEqual({ written: 0, outdated: 1 });
      expect(await index.upsert([named('again', 5)])).toEqual({ written: 1, outdated: 0 });
      expect(await urnsOf({ input: 'again' })).toEqual([ORDERS]);
    });

    it('leaves a tombstone that late documents do not pass', async () => {
      await index.remove([{ urn: ORDERS, sequence: 7 }, { urn: datasetUrn('hive', 'unborn'), sequence: 4 }]);
      expect(await urnsOf({})).toEqual(sorted(LIVE.filter((urn) => urn !== ORDERS)));
      expect(await urnsOf({ filter: where('urn', 'EQUAL', ORDERS) })).toEqual([]);
      expect(await index.upsert([documentOf(ORDERS, {}, 6), documentOf(datasetUrn('hive', 'unborn'), {}, 3)])).toEqual({ written: 0, outdated: 2 });
      expect(await urnsOf({})).not.toContain(ORDERS);
      await index.upsert([documentOf(ORDERS, {}, 8)]);
      expect(await urnsOf({ input: 'orders' })).toContain(ORDERS);
    });

    it('keeps URNs apart that differ in case only', async () => {
      const [lower, upper] = [datasetUrn('hive', 'case'), datasetUrn('hive', 'CASE')];
      await index.upsert([documentOf(lower), documentOf(upper)]);
      expect(await urnsOf({ input: 'case' })).toEqual([lower, upper]);
      expect(await urnsOf({ filter: where('urn', 'EQUAL', upper) })).toEqual([upper]);
    });

    it('scrolls over everything once, by URN or by a field', async () => {
      for (const sort of [undefined, [{ field: 'createdAt', descending: true }], [{ field: 'tags', descending: false }]]) {
        const base = { ...requestOf({}), ...(sort && { sort }) };
        const whole = (await index.search(base)).hits.map((hit) => hit.urn);
        const seen: string[] = [];
        let after: string | undefined;
        do {
          const page = await index.scroll({ ...base, count: 2, ...(after !== undefined && { after }) });
          expect(page.total).toBe(LIVE.length);
          seen.push(...page.hits.map((hit) => hit.urn));
          after = page.next;
        } while (after !== undefined);
        expect(seen).toEqual(whole);
      }
    });

    it('goes on scrolling where it was when documents come and go', async () => {
      const base = { ...requestOf({}), count: 3 };
      const first = await index.scroll(base);
      const last = first.hits.at(-1)!.urn;
      await index.remove([{ urn: last, sequence: 9 }]);
      await index.upsert([documentOf(datasetUrn('aaa', 'earlier')), documentOf(datasetUrn('zzz', 'later'))]);
      const rest = await index.scroll({ ...base, count: 100, after: first.next! });
      expect(rest.hits.map((hit) => hit.urn)).toEqual(sorted([...LIVE, datasetUrn('zzz', 'later')]).slice(3));
      expect(rest.next).toBeUndefined();
    });

    it.each(['', 'x', '!!!', Buffer.from('[]').toString('base64url'), Buffer.from('["","",""]').toString('base64url')])(
      'refuses %j as a place to go on from',
      async (after) => {
        await expect(index.scroll({ ...requestOf({}), after })).rejects.toMatchObject({ code: 'PARAMETER_INVALID' });
      },
    );

    it('refuses a place of a walk in another order', async () => {
      const { next } = await index.scroll({ ...requestOf({}), count: 1 });
      const sort = [{ field: 'name', descending: false }];
      await expect(index.scroll({ ...requestOf({ sort }), after: next! })).rejects.toMatchObject({ code: 'PARAMETER_INVALID' });
    });

    it('completes names by the beginnings of their words, the best first', async () => {
      const complete = async (text: string, limit = 10, ask: Ask = {}) =>
        (await index.autocomplete({ ...requestOf(ask), text, fields: ['name', 'id', 'platform'], limit })).map((s) => s.text);
      expect(await complete('orders')).toEqual(expect.arrayContaining(['orders', 'orders_1', 'orders_10', 'shop/orders']));
      expect((await complete('orders'))[0]).toBe('orders');
      expect(await complete('orders', 1)).toEqual(['orders']);
      expect(await complete('users cr')).toEqual(expect.arrayContaining(['fct_users_created', 'FctUsersCreated', 'fct-users.created']));
      expect(await complete('gro')).toEqual(expect.arrayContaining(['Größe']));
      expect(await complete('ledger')).toEqual([]);
      expect(await complete('old')).toEqual([]);
      expect(await complete('kaf')).toEqual(['kafka']);
      expect(await complete('ord', 10, { filter: where('name', 'EQUAL', 'orders_10') })).toEqual(['orders_10', 'shop/orders_10']);
    });

    it('browses level by level', async () => {
      const browse = (field: string, separator: string, path: string[]) =>
        index.browse({ ...requestOf({ count: 10 }), field, separator, path });
      expect(await browse('browsePaths', '/', [])).toEqual({
        groups: [
          { name: 'prod', count: 2, hasSubGroups: true },
          { name: 'dev', count: 1, hasSubGroups: true },
        ],
        entities: [],
        totalEntities: 0,
        totalBelow: 3,
      });
      expect(await browse('browsePaths', '/', ['prod', 'kafka'])).toEqual({
        groups: [],
        entities: [{ urn: CAMEL, entity: 'dataset', name: 'FctUsersCreated' }],
        totalEntities: 1,
        totalBelow: 1,
      });
      expect(await browse('browsePathV2', BROWSE_V2_SEPARATOR, ['urn:li:container:lake'])).toEqual({
        groups: [{ name: 'facts', count: 1, hasSubGroups: false }],
        entities: [{ urn: CAMEL, entity: 'dataset', name: 'FctUsersCreated' }],
        totalEntities: 1,
        totalBelow: 2,
      });
      expect((await browse('browsePaths', '/', ['pro'])).totalBelow).toBe(0);
    });

    it('sums up what it holds', async () => {
      await index.remove([{ urn: ORDERS, sequence: 2 }]);
      const expected = new IndexDigest(16);
      for (const { urn, sequence } of DOCUMENTS) if (urn !== ORDERS) expected.add({ urn, sequence });
      expect(expected.differing(await index.digest(16))).toEqual([]);
      await index.upsert([documentOf(USERS, {}, 2)]);
      expect(expected.differing(await index.digest(16))).toHaveLength(1);
    });

    it('is what its documents say after many random writes', async () => {
      let seed = 7;
      const random = (n: number) => (seed = (seed * 48271) % 2147483647) % n;
      const state = new Map<string, { sequence: number; tags: string[] | undefined }>();
      for (let round = 1; round <= 30; round++) {
        const batch = Array.from({ length: 20 }, () => {
          const urn = datasetUrn('rnd', `t${random(60)}`);
          const names = Array.from({ length: random(4) }, () => `t${random(6)}`);
          return { urn, sequence: round, names, gone: random(5) === 0 };
        });
        for (const { urn, sequence, names, gone } of batch) {
          if (gone) await index.remove([{ urn, sequence }]);
          else await index.upsert([documentOf(urn, tags(...names), sequence)]);
          state.set(urn, { sequence, tags: gone ? undefined : [...new Set(names)] });
        }
      }
      const live = [...state].filter(([, s]) => s.tags);
      const filter = where('platform', 'EQUAL', 'urn:li:dataPlatform:rnd');
      const result = await index.search(requestOf({ filter, facets: ['tags'] }));
      expect(result.hits.map((h) => h.urn)).toEqual(sorted(live.map(([urn]) => urn)));
      for (const { value, count } of result.facets[0]!.values) {
        expect(count).toBe(live.filter(([, s]) => s.tags!.some((t) => tag(t) === value)).length);
      }
    });

    it('asks for a rebuild until one was finished', async () => {
      const fresh = await makeIndex();
      try {
        expect(await fresh.ensureSchema(schema)).toBeDefined();
        await fresh.upsert(DOCUMENTS);
        const again = await fresh.ensureSchema(schema);
        expect((await fresh.search({ ...requestOf({}), query: ALL })).total).toBe(LIVE.length);
        await again!.finished();
        expect(await fresh.ensureSchema(schema)).toBeUndefined();
        const other = new SearchSchema([model.findEntity('dataset')!]);
        expect(await fresh.ensureSchema(other)).toBeDefined();
      } finally {
        await fresh.close();
      }
    });
  });
}
