import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { SearchIndex } from '../../../src/catalog/search/index.js';
import { EntityReader } from '../../../src/modules/entities/index.js';
import { Database } from '../../../src/catalog/store/index.js';
import { TestCatalog } from '../../harness/catalog.js';
import { until } from '../../harness/until.js';
import { data, failure, graphql } from './support.js';
import { EventLoopRounds } from '../../harness/event-loop-rounds.js';

const D = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const words = (count: number, word: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => word(i)).join(' ');
const nested = (depth: number): string =>
  depth === 0
    ? 'urn'
    : `urn lineage(input: { direction: UPSTREAM }) { relationships { entity { ${nested(depth - 1)} } } }`;

const search = (i: number, flags = '') =>
  `a${i}: searchAcrossEntities(input: { query: "*", count: 100${flags} }) { total }`;

describe('documents are bounded', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest([D, 'status', { removed: false }]);
  });
  afterAll(() => catalog.stop());

  /** What the service counts, as a number. */
  const metric = async (name: string, label = ''): Promise<number> => {
    const { text } = await catalog.get('/metrics');
    const line = text.split('\n').find((l) => l.startsWith(name) && l.includes(label) && !l.startsWith('#'));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  const outcomes = async () => ({
    compiled: await metric('catalog_graphql_compilations_total', 'outcome="compiled"'),
    tooLarge: await metric('catalog_graphql_compilations_total', 'outcome="too_large"'),
  });

  it('a small query is compiled at its second run, and counts against what is kept', async () => {
    const query = `{ dataset(urn: "${D}") { urn type } }`;
    const before = await outcomes();
    await data(catalog, query);
    expect(await outcomes()).toEqual(before);
    const kept = await metric('catalog_graphql_documents_bytes');
    expect(await data(catalog, query)).toEqual({ dataset: { urn: D, type: 'DATASET' } });
    expect(await outcomes()).toEqual({ ...before, compiled: before.compiled + 1 });
    expect(await metric('catalog_graphql_documents_bytes')).toBeGreaterThan(kept);
    const run = await metric('catalog_graphql_operations_total', 'run="compiled"');
    await data(catalog, query);
    expect(await metric('catalog_graphql_operations_total', 'run="compiled"')).toBe(run + 1);
  });

  it.each([
    ['interfaces nested two deep', `{ entity(urn: "${D}") { ${nested(2)} } }`],
    ['interfaces nested four deep', `{ entity(urn: "${D}") { ${nested(4)} } }`],
    ['many interfaces beside each other', `{ ${words(40, (i) => `a${i}: entity(urn: "${D}") { urn }`)} }`],
    [
      'variables whose types are large',
      `query(${words(40, (i) => `$v${i}: SearchAcrossEntitiesInput`)}) {
        ${words(40, (i) => `a${i}: searchAcrossEntities(input: $v${i}) @skip(if: true) { total }`)} }`.replaceAll(
        'Input)',
        'Input! = { query: "*" })',
      ),
    ],
  ])('a query of %s is never compiled', async (_what, text) => {
    const query = text.replaceAll(
      'SearchAcrossEntitiesInput ',
      'SearchAcrossEntitiesInput! = { query: "*" } ',
    );
    const before = await outcomes();
    for (let i = 0; i < 3; i += 1) await data(catalog, query);
    expect(await outcomes()).toEqual({ ...before, tooLarge: before.tooLarge + 1 });
  });

  it('what is kept of documents has an end', async () => {
    const filler = words(4000, () => 'urn');
    for (let i = 0; i < 30; i += 1)
      await graphql(
        catalog,
        `query($v: [String!]! = ["${filler}"]) { entities(urns: []) { urn } a${i}: entities(urns: $v) { urn } }`,
      );
    const one = await metric('catalog_graphql_documents_bytes');
    expect(one).toBeGreaterThan(0);
    expect(one).toBeLessThanOrEqual(32 * 1024 * 1024);
  });

  it.each([
    [
      'fields to merge',
      `{ dataset(urn: "${D}") { ${words(2400, () => 'urn')} } }`,
      /2878800 pairs .* at most 50000/,
    ],
    [
      'fragments',
      `{ dataset(urn: "${D}") { ...f0 } } ${words(900, (i) => `fragment f${i} on Dataset { a${i}: urn ${i < 899 ? `...f${i + 1}` : ''} }`)}`,
      /404550 pairs .* at most 50000/,
    ],
    [
      'operations',
      words(51, (i) => `query q${i} { dataset(urn: "${D}") { urn } }`),
      /51 operations, at most 50/,
    ],
    [
      'brackets',
      `{ dataset(urn: ${'['.repeat(4900)}1${']'.repeat(4900)}) { urn } }`,
      /4902 deep .* at most 250/,
    ],
    ['comments', `{ dataset(urn: "${D}") { urn } }${'#\n'.repeat(20_000)}`, /20000 comments, at most 10000/],
    [
      'long names',
      `query ${'N'.repeat(1000)} { dataset(urn: "${D}") { urn } }`,
      /1000 characters, at most 256/,
    ],
    ['text', `{ dataset(urn: "${'x'.repeat(1_048_576)}") { urn } }`, /104\d{4} characters, at most 1048576/],
    [
      'the schema within the schema',
      `{ __schema { types { fields { type { fields { type { ${words(30, (i) => `a${i}: name`)} } } } } } } }`,
      /fields of the schema, at most \d+ are allowed/,
    ],
    [
      'the schema, often',
      `{ ${words(90, (i) => `a${i}: __schema { types { fields { name type { name } args { name } } } }`)} }`,
      /fields of the schema, at most \d+ are allowed/,
    ],
  ])('a document with too much of %s is refused, and says so', async (_what, query, message) => {
    const error = await failure(catalog, query);
    expect(error.message).toMatch(message);
    expect(error.extensions).toMatchObject({ code: 400, errorCode: 'GRAPHQL_TOO_COSTLY' });
  });

  it('a page size that is the default of a variable is no reason to refuse it', async () => {
    const fields = words(60, (i) => `a${i}: urn`);
    const answer = await data(
      catalog,
      `query($n: Int = 10000) { searchAcrossEntities(input: { query: "*", count: $n }) { searchResults { entity { urn ${fields} } } } }`,
    );
    expect(Object.keys(answer)).toEqual(['searchAcrossEntities']);
  });

  it('searches of one document share one budget', async () => {
    const counting = (i: number) => search(i).replace('{ total }', '{ total facets { field } }');
    const error = await failure(catalog, `{ ${words(100, counting)} }`);
    expect(error.message).toMatch(/cost 2100 together, at most 1000/);
    expect(error.extensions).toMatchObject({ code: 400, errorCode: 'GRAPHQL_TOO_COSTLY' });
    const lean = ', searchFlags: { skipAggregates: true }';
    const answer = await data(catalog, `{ ${words(100, (i) => search(i, lean))} }`);
    expect(Object.keys(answer)).toHaveLength(100);
  });

  it('a document that people and tools send is not', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    expect(Object.keys(await data(catalog, getIntrospectionQuery()))).toEqual(['__schema']);
  });
});

describe('searches of one document', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest([D, 'status', { removed: false }]);
  });
  afterAll(() => catalog.stop());

  it('leave the event loop to others in between', async () => {
    const index = catalog.provider(SearchIndex);
    const rounds: number[] = [];
    const loop = new EventLoopRounds();
    const original = index.search.bind(index);
    const spy = jest.spyOn(index, 'search').mockImplementation((request) => {
      rounds.push(loop.current);
      const end = performance.now() + 8;
      while (performance.now() < end);
      return original(request);
    });
    try {
      await data(catalog, `{ ${words(10, (i) => search(i))} }`);
    } finally {
      loop.stop();
      spy.mockRestore();
    }
    expect(rounds).toHaveLength(10);
    expect(new Set(rounds).size).toBe(10);
  });

  it('and large pages leave it to others, too: entities are read some at a time', async () => {
    const urns = Array.from({ length: 1000 }, (_, i) => D.replace('orders', `orders_${i}`));
    for (let at = 0; at < urns.length; at += 500)
      await catalog.ingest(
        ...urns
          .slice(at, at + 500)
          .map((urn): [string, string, object] => [urn, 'status', { removed: false }]),
      );
    const rounds = new Set<number>();
    const loop = new EventLoopRounds();
    const reader = catalog.provider(EntityReader);
    const original = reader.stored.bind(reader);
    const spy = jest.spyOn(reader, 'stored').mockImplementation((principal, read, selection) => {
      rounds.add(loop.current);
      expect(read.length).toBeLessThanOrEqual(200);
      return original(principal, read, selection);
    });
    try {
      const query = 'query($u: [String!]!) { entities(urns: $u) { ... on Dataset { status { removed } } } }';
      const { entities } = await data(catalog, query, { u: urns });
      expect(entities).toEqual(urns.map(() => ({ status: { removed: false } })));
    } finally {
      loop.stop();
      spy.mockRestore();
    }
    expect(rounds.size).toBeGreaterThanOrEqual(5);
  });

  describe('below lists', () => {
    const domain = (i: number) => `urn:li:domain:d${i}`;
    const dataset = (i: number) => D.replace('orders', `in_domain_${i}`);
    const members = (selection: string) =>
      `... on Domain { entities(input: { count: 0 }) { ${selection} } }
       ... on Dataset { domain { domain { entities(input: { count: 0 }) { ${selection} } } } }`;
    const query = (selection: string) =>
      `query($u: [String!]!) { entities(urns: $u) { urn ${members(selection)} } }`;
    const counting = async <T>(work: () => Promise<T>): Promise<[T, number, number]> => {
      const index = catalog.provider(SearchIndex);
      const spy = jest.spyOn(index, 'search');
      try {
        const answer = await work();
        return [
          answer,
          spy.mock.calls.length,
          Math.max(0, ...spy.mock.calls.map(([{ facets }]) => facets.length)),
        ];
      } finally {
        spy.mockRestore();
      }
    };

    beforeAll(async () => {
      await catalog.ingest(
        ...Array.from({ length: 60 }, (_, i): [string, string, object] => [
          domain(i),
          'domainProperties',
          { name: `Domain ${i}` },
        ]),
        ...Array.from({ length: 60 }, (_, i): [string, string, object] => [
          dataset(i),
          'domains',
          { domains: [domain(i % 2)] },
        ]),
      );
      // A search that finds the index behind asks it again.
      await until(async () => (await catalog.search('dataset', 'in_domain_59')).numEntities > 0);
    });
    const all = (of: (i: number) => string, count: number) => Array.from({ length: count }, (_, i) => of(i));

    it('what entities have in common is searched for once', async () => {
      const [{ entities }, searches, facets] = await counting(() =>
        data(catalog, query('total'), { u: all(dataset, 60) }),
      );
      expect(entities).toHaveLength(60);
      for (const found of entities) expect(found.domain.domain.entities.total).toBe(30);
      expect(searches).toBe(2);
      expect(facets).toBe(0);
    });

    it('with facets where they are selected', async () => {
      const [{ entities }, , facets] = await counting(() =>
        data(catalog, `${query('total ... F')} fragment F on SearchResults { facets { field } }`, {
          u: [domain(1)],
        }),
      );
      expect(entities[0].entities.facets.map(({ field }: any) => field)).toContain('platform');
      expect(facets).toBeGreaterThan(0);
    });

    it('are paid for as they begin, until the budget is used', async () => {
      expect((await data(catalog, query('facets { field }'), { u: all(domain, 50) })).entities).toHaveLength(
        50,
      );
      const [answer, searches] = await counting(() =>
        graphql(catalog, query('facets { field }'), { u: all(domain, 60) }),
      );
      expect(searches).toBe(50);
      expect(answer.body.data.entities.map(({ urn }: any) => urn)).toEqual(all(domain, 60));
      expect(answer.body.data.entities.filter(({ entities }: any) => entities === null)).toHaveLength(10);
      expect(answer.body.errors).toHaveLength(10);
      expect(answer.body.errors[0]).toMatchObject({
        message: expect.stringMatching(/cost more than 1000 together/),
        extensions: { code: 400, errorCode: 'GRAPHQL_TOO_COSTLY' },
      });
    });
  });

  it('end with the time of the operation: no further search begins', async () => {
    const hasty = await TestCatalog.start({ CATALOG_GRAPHQL_TIMEOUT_MS: '1000' });
    const index = hasty.provider(SearchIndex);
    let begun = 0;
    const original = index.search.bind(index);
    const spy = jest.spyOn(index, 'search').mockImplementation((request) => {
      begun += 1;
      const end = performance.now() + 150;
      while (performance.now() < end);
      return original(request);
    });
    try {
      const error = await failure(hasty, `{ ${words(40, (i) => search(i))} }`);
      expect(error.extensions).toMatchObject({ code: 503, errorCode: 'GRAPHQL_TIMEOUT' });
      const atTheEnd = begun;
      expect(atTheEnd).toBeLessThan(40);
      for (let i = 0; i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(begun).toBeLessThanOrEqual(atTheEnd + 1);
    } finally {
      spy.mockRestore();
      await hasty.stop();
    }
  });
});

describe('lineage', () => {
  let catalog: TestCatalog;
  const step = (i: number) => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.step_${i},PROD)`;
  const STEPS = 400;
  /** Every dataset is made of the one before it. */
  const withSteps = async (environment: Record<string, string> = {}): Promise<TestCatalog> => {
    const made = await TestCatalog.start(environment);
    const stamp = { time: 1, actor: 'urn:li:corpuser:x' };
    for (let from = 0; from < STEPS; from += 100)
      await made.ingest(
        ...Array.from({ length: 100 }, (_, k): [string, string, object] => [
          step(from + k + 1),
          'upstreamLineage',
          { upstreams: [{ dataset: step(from + k), type: 'TRANSFORMED', auditStamp: stamp }] },
        ]),
      );
    return made;
  };
  beforeAll(async () => {
    catalog = await withSteps();
  });
  afterAll(() => catalog.stop());

  const across = `searchAcrossLineage(input: { urn: "${step(0)}", direction: DOWNSTREAM, count: 1`;

  it('a walk ends with the time of the operation', async () => {
    const hasty = await withSteps({ CATALOG_GRAPHQL_TIMEOUT_MS: '1000' });
    const database = hasty.provider(Database);
    let asked = 0;
    const original = database.all.bind(database);
    const spy = jest.spyOn(database, 'all').mockImplementation(async (sql: string, ...rest: any[]) => {
      if (sql.includes('FROM relationship')) {
        asked += 1;
        const end = performance.now() + 30;
        while (performance.now() < end);
      }
      return (original as any)(sql, ...rest);
    });
    try {
      const error = await failure(hasty, `{ ${across} }) { total } }`);
      expect(error.extensions.errorCode).toBe('GRAPHQL_TIMEOUT');
      const atTheEnd = asked;
      expect(atTheEnd).toBeLessThan(2 * STEPS);
      for (let i = 0; i < 100; i += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(asked).toBeLessThanOrEqual(atTheEnd + 2);
    } finally {
      spy.mockRestore();
      await hasty.stop();
    }
  });

  it('the ways to hits are those of the walk', async () => {
    const query = `{ searchAcrossLineage(input: { urn: "${step(0)}", direction: DOWNSTREAM, start: 398, count: 1,
      query: "*" }) { total searchResults { degree paths { path { urn } } } } }`;
    const { total, searchResults } = (await data(catalog, query)).searchAcrossLineage;
    expect({ total, degree: searchResults[0].degree }).toEqual({ total: STEPS, degree: 399 });
    expect(searchResults[0].paths[0].path.map(({ urn }: { urn: string }) => urn)).toEqual(
      Array.from({ length: STEPS }, (_, i) => step(i)),
    );
  });
});

describe('what an answer has', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_GRAPHQL_MAX_COST: '1500' });
    const tags = Array.from({ length: 1000 }, (_, i) => ({ tag: `urn:li:tag:t${i}` }));
    await catalog.ingest([D, 'globalTags', { tags }]);
  });
  afterAll(() => catalog.stop());

  it('is counted while it is made: lists without a page size have an end', async () => {
    const tags = (i: number) => `a${i}: tags { tags { tag { urn } } }`;
    expect((await data(catalog, `{ dataset(urn: "${D}") { ${tags(0)} } }`)).dataset.a0.tags).toHaveLength(
      1000,
    );
    const error = await failure(catalog, `{ dataset(urn: "${D}") { ${tags(0)} ${tags(1)} } }`);
    expect(error.message).toMatch(/1501 entities and more, at most 1500/);
    expect(error.extensions.errorCode).toBe('GRAPHQL_TOO_COSTLY');
  });
});
