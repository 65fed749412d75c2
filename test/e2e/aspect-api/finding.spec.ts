import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRequire } from 'node:module';
import { FILTER_CONDITIONS } from '../../../src/catalog/search/index.js';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { served } from '../../harness/served.js';
import { dataset, expectRefusal } from './support.js';

const NAUGHTY = [...new Set(createRequire(import.meta.url)('big-list-of-naughty-strings') as string[])];
const SIZE = 45;
const URNS = Array.from({ length: SIZE }, (_, i) => dataset(`find.${i % 3}.n${i}`, ['kafka', 'hive'][i % 2]));
const TAGGED = 'urn:li:tag:finding';
/** A field of every kind, and some that are none. */
const FIELDS = [
  'urn',
  'name',
  'description',
  'id',
  'platform',
  'origin',
  'tags',
  'createdAt',
  'removed',
  'hasOwners',
  'deprecated',
  'browsePaths',
  'browsePathV2',
  '_entityType',
  'customProperties',
  'fieldPaths',
  'name.keyword',
  'nonesuch',
  '__proto__',
  'constructor',
  'toString',
  '',
  ' ',
  'a.b.c',
  '_standing',
];
const VALUES = [
  'find',
  '',
  ' ',
  '*',
  '0',
  '-1',
  '1e400',
  'NaN',
  'Infinity',
  'true',
  'null',
  'undefined',
  '2020-01-01',
  '%',
  '_',
  '\\',
  '"',
  "'",
  '\u0000',
  '\ud83d\ude00',
  'x'.repeat(4000),
  'urn:li:tag:finding',
  'urn:li:',
  'DATASET',
];

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  const lines = URNS.map((urn, i) => {
    const value = {
      name: `Find ${i % 5}`,
      description: 'to be found',
      ...(i % 4 ? { created: { time: i % 6 } } : {}),
    };
    return [urn, 'datasetProperties', value] as [string, string, unknown];
  });
  const tagged = URNS.slice(0, 7).map(
    (urn) => [urn, 'globalTags', { tags: [{ tag: TAGGED }] }] as [string, string, unknown],
  );
  await catalog.ingest([TAGGED, 'tagProperties', { name: 'finding' }], ...lines, ...tagged, [
    'urn:li:chart:(looker,find)',
    'chartInfo',
    { title: 'Find', description: '', lastModified: {} },
  ]);
});
afterAll(() => catalog.stop());

const act = (action: string, body: object): Promise<Answer> =>
  catalog.post(`/entities?action=${action}`, body);

async function value(action: string, body: object): Promise<Answer['body']> {
  const answer = await act(action, body);
  if (answer.status !== 200) throw new Error(`${action} was refused: ${answer.text}`);
  return answer.body.value;
}

/** An answer, or a refusal that says what is wrong; never a fault of ours. */
function expectCivil(answer: Answer, about: unknown): void {
  if (answer.status === 200) return;
  const code: unknown = answer.body?.code;
  // Of thousands of refusals: each `expect` makes an error, with its stack, for the case that it fails.
  if (typeof code !== 'string' || !/^[A-Z_]+$/.test(code))
    expect({ about, code }).toEqual({ about, code: expect.stringMatching(/^[A-Z_]+$/) });
  if (![400, 404].includes(answer.status)) throw new Error(`${answer.status} ${answer.text.slice(0, 300)}`);
}

const criterion = (field: string, condition: string, ...values: unknown[]) => ({
  filter: { or: [{ and: [{ field, condition, values }] }] },
});

describe('the doors agree', () => {
  it('on what everything is', async () => {
    const all = [...URNS].sort();
    const page = { entity: 'dataset', start: 0, count: 100 };
    expect((await value('search', { ...page, input: '*' })).entities).toEqual(all);
    expect(
      (await value('searchAcrossEntities', { entities: ['dataset'], input: '*', start: 0, count: 100 }))
        .entities,
    ).toEqual(all);
    expect((await value('filter', { ...page, filter: { or: [] } })).entities).toEqual(all);
    expect(await value('list', { ...page, filter: { or: [] } })).toEqual({
      entities: all,
      start: 0,
      count: SIZE,
      total: SIZE,
    });
    expect(await value('listUrns', page)).toEqual({ entities: all, start: 0, count: SIZE, total: SIZE });
    expect(
      (await value('scrollAcrossEntities', { entities: ['dataset'], input: '*', count: 100 })).entities,
    ).toEqual(all);
  });

  it('on a filter', async () => {
    const expected = URNS.slice(0, 7).sort();
    const where = criterion('tags', 'EQUAL', TAGGED);
    for (const action of ['filter', 'list']) {
      expect((await value(action, { entity: 'dataset', start: 0, count: 100, ...where })).entities).toEqual(
        expected,
      );
    }
    for (const action of ['search', 'searchAcrossEntities', 'scrollAcrossEntities']) {
      const kind = action === 'search' ? { entity: 'dataset' } : { entities: ['dataset'] };
      expect((await value(action, { ...kind, input: '*', count: 100, ...where })).entities.sort()).toEqual(
        expected,
      );
    }
  });

  it('on all kinds of things when none is named', async () => {
    for (const entities of [undefined, null, []]) {
      const { entities: found } = await value('searchAcrossEntities', {
        entities,
        input: 'find',
        count: 100,
      });
      expect(found).toContain('urn:li:chart:(looker,find)');
      expect(found).toHaveLength(SIZE + 2);
      expect(found).toContain(TAGGED);
    }
  });
});

describe('pages', () => {
  it.each(['*', 'find', 'name:find 1'])('of %j make up the whole, each hit once', async (input) => {
    const ask = { entity: 'dataset', input };
    const whole = (await value('search', { ...ask, start: 0, count: 1000 })).entities;
    const pages: string[] = [];
    for (let start = 0; start < whole.length + 7; start += 7) {
      const page = await value('search', { ...ask, start, count: 7 });
      expect(page.numEntities).toBe(whole.length);
      pages.push(...page.entities);
    }
    expect(pages).toEqual(whole);
  });

  it.each([
    undefined,
    [{ field: 'createdAt', order: 'DESCENDING' }],
    [{ field: 'name' }, { field: 'createdAt' }],
  ])('of a scroll by %j as well', async (sortCriteria) => {
    const ask = { entities: ['dataset'], input: 'find', sortCriteria };
    const plain = sortCriteria ?? [{ field: 'urn' }];
    const whole = (await value('searchAcrossEntities', { ...ask, sortCriteria: plain, count: 1000 }))
      .entities;
    const pages: string[] = [];
    let scrollId: string | undefined;
    do {
      const page = await value('scrollAcrossEntities', { ...ask, count: 4, scrollId });
      expect(page.numEntities).toBe(whole.length);
      pages.push(...page.entities);
      scrollId = page.scrollId;
    } while (scrollId !== undefined);
    expect(pages).toEqual(whole);
  });
});

describe('flags of a search', () => {
  it('filterNonLatestVersions leaves out what a set has a later version of, unless it is false', async () => {
    const set = 'urn:li:versionSet:(finding,dataset)';
    const versions = ['a', 'b'].map((letter) => dataset(`versioned.${letter}`));
    const target = dataset('made.of.versions');
    const upstreams = versions.map((urn) => ({ dataset: urn, type: 'TRANSFORMED' }));
    const paths = (urn: string): Array<[string, string, unknown]> => [
      [urn, 'browsePaths', { paths: ['/versioned'] }],
      [urn, 'browsePathsV2', { path: [{ id: 'versioned' }] }],
    ];
    await catalog.ingest(
      ...versions.flatMap(paths),
      [target, 'upstreamLineage', { upstreams }],
      ...versions.map((urn, i): [string, string, unknown] => [
        urn,
        'versionProperties',
        { versionSet: set, version: { versionTag: `v${i}` }, sortId: `${i}` },
      ]),
    );
    const where = { ...criterion('versionSet', 'EQUAL', set), count: 10 };
    const of = { entities: ['dataset'], input: '*', ...where };
    const found = async (action: string, body: object) => (await value(action, body)).entities.sort();
    for (const [action, body] of [
      ['search', { entity: 'dataset', input: '*', ...where }],
      ['searchAcrossEntities', of],
      ['scrollAcrossEntities', of],
      ['filter', { entity: 'dataset', ...where }],
      ['list', { entity: 'dataset', ...where }],
    ] as const) {
      const flagged = (flag: boolean) => ({ ...body, searchFlags: { filterNonLatestVersions: flag } });
      expect(await found(action, body)).toEqual([versions[1]]);
      expect(await found(action, { ...body, searchFlags: { maxAggValues: 5 } })).toEqual([versions[1]]);
      expect(await found(action, flagged(true))).toEqual([versions[1]]);
      expect(await found(action, flagged(false))).toEqual(versions);
    }
    const lineage = async (action: string, searchFlags?: object) => {
      const asked = { urn: target, direction: 'UPSTREAM', input: '*', ...(searchFlags && { searchFlags }) };
      const { entities } = await value(action, asked);
      return entities.map(({ entity }: { entity: string }) => entity).sort();
    };
    for (const action of ['searchAcrossLineage', 'scrollAcrossLineage']) {
      expect(await lineage(action)).toEqual([versions[1]]);
      expect(await lineage(action, { filterNonLatestVersions: false })).toEqual(versions);
    }
    // What is asked for by the filter is no exception.
    const earlier = criterion('isLatest', 'EQUAL', 'false');
    const of1 = { entity: 'dataset', input: '*', ...earlier };
    expect(await found('search', of1)).toEqual([]);
    expect(await found('search', { ...of1, searchFlags: { filterNonLatestVersions: false } })).toEqual([
      versions[0],
    ]);
    const browsed = async (path: string, searchFlags?: object) => {
      const asked = { entity: 'dataset', path, ...(searchFlags && { searchFlags }) };
      return (await value('browse', asked)).metadata.totalNumEntities;
    };
    expect(await browsed('␟versioned')).toBe(1);
    expect(await browsed('␟versioned', { filterNonLatestVersions: false })).toBe(2);
    // The older tree is whole, as long as the flag does not say otherwise.
    expect(await browsed('/versioned')).toBe(2);
    expect(await browsed('/versioned', { filterNonLatestVersions: true })).toBe(1);
    const listed = await catalog.get('/openapi/v3/entity/dataset?query=versioned&count=10');
    expect(listed.body.entities.map(({ urn }: { urn: string }) => urn).sort()).toEqual(versions);
    const typed = { entity: 'dataset', query: 'versioned', limit: 10 };
    expect((await value('autocomplete', typed)).entities).toEqual([{ urn: versions[1] }]);
    const suggested = await value('autocomplete', {
      ...typed,
      searchFlags: { filterNonLatestVersions: false },
    });
    expect(suggested.entities).toHaveLength(2);
    await catalog.ingest(
      ...[...versions, target].map((urn): [string, string, unknown] => [urn, 'status', { removed: true }]),
    );
  });

  it('sliceOptions divide a scroll', async () => {
    const ask = { entities: ['dataset'], input: 'find', count: 4 };
    const part = async (id: number) => {
      const urns: string[] = [];
      let scrollId: string | undefined;
      do {
        const searchFlags = { sliceOptions: { id, max: 3 } };
        const page = await value('scrollAcrossEntities', { ...ask, searchFlags, scrollId });
        urns.push(...page.entities);
        scrollId = page.scrollId;
      } while (scrollId !== undefined);
      return urns;
    };
    const parts = [await part(0), await part(1), await part(2)];
    for (const urns of parts) expect(urns.length).toBeGreaterThan(4);
    expect(parts.flat().sort()).toEqual([...URNS].sort());
    for (const sliceOptions of [{ id: 3, max: 3 }, { id: 1 }, { max: 2 }]) {
      const answer = await catalog.post('/entities?action=scrollAcrossEntities', {
        ...ask,
        searchFlags: { sliceOptions },
      });
      expectRefusal(answer, 400, 'PARAMETER_INVALID', '/searchFlags/sliceOptions/id');
    }
  });

  it('includeDefaultFacets leaves out the facets of the model', async () => {
    const ask = { entity: 'dataset', input: 'find', count: 1 };
    const facets = async (searchFlags: object) =>
      (await value('search', { ...ask, searchFlags })).metadata.searchResultMetadatas.length;
    expect(await facets({ includeDefaultFacets: true })).toBeGreaterThan(0);
    expect(await facets({ includeDefaultFacets: false })).toBe(0);
  });
});

describe('searchFlags', () => {
  const of = { entity: 'dataset', start: 0, count: 1 };
  const lineage = { urn: URNS[0], direction: 'UPSTREAM', count: 1 };
  const CALLS: Array<[action: string, body: object]> = [
    ['search', { ...of, input: 'find' }],
    ['searchAcrossEntities', { entities: ['dataset'], input: 'find', count: 1 }],
    ['scrollAcrossEntities', { entities: ['dataset'], input: 'find', count: 1 }],
    ['searchAcrossLineage', lineage],
    ['scrollAcrossLineage', lineage],
    ['filter', of],
    ['list', of],
    ['autocomplete', { entity: 'dataset', query: 'find' }],
    ['browse', { entity: 'dataset', path: '' }],
  ];
  const ask = (action: string, body: object, searchFlags: object) =>
    catalog.post(`/entities?action=${action}`, { ...body, searchFlags });

  it.each(CALLS)('of %s are those that clients know', async (action, body) => {
    const all = {
      ...{ skipCache: true, maxAggValues: 5, fulltext: true, skipHighlighting: true, skipAggregates: true },
      ...{ getSuggestions: false, includeSoftDeleted: false, includeRestricted: false, rewriteQuery: true },
      ...{ customHighlightingFields: ['name'], includeDefaultFacets: true, filterNonLatestVersions: true },
      ...{
        includeStructuredPropertyFacets: false,
        fieldConfiguration: 'default',
        fetchExtraFields: ['name'],
      },
      ...{ includeHiddenLifecycleStages: false, includeDraft: false, unheardOf: null },
      groupingSpec: {
        groupingCriteria: [{ baseEntityType: 'schemaField', groupingEntityType: 'dataset' }],
      },
    };
    const answer = await ask(action, body, all);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    for (const [flags, pointer] of [
      [{ skipHighlights: true }, '/searchFlags/skipHighlights'],
      [{ groupingSpec: { by: 'name' } }, '/searchFlags/groupingSpec/by'],
      [
        { groupingSpec: { groupingCriteria: [{ baseType: 'schemaField' }] } },
        '/searchFlags/groupingSpec/groupingCriteria/0/baseType',
      ],
      [
        { sliceOptions: { id: 0, max: 1, of: 1 } },
        action === 'scrollAcrossEntities' ? '/searchFlags/sliceOptions/of' : '/searchFlags/sliceOptions',
      ],
    ] as const)
      expectRefusal(await ask(action, body, flags), 400, 'PARAMETER_INVALID', pointer);
  });
});

describe('a scroll id', () => {
  it('is taken for its own walk only, whatever the size of the page', async () => {
    const ask = { entities: ['dataset'], input: 'find', count: 2 };
    const { scrollId } = await value('scrollAcrossEntities', ask);
    expect((await value('scrollAcrossEntities', { ...ask, scrollId, count: 3 })).entities).toHaveLength(3);
    for (const other of [
      { entities: ['dataset', 'chart'] },
      { input: 'find 1' },
      { searchFlags: { includeSoftDeleted: true } },
      { sortCriteria: [{ field: 'name' }] },
      criterion('tags', 'EQUAL', TAGGED),
    ]) {
      const answer = await catalog.post('/entities?action=scrollAcrossEntities', {
        ...ask,
        ...other,
        scrollId,
      });
      expectRefusal(answer, 400, 'PARAMETER_INVALID', '/scrollId');
    }
  });
});

describe('a sort', () => {
  it.each(FIELDS.filter((field) => field !== ''))(
    'by %j shows each hit once, both ways round',
    async (field) => {
      for (const order of ['ASCENDING', 'DESCENDING']) {
        const { entities } = await value('search', {
          entity: 'dataset',
          input: '*',
          count: 100,
          sortCriteria: [{ field, order }],
        });
        expect([...entities].sort()).toEqual([...URNS].sort());
      }
    },
  );

  it('by what is no field is warned of in a header', async () => {
    const ask = (field: string) =>
      catalog.post('/entities?action=search', {
        ...{ entity: 'dataset', input: '*', start: 0, count: 1, sortCriteria: [{ field }] },
      });
    const answer = await ask('lästOperationTime');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('warning')).toContain(
      '299 - "there is no field \\"l\\u00e4stOperationTime\\" to sort by',
    );
    expect((await ask('name')).headers.get('warning')).toBeNull();
  });

  it('by no name is refused', async () => {
    const answer = await catalog.post('/entities?action=search', {
      ...{ entity: 'dataset', input: '*', sortCriteria: [{ field: '' }] },
    });
    expectRefusal(answer, 400, 'PARAMETER_INVALID', '/sortCriteria/0/field');
  });

  it('may come in its older form, and by several keys', async () => {
    const one = await value('search', {
      entity: 'dataset',
      input: '*',
      count: 100,
      sort: { field: 'urn', order: 'DESCENDING' },
    });
    expect(one.entities).toEqual([...URNS].sort().reverse());
    const two = await value('search', {
      entity: 'dataset',
      input: '*',
      count: 9,
      sortCriteria: [{ field: 'name' }, { field: 'urn', order: 'DESCENDING' }],
    });
    expect(two.entities).toEqual(
      URNS.filter((_, i) => i % 5 === 0)
        .sort()
        .reverse(),
    );
  });
});

describe('any filter', () => {
  // Every pair of condition and field, of field and value, and of condition and value occurs.
  it.each(FIELDS)('on %j with any condition and any value is answered or refused', async (field) => {
    const at = FIELDS.indexOf(field);
    const asked = Array.from({ length: VALUES.length * 2 }, (_, i) => {
      const condition =
        FILTER_CONDITIONS[(at + i + Math.floor(i / VALUES.length)) % FILTER_CONDITIONS.length]!;
      return { entity: 'dataset', count: 3, ...criterion(field, condition, VALUES[i % VALUES.length]) };
    });
    const answers = await Promise.all(asked.map((body) => served(() => act('filter', body))));
    answers.forEach((answer, i) => expectCivil(answer, asked[i]));
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'tags'],
    ['both forms', { or: [{ and: [] }], criteria: [] }],
    ['an alternative of nothing', { or: [{}] }],
    ['a deep one', { or: [{ and: [{ or: [] }] }] }],
    ['a value that is an object', { or: [{ and: [{ field: 'name', values: [{}] }] }] }],
    ['values that are no list', { or: [{ and: [{ field: 'name', values: 'x' }] }] }],
    ['a field that is no text', { or: [{ and: [{ field: 5, values: ['x'] }] }] }],
    ['numbers and booleans as values', { or: [{ and: [{ field: 'createdAt', values: [1, 2.5, true] }] }] }],
    [
      'a great many values',
      {
        or: [{ and: [{ field: 'urn', values: Array.from({ length: 20_000 }, (_, i) => `urn:li:x:${i}`) }] }],
      },
    ],
    [
      'a great many criteria',
      { or: Array.from({ length: 2000 }, () => ({ and: [{ field: 'name', values: ['x'] }] })) },
    ],
    ['the older form with one value', { criteria: [{ field: 'name', value: 'Find 1' }] }],
    ['an unknown member', { or: [{ and: [{ field: 'name', values: ['x'], boost: 3 }] }] }],
  ])('that is %s is answered or refused', async (_, filter) => {
    for (const action of [
      'search',
      'filter',
      'list',
      'searchAcrossEntities',
      'scrollAcrossEntities',
      'autocomplete',
      'browse',
    ]) {
      const many = action.endsWith('AcrossEntities');
      const kind = many ? { entities: ['dataset'] } : { entity: 'dataset' };
      const text =
        action === 'autocomplete'
          ? { query: 'f' }
          : action === 'browse'
            ? { path: '/' }
            : ['filter', 'list'].includes(action)
              ? {}
              : { input: '*' };
      expectCivil(await act(action, { ...kind, ...text, filter }), action);
    }
  });

  it('that nothing can pass finds nothing, and its opposite everything', async () => {
    const negated = {
      filter: { or: [{ and: [{ field: 'nonesuch', condition: 'EQUAL', values: ['x'], negated: true }] }] },
    };
    expect((await value('search', { entity: 'dataset', input: '*', ...negated })).numEntities).toBe(SIZE);
    expect(
      (await value('search', { entity: 'dataset', input: '*', ...criterion('nonesuch', 'EXISTS') }))
        .numEntities,
    ).toBe(0);
    expect(
      (await value('search', { entity: 'dataset', input: '*', ...criterion('nonesuch', 'IS_NULL') }))
        .numEntities,
    ).toBe(SIZE);
  });
});

describe('naughty strings', () => {
  const doors: Array<[string, (text: string) => Array<[string, object]>]> = [
    [
      'as what is searched for',
      (text) => [
        ['searchAcrossEntities', { entities: [], input: text, count: 2 }],
        ['searchAcrossEntities', { entities: ['dataset'], input: `"${text}"`, count: 2 }],
        ['search', { entity: 'dataset', input: `name:${text}`, count: 2 }],
      ],
    ],
    [
      'in a scroll',
      (text) => [
        ['scrollAcrossEntities', { entities: ['dataset'], input: text, count: 2 }],
        ['scrollAcrossEntities', { entities: ['dataset'], input: '*', scrollId: text, count: 2 }],
        ['scrollAcrossEntities', { entities: [text], input: '*', count: 2 }],
      ],
    ],
    [
      'in autocomplete',
      (text) => [
        ['autocomplete', { entity: 'dataset', query: text, limit: 3 }],
        ['autocomplete', { entity: 'dataset', query: 'f', field: text, limit: 3 }],
      ],
    ],
    [
      'in browsing',
      (text) => [
        ['browse', { entity: 'dataset', path: text }],
        ['browse', { entity: 'dataset', path: `/prod/${text}` }],
        ['browse', { entity: 'dataset', path: `␟${text}` }],
        ['getBrowsePaths', { urn: text }],
        ['getBrowsePaths', { urn: `urn:li:dataset:${text}` }],
      ],
    ],
    [
      'in filters, sorts and flags',
      (text) => [
        ['filter', { entity: 'dataset', ...criterion('name', 'CONTAIN', text) }],
        ['filter', { entity: 'dataset', ...criterion('tags', text, 'x') }],
        ['list', { entity: 'dataset', sort: { field: text }, filter: { or: [] } }],
        ['list', { entity: 'dataset', sort: { field: 'name', order: text }, filter: { or: [] } }],
        ['search', { entity: 'dataset', input: 'find', searchFlags: { fetchExtraFields: [text] }, count: 1 }],
        ['search', { entity: 'dataset', input: 'find', start: text, count: 1 }],
      ],
    ],
  ];

  it.each(doors)('%s are answered or refused', async (_, calls) => {
    const queue = NAUGHTY.flatMap(calls);
    const worker = async () => {
      for (let next = queue.pop(); next; next = queue.pop()) expectCivil(await act(...next), next);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
  });
});

describe('browse paths', () => {
  it('of an entity are those that it was given, else the one that its key leads to', async () => {
    const given = dataset('find.given');
    await catalog.ingest([given, 'browsePaths', { paths: ['/a/b', '/c'] }]);
    expect(await value('getBrowsePaths', { urn: given })).toEqual(['/a/b', '/c']);
    expect(await value('getBrowsePaths', { urn: URNS[0]! })).toEqual(['/prod/kafka/find/0']);
    expect(await value('getBrowsePaths', { urn: TAGGED })).toEqual([]);
    await catalog.propose(given, 'datasetKey', undefined, { changeType: 'DELETE' });
  });

  it('are refused for what is not there', async () => {
    expectRefusal(await act('getBrowsePaths', { urn: dataset('find.nobody') }), 404, 'ENTITY_NOT_FOUND');
    expectRefusal(await act('getBrowsePaths', { urn: 'urn:li:nope:x' }), 400, 'ENTITY_UNKNOWN', '/urn');
    expectRefusal(await act('getBrowsePaths', {}), 400, 'PARAMETER_MISSING', '/urn');
    expectRefusal(
      await act('getBrowsePaths', { urn: TAGGED, colour: 1 }),
      400,
      'PARAMETER_INVALID',
      '/colour',
    );
  });

  it('are pages of groups, then of entities', async () => {
    const seen: string[] = [];
    for (let start = 0; ; start += 4) {
      const page = await value('browse', { entity: 'dataset', path: '/prod/kafka/find', start, limit: 4 });
      seen.push(
        ...page.groups.map((g: { name: string }) => g.name),
        ...page.entities.map((e: { urn: string }) => e.urn),
      );
      expect(page.numElements).toBe(3);
      if (start + 4 >= page.numElements) break;
    }
    expect(seen).toEqual(['0', '2', '1']);
    const second = await value('browse', { entity: 'dataset', path: '␟find', start: 0, limit: 10 });
    expect(second.groups).toEqual([
      { name: '0', count: 15 },
      { name: '1', count: 15 },
      { name: '2', count: 15 },
    ]);
  });
});
