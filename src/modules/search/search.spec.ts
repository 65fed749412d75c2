import { compatibilityWith } from '../../catalog/compatibility/index.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DiscoveryService } from '@nestjs/core';
import { datasetUrn, documentOf, model, schema, stateOf } from '../../../test/conformance/search-fixture.js';
import { SqliteSearchIndex } from '../../adapters/search/sqlite/index.js';
import type { Principal } from '../../catalog/auth/index.js';
import type { ChangeLogEntry } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { SearchFieldProvider, type FieldsOfEntity } from '../../catalog/extension/index.js';
import { IndexBarrier, SearchFieldResolver, type SearchField } from '../../catalog/search/index.js';
import { EntityStateReader, type EntityState } from '../../catalog/store/index.js';
import { BackgroundThrottle } from '../../catalog/schedule/index.js';
import { JsonText } from '../../catalog/json/index.js';
import { textInParts } from '../../routing/text-in-parts.js';
import { SearchActions } from './search-actions.js';
import type { IndexPast } from './maintenance/index-past.service.js';
import { SearchIndexer } from './maintenance/search-indexer.consumer.js';
import { FieldResolution } from './field-resolution.js';
import { SearchService } from './search.service.js';
import { CursorSigner, type ServiceSecrets } from '../paging/index.js';

const READER: Principal = { actor: 'urn:li:corpuser:ada', role: 'READER' };
const NOBODY = { actor: 'urn:li:corpuser:eve', role: 'NONE' } as unknown as Principal;

class MemoryStates extends EntityStateReader {
  readonly all = new Map<string, EntityState>();
  override async states(urns: readonly string[]) {
    return new Map(urns.flatMap((urn) => (this.all.has(urn) ? [[urn, this.all.get(urn)!] as const] : [])));
  }
  override async walk(afterId: number, limit: number) {
    return [...this.all.values()]
      .map(({ urn, sequence }, i) => ({ id: i + 1, urn, sequence }))
      .filter(({ id }) => id > afterId)
      .slice(0, limit);
  }
  override ofType = () => Promise.resolve([]);
  override markOf = () => Promise.resolve('');
}

class OpenBarrier extends IndexBarrier {
  waits = 0;
  override async reached(): Promise<void> {
    this.waits++;
  }
}

class Extra extends SearchFieldProvider {
  override async addFields(entities: readonly FieldsOfEntity[]) {
    for (const { state, fields } of entities) {
      if (state.urn.includes('rated')) fields.set('properties.rating', [4]);
    }
  }
}

class ExtraFields extends SearchFieldResolver {
  override async resolve(name: string): Promise<SearchField[] | undefined> {
    if (name === 'properties.gone') throw refuse('FILTER_INVALID', 'gone');
    if (name !== 'properties.rating') return undefined;
    return [
      {
        name,
        kind: 'DOUBLE',
        queryByDefault: false,
        autocomplete: false,
        facet: false,
        boost: 1,
        presence: false,
      },
    ];
  }
}

const discovery = {
  getProviders: () => [{ instance: new Extra() }, { instance: new ExtraFields() }, { instance: null }],
} as unknown as DiscoveryService;

const settings = { searchTimeoutMs: 10_000 };
const cursors = new CursorSigner({ get: async () => Buffer.alloc(32) } as unknown as ServiceSecrets);

describe('search', () => {
  let index: SqliteSearchIndex;
  let barrier: OpenBarrier;
  let states: MemoryStates;
  let indexer: SearchIndexer;
  let actions: SearchActions['actions'];

  const ask = async (action: string, body: Record<string, unknown>, principal = READER) => {
    const answer = await actions.find(({ route }) => route.action === action)!.run(principal, body);
    const plain =
      answer instanceof JsonText
        ? (JSON.parse((await textInParts(answer.parts)) as string) as unknown)
        : answer;
    return plain as Record<string, unknown>;
  };
  const refusal = (code: string, pointer: string) => ({
    code,
    errors: [expect.objectContaining({ pointer })],
  });

  beforeEach(async () => {
    index = new SqliteSearchIndex(':memory:');
    await index.ensureSchema(schema);
    barrier = new OpenBarrier();
    states = new MemoryStates();
    const past = { takeUp: async () => undefined } as unknown as IndexPast;
    indexer = new SearchIndexer(model, states, index, discovery, past, new BackgroundThrottle());
    indexer.onModuleInit();
    const fields = new FieldResolution(schema, discovery);
    fields.onModuleInit();
    const service = new SearchService(model, schema, index, barrier, fields, cursors, settings);
    actions = new SearchActions(service, { compatibility: compatibilityWith('specification') }).actions;
  });
  afterEach(() => index.close());

  const entry = (urn: string) => ({ urn }) as ChangeLogEntry;
  const put = (urn: string, sequence: number, aspects: Parameters<typeof stateOf>[2], exists = true) =>
    states.all.set(urn, { ...stateOf(urn, sequence, aspects), exists });

  it('makes and writes large documents a few at a time', async () => {
    const urns = Array.from({ length: 100 }, (_, i) => datasetUrn('hive', `large_${i}`));
    const description = 'word '.repeat(40_000);
    for (const urn of urns) put(urn, 1, { datasetProperties: { description } });
    const together = { read: [] as number[], written: [] as number[] };
    const read = states.states.bind(states);
    states.states = (some) => {
      together.read.push(some.length);
      return read(some);
    };
    const upsert = index.upsert.bind(index);
    index.upsert = (documents) => {
      together.written.push(documents.length);
      return upsert(documents);
    };
    await indexer.consumeUrns(urns);
    // 200 KB each. The first ones are read before their length is known.
    expect(together.read[0]).toBe(50);
    expect(Math.max(...together.read.slice(1))).toBeLessThanOrEqual(3);
    expect(Math.max(...together.written)).toBeLessThanOrEqual(50);
    expect(together.written.length).toBeGreaterThan(3);
    expect(together.written.reduce((sum, count) => sum + count)).toBe(100);
    expect(await ask('search', { input: '*', entity: 'Dataset', start: 0, count: 1 })).toMatchObject({
      numEntities: 100,
    });
  });

  it('answers in the shape of the specification', async () => {
    const urn = datasetUrn('hive', 'orders');
    await index.upsert([documentOf(urn, { globalTags: { tags: [{ tag: 'urn:li:tag:a' }] } })]);
    expect(await ask('search', { input: 'orders', entity: 'Dataset', start: 0, count: 10 })).toEqual({
      numEntities: 1,
      pageSize: 10,
      from: 0,
      entities: [urn],
      metadata: {
        urns: [urn],
        matches: [{ matchedFields: expect.arrayContaining([{ name: 'id', value: 'orders' }]) }],
        searchResultMetadatas: expect.arrayContaining([
          { name: '_entityType', aggregations: { DATASET: 1 } },
          { name: 'tags', aggregations: { 'urn:li:tag:a': 1 } },
          { name: 'origin', aggregations: { PROD: 1 } },
        ]),
        aggregations: expect.arrayContaining([
          { name: 'origin', aggregations: { PROD: 1 }, filterValues: [{ value: 'PROD', facetCount: 1 }] },
        ]),
      },
    });
    expect(barrier.waits).toBe(1);
  });

  it('answers nothing found in the same shape', async () => {
    expect(await ask('search', { input: '*', entity: 'chart', start: 5, count: 0 })).toEqual({
      numEntities: 0,
      pageSize: 0,
      from: 5,
      entities: [],
      metadata: { urns: [], matches: [], searchResultMetadatas: [], aggregations: [] },
    });
  });

  it('asks for permission before anything else', async () => {
    await expect(ask('search', { input: '*', entity: 'dataset' }, NOBODY)).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
    });
    expect(barrier.waits).toBe(0);
  });

  it.each([
    [{ entity: 'dataset' }, 'PARAMETER_MISSING', '/input'],
    [{ input: '*' }, 'PARAMETER_MISSING', '/entity'],
    [{ input: '*', entity: 'nonesuch' }, 'ENTITY_UNKNOWN', '/entity'],
    [{ input: 1, entity: 'dataset' }, 'PARAMETER_INVALID', '/input'],
    [{ input: '*', entity: 'dataset', start: -1 }, 'PARAMETER_INVALID', '/start'],
    [{ input: '*', entity: 'dataset', count: 1.5 }, 'PARAMETER_INVALID', '/count'],
    [{ input: '*', entity: 'dataset', count: 'x' }, 'PARAMETER_INVALID', '/count'],
    [{ input: '*', entity: 'dataset', start: 10_000 }, 'PARAMETER_INVALID', '/start'],
    [{ input: '*', entity: 'dataset', filter: 'x' }, 'FILTER_INVALID', '/filter'],
    [{ input: '*', entity: 'dataset', sort: { order: 'UP' } }, 'PARAMETER_INVALID', '/sort/field'],
    [
      { input: '*', entity: 'dataset', sortCriteria: [{ field: 'a', order: 'UP' }] },
      'PARAMETER_INVALID',
      '/sortCriteria/0/order',
    ],
    [
      { input: '*', entity: 'dataset', searchFlags: { maxAggValues: 0 } },
      'PARAMETER_INVALID',
      '/searchFlags/maxAggValues',
    ],
    [{ input: '*', entity: 'dataset', filters: {} }, 'PARAMETER_INVALID', '/filters'],
  ])('refuses %j', async (body, code, pointer) => {
    await expect(ask('search', body)).rejects.toMatchObject(refusal(code, pointer));
  });

  it('lowers a count beyond the window', async () => {
    expect(await ask('search', { input: '*', entity: 'dataset', count: 50_000 })).toMatchObject({
      pageSize: 10_000,
    });
    expect(await ask('search', { input: '*', entity: 'dataset', start: 9_999, count: 50 })).toMatchObject({
      pageSize: 1,
    });
  });

  it('indexes the current state of what has changed, once', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => datasetUrn('hive', name)) as [string, string, string];
    put(a, 3, { datasetProperties: { description: 'newest' } });
    put(b, 2, {}, false);
    await index.upsert([documentOf(b, {}, 1)]);
    await indexer.consume([entry(a), entry(b), entry(a), entry(c), entry('urn:li:nonesuch:x')]);
    const found = await ask('search', { input: '*', entity: 'dataset' });
    expect(found['entities']).toEqual([a]);
    expect((await index.upsert([documentOf(a, {}, 2), documentOf(b, {}, 1)])).outdated).toBe(2);
  });

  it('indexes any number, in batches', async () => {
    for (let i = 0; i < 2345; i++) put(datasetUrn('hive', `t${i}`), 1, {});
    await indexer.indexAll([...states.all.keys()]);
    expect(await ask('search', { input: '*', entity: 'dataset', count: 1 })).toMatchObject({
      numEntities: 2345,
    });
  });

  it('searches fields that other modules add', async () => {
    const [rated, plain] = [datasetUrn('hive', 'rated'), datasetUrn('hive', 'plain')];
    put(rated, 1, {});
    put(plain, 1, {});
    await indexer.indexAll([rated, plain]);
    const filter = {
      or: [{ and: [{ field: 'properties.rating', condition: 'GREATER_THAN', values: ['3.5'] }] }],
    };
    expect((await ask('search', { input: '*', entity: 'dataset', filter }))['entities']).toEqual([rated]);
    expect((await ask('search', { input: 'properties.rating:4', entity: 'dataset' }))['entities']).toEqual([
      rated,
    ]);
    const sort = { field: 'properties.rating', order: 'DESCENDING' };
    expect((await ask('search', { input: '*', entity: 'dataset', sort }))['entities']).toEqual([
      rated,
      plain,
    ]);
    const gone = { criteria: [{ field: 'properties.gone', values: ['x'] }] };
    await expect(ask('search', { input: '*', entity: 'dataset', filter: gone })).rejects.toMatchObject({
      message: 'gone',
    });
  });

  it('hides soft-deleted entities unless the filter or a flag speaks of them', async () => {
    const urn = datasetUrn('hive', 'hidden');
    await index.upsert([documentOf(urn, { status: { removed: true } })]);
    const filter = { criteria: [{ field: 'removed', value: 'true' }] };
    expect((await ask('search', { input: '*', entity: 'dataset' }))['entities']).toEqual([]);
    expect((await ask('search', { input: '*', entity: 'dataset', filter }))['entities']).toEqual([urn]);
    const searchFlags = { includeSoftDeleted: true, skipAggregates: true };
    expect(await ask('search', { input: '*', entity: 'dataset', searchFlags })).toMatchObject({
      entities: [urn],
      metadata: { searchResultMetadatas: [] },
    });
  });

  it('knows what lies below and above in a hierarchy', async () => {
    const domain = (name: string) => `urn:li:domain:${name}`;
    const [top, mid, low] = ['top', 'mid', 'low'].map((name) => datasetUrn('hive', name)) as [
      string,
      string,
      string,
    ];
    await index.upsert([
      documentOf(domain('top'), { domainProperties: { name: 'top', parentDomain: domain('low') } }),
      documentOf(domain('mid'), { domainProperties: { name: 'mid', parentDomain: domain('top') } }),
      documentOf(domain('low'), { domainProperties: { name: 'low', parentDomain: domain('mid') } }),
      documentOf(top, { domains: { domains: [domain('other')] } }),
      documentOf(mid, { domains: { domains: [domain('mid')] } }),
      documentOf(low, { domains: { domains: [domain('low')] } }),
    ]);
    const found = async (condition: string, value: string) => {
      const filter = { criteria: [{ field: 'domains', condition, values: [domain(value)] }] };
      return (await ask('search', { input: '*', entity: 'dataset', filter }))['entities'];
    };
    // The three domains are a ring: everything is below and above everything.
    expect(await found('DESCENDANTS_INCL', 'mid')).toEqual([low, mid]);
    expect(await found('ANCESTORS_INCL', 'low')).toEqual([low, mid]);
    expect(await found('RELATED_INCL', 'other')).toEqual([top]);
    await index.upsert([documentOf(domain('top'), { domainProperties: { name: 'top' } }, 2)]);
    expect(await found('DESCENDANTS_INCL', 'low')).toEqual([low]);
    expect(await found('ANCESTORS_INCL', 'mid')).toEqual([mid]);
    expect(await found('RELATED_INCL', 'mid')).toEqual([low, mid]);
  });

  it('searches across entity types', async () => {
    const [dataset, tag] = [datasetUrn('hive', 'shared'), 'urn:li:tag:shared'];
    await index.upsert([documentOf(dataset), documentOf(tag, { tagProperties: { name: 'shared' } })]);
    expect((await ask('searchAcrossEntities', { input: 'shared' }))['entities']).toEqual([dataset, tag]);
    expect((await ask('searchAcrossEntities', { input: 'shared', entities: ['TAG'] }))['entities']).toEqual([
      tag,
    ]);
    await expect(
      ask('searchAcrossEntities', { input: '*', entities: ['dataset', 'x'] }),
    ).rejects.toMatchObject(refusal('ENTITY_UNKNOWN', '/entities/1'));
  });

  it('scrolls to the end', async () => {
    await index.upsert(Array.from({ length: 5 }, (_, i) => documentOf(datasetUrn('hive', `t${i}`))));
    const seen: string[] = [];
    let scrollId: string | undefined;
    do {
      const page = await ask('scrollAcrossEntities', {
        input: '*',
        entities: ['dataset'],
        count: 2,
        scrollId,
      });
      seen.push(...(page['entities'] as string[]));
      scrollId = page['scrollId'] as string | undefined;
    } while (scrollId !== undefined);
    expect(seen).toEqual(Array.from({ length: 5 }, (_, i) => datasetUrn('hive', `t${i}`)));
  });

  it('lists, filters, completes and browses', async () => {
    const urns = ['one', 'two', 'three'].map((name) => datasetUrn('hive', name));
    await index.upsert(
      urns.map((urn, i) =>
        documentOf(urn, { browsePaths: { paths: [i === 0 ? '/prod/hive' : `/prod/hive/${i}`] } }),
      ),
    );
    expect(await ask('list', { entity: 'dataset', start: 1, count: 1 })).toEqual({
      entities: [datasetUrn('hive', 'three')],
      start: 1,
      count: 1,
      total: 3,
    });
    const filter = { criteria: [{ field: 'id', value: 'two' }] };
    expect((await ask('filter', { entity: 'dataset', filter }))['entities']).toEqual([
      datasetUrn('hive', 'two'),
    ]);
    expect(await ask('autocomplete', { entity: 'dataset', query: 't', limit: 5 })).toEqual({
      query: 't',
      suggestions: expect.arrayContaining(['two', 'three']),
      entities: [expect.anything(), expect.anything()],
    });
    expect(await ask('browse', { entity: 'dataset', path: '/prod/hive', start: 0, limit: 10 })).toEqual({
      entities: [{ name: 'one', urn: urns[0] }],
      groups: [
        { name: '1', count: 1 },
        { name: '2', count: 1 },
      ],
      metadata: { path: '/prod/hive', totalNumEntities: 3, groups: expect.any(Array) },
      from: 0,
      pageSize: 10,
      numEntities: 1,
      numGroups: 2,
      numElements: 3,
    });
    const second = await ask('browse', { entity: 'dataset', path: '/prod/hive', start: 2, limit: 1 });
    expect(second).toMatchObject({ entities: [{ name: 'one' }], groups: [], from: 2 });
    expect(await ask('browse', { entity: 'dataset', path: '/prod/hive', start: 1, limit: 1 })).toMatchObject({
      entities: [],
      groups: [{ name: '2' }],
    });
  });
});
