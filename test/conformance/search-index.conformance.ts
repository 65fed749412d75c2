import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ALL,
  bucketOf,
  BROWSE_V2_SEPARATOR,
  IndexDigest,
  SearchSchema,
  type SearchIndex,
} from '../../src/catalog/search/index.js';
import { datasetUrn, documentOf, model, requestOf, schema, where, type Ask } from './search-fixture.js';
import {
  CAMEL,
  CHINESE,
  DOCUMENTS,
  LIVE,
  LONG_TEXT,
  ODD,
  ODD_TEXTS,
  ORDERS,
  ORDERS_1,
  ORDERS_10,
  PARITY,
  QUERIES,
  USERS,
  sorted,
  tag,
  tags,
} from './search-parity.js';
import { QUERY_STRINGS } from './query-string-parity.js';
import { propertyFieldsConformance } from './search-property-fields.conformance.js';
import { rankingConformance } from './search-ranking.conformance.js';

/** What every search index must do: the port's documentation as examples. */
export function searchIndexConformance(name: string, makeIndex: () => Promise<SearchIndex>): void {
  const loadedIndex = async (): Promise<SearchIndex> => {
    const index = await makeIndex();
    await index.ensureSchema(schema);
    await index.upsert(DOCUMENTS);
    return index;
  };

  propertyFieldsConformance(name, loadedIndex);

  describe(`search index, as it is loaded: ${name}`, () => {
    let index: SearchIndex;

    beforeAll(async () => {
      index = await loadedIndex();
    });
    afterAll(() => index.close());

    it.each(PARITY)(
      '$title',
      async ({ title: _, urns, total = urns.length, first = urns.length, ...ask }) => {
        const result = await index.search(requestOf(ask));
        const found = result.hits.map((hit) => hit.urn);
        const settled = (all: string[]) => [...all.slice(0, first), ...sorted(all.slice(first))];
        expect({ urns: settled(found), total: result.total }).toEqual({ urns: settled(urns), total });
      },
    );

    it.each([...QUERIES, ...QUERY_STRINGS])('understands %j', async (queryString, urns) => {
      const result = await index.search(requestOf({ queryString, matchedFields: true }));
      expect({ urns: sorted(result.hits.map((hit) => hit.urn)), total: result.total }).toEqual({
        urns: sorted(urns),
        total: urns.length,
      });
    });

    it.each(ODD_TEXTS)('takes any text: %j', async (input) => {
      for (const ask of [
        { input },
        { filter: where('name', 'EQUAL', input) },
        { filter: where('name', 'CONTAIN', input) },
      ]) {
        await expect(index.search(requestOf({ ...ask, matchedFields: true }))).resolves.toBeDefined();
      }
      for (const condition of ['START_WITH', 'END_WITH', 'IEQUAL', 'GREATER_THAN', 'LESS_THAN_OR_EQUAL_TO']) {
        await expect(
          index.search(requestOf({ filter: where('id', condition, input) })),
        ).resolves.toBeDefined();
      }
      await expect(
        index.autocomplete({ ...requestOf({}), text: input, fields: ['name', 'id'], limit: 5 }),
      ).resolves.toBeDefined();
    });
  });

  describe(`search index: ${name}`, () => {
    let index: SearchIndex;
    const urnsOf = async (ask: Ask) => (await index.search(requestOf(ask))).hits.map((hit) => hit.urn);

    beforeEach(async () => {
      index = await loadedIndex();
    });
    afterEach(() => index.close());

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
        {
          name: 'tags',
          values: [
            { value: tag('pii'), count: 2 },
            { value: tag('Legacy'), count: 1 },
          ],
        },
        {
          name: 'origin',
          values: [
            { value: 'PROD', count: 8 },
            { value: 'DEV', count: 1 },
          ],
        },
        {
          name: 'createdAt',
          values: [
            { value: '2000', count: 2 },
            { value: '-3000', count: 1 },
            { value: '1000', count: 1 },
          ],
        },
        { name: 'nonesuch', values: [] },
      ]);
      const some = await index.search(
        requestOf({
          facets: ['tags', 'origin'],
          input: 'fct',
          filter: where('origin', 'EQUAL', 'PROD'),
          maxFacetValues: 1,
        }),
      );
      expect(some.facets).toEqual([
        { name: 'tags', values: [{ value: tag('pii'), count: 2 }] },
        { name: 'origin', values: [{ value: 'PROD', count: 2 }] },
      ]);
    });

    it('counts values of one field within those of another, and values of any length', async () => {
      const nested = await index.search(
        requestOf({
          entities: ['dataset', 'chart'],
          facets: ['_entityType␞origin', 'description'],
          input: 'orders',
        }),
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
        {
          name: 'description',
          values: [
            { value: LONG_TEXT, count: 1 },
            { value: 'orders', count: 1 },
          ],
        },
      ]);
    });

    it('says where the words were found, and answers fields', async () => {
      const [hit] = (
        await index.search(
          requestOf({ input: 'user_id', matchedFields: true, fetch: ['tags', 'origin', 'nonesuch'] }),
        )
      ).hits;
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

    it('shows many writes when it is asked to once', async () => {
      const urns = Array.from({ length: 300 }, (_, i) => datasetUrn('hive', `later_${i}`));
      const many = (sequence: number) => urns.map((urn) => documentOf(urn, {}, sequence));
      const all = { written: 300, outdated: 0 };
      expect(await index.upsert(many(2), 'later')).toEqual(all);
      expect(await index.upsert(many(1), 'later')).toEqual({ written: 0, outdated: 300 });
      await index.settle();
      const filter = where('urn', 'START_WITH', 'urn:li:dataset:(urn:li:dataPlatform:hive,later_');
      const count = async () => (await index.search(requestOf({ filter }))).total;
      expect(await count()).toBe(300);
      const removals = urns.map((urn) => ({ urn, sequence: 3 }));
      expect(await index.remove(removals, 'later')).toEqual(all);
      await index.settle();
      expect(await count()).toBe(0);
    });

    it('lets the higher version win, whatever the order of arrival', async () => {
      const named = (n: string, sequence: number) =>
        documentOf(ORDERS, { datasetProperties: { name: n } }, sequence);
      expect(await index.upsert([named('five', 5), named('three', 3)])).toEqual({ written: 1, outdated: 1 });
      expect(await urnsOf({ input: 'five' })).toEqual([ORDERS]);
      expect(await urnsOf({ input: 'three' })).toEqual([]);
      expect(await index.remove([{ urn: ORDERS, sequence: 4 }])).toEqual({ written: 0, outdated: 1 });
      expect(await index.upsert([named('again', 5)])).toEqual({ written: 1, outdated: 0 });
      expect(await urnsOf({ input: 'again' })).toEqual([ORDERS]);
    });

    it('leaves a tombstone that late documents do not pass', async () => {
      await index.remove([
        { urn: ORDERS, sequence: 7 },
        { urn: datasetUrn('hive', 'unborn'), sequence: 4 },
      ]);
      expect(await urnsOf({})).toEqual(sorted(LIVE.filter((urn) => urn !== ORDERS)));
      expect(await urnsOf({ filter: where('urn', 'EQUAL', ORDERS) })).toEqual([]);
      expect(
        await index.upsert([documentOf(ORDERS, {}, 6), documentOf(datasetUrn('hive', 'unborn'), {}, 3)]),
      ).toEqual({ written: 0, outdated: 2 });
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
      for (const sort of [
        undefined,
        [{ field: 'createdAt', descending: true }],
        [{ field: 'tags', descending: false }],
      ]) {
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

    it.each([
      '',
      'x',
      '!!!',
      Buffer.from('[]').toString('base64url'),
      Buffer.from('["","",""]').toString('base64url'),
    ])('refuses %j as a place to go on from', async (after) => {
      await expect(index.scroll({ ...requestOf({}), after })).rejects.toMatchObject({
        code: 'PARAMETER_INVALID',
      });
    });

    it('refuses a place of a walk in another order', async () => {
      const { next } = await index.scroll({ ...requestOf({}), count: 1 });
      const sort = [{ field: 'name', descending: false }];
      await expect(index.scroll({ ...requestOf({ sort }), after: next! })).rejects.toMatchObject({
        code: 'PARAMETER_INVALID',
      });
    });

    it('completes names by the beginnings of their words, the best first', async () => {
      const complete = async (text: string, limit = 10, ask: Ask = {}) =>
        (
          await index.autocomplete({ ...requestOf(ask), text, fields: ['name', 'id', 'platform'], limit })
        ).map((s) => s.text);
      expect(await complete('orders')).toEqual(
        expect.arrayContaining(['orders', 'orders_1', 'orders_10', 'shop/orders']),
      );
      expect((await complete('orders'))[0]).toBe('orders');
      expect(await complete('orders', 1)).toEqual(['orders']);
      expect(await complete('users cr')).toEqual(
        expect.arrayContaining(['fct_users_created', 'FctUsersCreated', 'fct-users.created']),
      );
      expect(await complete('gro')).toEqual(expect.arrayContaining(['Größe']));
      expect(await complete('ledger')).toEqual([]);
      expect(await complete('old')).toEqual([]);
      expect(await complete('kaf')).toEqual(['kafka']);
      expect(await complete('ord', 10, { filter: where('name', 'EQUAL', 'orders_10') })).toEqual([
        'orders_10',
        'shop/orders_10',
      ]);
    });

    it('browses level by level', async () => {
      const browse = (field: string, separator: string, path: string[]) =>
        index.browse({ ...requestOf({ count: 10 }), field, separator, path });
      expect(await browse('browsePaths', '/', [])).toEqual({
        groups: [
          { name: 'prod', count: 8, hasSubGroups: true },
          { name: 'dev', count: 1, hasSubGroups: true },
        ],
        entities: [],
        totalEntities: 0,
        totalBelow: 9,
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

    it('leaves out earlier versions when asked to, also of what becomes one later', async () => {
      const version = (urn: string, isLatest: boolean | undefined, sequence: number) => {
        const versionProperties =
          isLatest === undefined ? undefined : { versionSet: 'urn:li:versionSet:(a,dataset)', isLatest };
        const aspects = {
          ...(versionProperties && { versionProperties }),
          browsePaths: { paths: ['/prod/kafka'] },
        };
        return documentOf(urn, aspects, sequence);
      };
      const asked: Ask[] = [
        {},
        { input: 'orders' },
        { filter: where('origin', 'EQUAL', 'PROD') },
        { sort: [{ field: 'name', descending: false }] },
      ];
      const expectLeft = async (...earlier: string[]) => {
        for (const ask of asked) {
          const all = await index.search(requestOf({ ...ask, facets: ['platform', 'origin␞platform'] }));
          const latest = await index.search(
            requestOf({ ...ask, facets: ['platform', 'origin␞platform'], latestOnly: true }),
          );
          const left = all.hits.map(({ urn }) => urn).filter((urn) => !earlier.includes(urn));
          expect(latest.hits.map(({ urn }) => urn)).toEqual(left);
          expect(latest.total).toBe(left.length);
          const among = { ...ask, filter: undefined, input: '*' };
          const counted = await index.search(
            requestOf({
              ...among,
              facets: ['platform', 'origin␞platform'],
              filter: where('urn', 'IN', ...left),
            }),
          );
          expect(latest.facets).toEqual(counted.facets);
          const walked = await index.scroll(requestOf({ ...ask, latestOnly: true }));
          expect(walked.total).toBe(left.length);
        }
        const at = { field: 'browsePaths', separator: '/', path: ['prod'] };
        const [all, latest] = await Promise.all([
          index.browse({ ...requestOf({}), ...at }),
          index.browse({ ...requestOf({ latestOnly: true }), ...at }),
        ]);
        expect(all.totalBelow - latest.totalBelow).toBe(earlier.length);
        const complete = { ...requestOf({ latestOnly: true }), text: 'orders', fields: ['name'], limit: 9 };
        const completed = (await index.autocomplete(complete)).flatMap(({ urn, others }) => [urn, ...others]);
        for (const urn of earlier) expect(completed).not.toContain(urn);
      };
      await expectLeft();
      await index.upsert([version(ORDERS, false, 2), version(ORDERS_1, true, 2)]);
      await expectLeft(ORDERS);
      await index.upsert([version(ORDERS, true, 3), version(ORDERS_1, false, 3)]);
      await expectLeft(ORDERS_1);
      await index.upsert([version(ORDERS_10, false, 3)]);
      await expectLeft(ORDERS_1, ORDERS_10);
      await index.upsert([version(ORDERS_1, undefined, 4)]);
      await index.remove([{ urn: ORDERS_10, sequence: 4 }]);
      await expectLeft();
    });

    it('sums up what it holds', async () => {
      await index.remove([{ urn: ORDERS, sequence: 2 }]);
      const expected = new IndexDigest(16);
      for (const { urn, sequence } of DOCUMENTS) if (urn !== ORDERS) expected.add({ urn, sequence });
      expect(expected.differing(await index.digest(16))).toEqual([]);
      await index.upsert([documentOf(USERS, {}, 2)]);
      expect(expected.differing(await index.digest(16))).toHaveLength(1);
    });

    it('lists what it holds by bucket', async () => {
      await index.remove([{ urn: ORDERS, sequence: 2 }]);
      const listed: Array<{ urn: string; sequence: number }> = [];
      for (let bucket = 0; bucket < 4; bucket++) {
        for await (const version of index.versions(4, new Set([bucket]))) {
          expect(bucketOf(version.urn, 4)).toBe(bucket);
          listed.push(version);
        }
      }
      const held = DOCUMENTS.filter(({ urn }) => urn !== ORDERS).map(({ urn, sequence }) => ({
        urn,
        sequence,
      }));
      const byUrn = (a: { urn: string }, b: { urn: string }) => (a.urn < b.urn ? -1 : 1);
      expect(listed.sort(byUrn)).toEqual(held.sort(byUrn));
      for await (const version of index.versions(4, new Set())) throw new Error(`listed ${version.urn}`);
    });

    it('forgets documents and tombstones, whatever their versions', async () => {
      await index.remove([{ urn: ORDERS, sequence: 50 }]);
      await index.forget([ORDERS, USERS, datasetUrn('hive', 'never seen')]);
      expect(await urnsOf({})).toEqual(sorted(LIVE.filter((urn) => urn !== ORDERS && urn !== USERS)));
      expect(await urnsOf({ input: 'growth' })).toEqual([]);
      const anew = DOCUMENTS.filter(({ urn }) => urn === ORDERS || urn === USERS);
      expect(await index.upsert(anew)).toEqual({ written: 2, outdated: 0 });
      expect(await urnsOf({})).toEqual(sorted(LIVE));
    });

    rankingConformance(() => index);

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
