import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogStore, READER } from '../../../test/harness/catalog-store.js';
import type { Principal } from '../../catalog/auth/index.js';
import { HeadRepository, NeighbourRepository, type EntityReader } from '../entities/index.js';
import type { LineageService } from './lineage/lineage.service.js';
import type { Direction } from './relationship.js';
import { RelationshipsService } from './relationships.service.js';

const dataset = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:kafka,${name},PROD)`;
const ANN = 'urn:li:corpuser:ann';
const PII = 'urn:li:tag:pii';
const owned = (...types: string[]) => ({ owners: types.map((type) => ({ owner: ANN, type })) });

describe('RelationshipsService', () => {
  let store: CatalogStore;
  let service: RelationshipsService;

  beforeEach(async () => {
    store = await CatalogStore.open();
    service = new RelationshipsService(
      new NeighbourRepository(store.database),
      new HeadRepository(store.database),
      {} as EntityReader,
      {} as LineageService,
    );
  });
  afterEach(() => store.close());

  const page = (urn: string, direction: Direction, types?: string[], start = 0, count = 100) =>
    service.page(READER, { urn, direction, types, start, count });
  const entities = async (...query: Parameters<typeof page>) =>
    (await page(...query)).relationships.map((r) => r.entity);

  it('finds who refers to an entity, and to whom it refers', async () => {
    await store.put(dataset('a'), 'ownership', owned('DATAOWNER'));
    await store.put(dataset('b'), 'ownership', owned('DATAOWNER'));
    await store.put(dataset('a'), 'globalTags', { tags: [{ tag: PII }] });
    expect(await page(ANN, 'INCOMING', ['OwnedBy'])).toEqual({
      start: 0,
      total: 2,
      relationships: [
        { type: 'OwnedBy', entity: dataset('a') },
        { type: 'OwnedBy', entity: dataset('b') },
      ],
    });
    const outgoing = await page(dataset('a'), 'OUTGOING', ['OwnedBy', 'TaggedWith']);
    expect(outgoing.relationships).toEqual([
      { type: 'OwnedBy', entity: ANN },
      { type: 'TaggedWith', entity: PII },
    ]);
    expect((await page(dataset('a'), 'OUTGOING')).relationships).toEqual(
      expect.arrayContaining(outgoing.relationships),
    );
    expect(await entities(ANN, 'OUTGOING')).toEqual([]);
    expect(await entities(PII, 'INCOMING', ['OwnedBy'])).toEqual([]);
    expect(await entities(PII, 'INCOMING', [])).toEqual([]);
  });

  it('counts a neighbour once per type, however many fields lead to it', async () => {
    await store.put(dataset('a'), 'ownership', owned('DATAOWNER', 'CONSUMER'));
    await store.put(dataset('a'), 'globalTags', { tags: [{ tag: PII }] });
    await store.put(dataset('a'), 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'x', globalTags: { tags: [{ tag: PII }] } }],
    });
    expect(await entities(ANN, 'INCOMING', ['OwnedBy'])).toEqual([dataset('a')]);
    expect(await entities(PII, 'INCOMING', ['TaggedWith'])).toEqual([dataset('a')]);
  });

  it('pages without gaps or repetitions, and knows the total on every page', async () => {
    const names = Array.from({ length: 7 }, (_, i) => dataset(`d${i}`));
    for (const name of names) await store.put(name, 'ownership', owned('DATAOWNER'));
    const pages = [];
    for (let start = 0; start < 9; start += 3) pages.push(await page(ANN, 'INCOMING', ['OwnedBy'], start, 3));
    expect(pages.flatMap((p) => p.relationships.map((r) => r.entity))).toEqual(names);
    expect(pages.map((p) => p.total)).toEqual([7, 7, 7]);
    expect(await page(ANN, 'INCOMING', ['OwnedBy'], 7, 3)).toMatchObject({ total: 7, relationships: [] });
    expect(await page(ANN, 'INCOMING', ['OwnedBy'], 0, 0)).toMatchObject({ total: 7, relationships: [] });
  });

  it('keeps the edges of soft-deleted entities and drops those of deleted ones', async () => {
    await store.put(dataset('soft'), 'ownership', owned('DATAOWNER'));
    await store.put(dataset('soft'), 'status', { removed: true });
    await store.put(dataset('hard'), 'ownership', owned('DATAOWNER'));
    await store.put(dataset('hard'), 'datasetKey', undefined, 'DELETE');
    expect(await entities(ANN, 'INCOMING', ['OwnedBy'])).toEqual([dataset('soft')]);
    expect(await entities(dataset('soft'), 'OUTGOING', ['OwnedBy'])).toEqual([ANN]);
    expect(await entities(dataset('hard'), 'OUTGOING')).toEqual([]);
  });

  it('follows the latest value', async () => {
    await store.put(dataset('a'), 'globalTags', { tags: [{ tag: PII }] });
    await store.put(dataset('a'), 'globalTags', { tags: [] });
    expect(await entities(PII, 'INCOMING')).toEqual([]);
  });

  it('knows nothing of entities it has never seen, and refuses what is no URN', async () => {
    expect(await page('urn:li:tag:never', 'INCOMING')).toEqual({ start: 0, total: 0, relationships: [] });
    await expect(page('tag', 'INCOMING')).rejects.toMatchObject({ code: 'URN_MALFORMED' });
  });

  it('asks for the right to read', async () => {
    const nobody = { actor: 'urn:li:corpuser:x', role: 'NONE' } as unknown as Principal;
    const asked = service.page(nobody, { urn: ANN, direction: 'INCOMING', start: 0, count: 1 });
    await expect(asked).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it('reads indexes, never a whole table', async () => {
    const repository = new NeighbourRepository(store.database);
    const asked: string[] = [];
    const all = store.database.all.bind(store.database);
    store.database.all = async <R extends object>(sql: string, params?: readonly (string | number)[]) => {
      asked.push(sql);
      return all<R>(sql, params);
    };
    for (const direction of ['INCOMING', 'OUTGOING'] as const) {
      for (const types of [undefined, ['OwnedBy']]) {
        await repository.page({ urns: [ANN], direction, types, start: 1, count: 1 });
      }
    }
    store.database.all = all;
    for (const sql of asked) {
      const params = Array.from(sql.matchAll(/\?/g), () => '[]');
      const plan = await all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, params);
      for (const { detail } of plan) expect(detail).not.toMatch(/^SCAN (r|s|t|e|relationship|entity)\b/);
    }
    expect(asked).toHaveLength(8);
  });
});
