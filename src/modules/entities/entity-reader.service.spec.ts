import { NoAuditLog } from '../../catalog/audit/index.js';
import { compatibilityWith } from '../../catalog/compatibility/index.js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DiscoveryService } from '@nestjs/core';
import { CatalogStore, EDITOR, READER } from '../../../test/harness/catalog-store.js';
import type { Principal } from '../../catalog/auth/index.js';
import { AspectReadFilter } from '../../catalog/extension/index.js';
import { RecordNamespace } from '../../catalog/restli/index.js';
import { textInParts } from '../../routing/text-in-parts.js';
import { batchAnswer, entityV2Answer, snapshotAnswer, versionedAspectAnswer } from './answers.js';
import { CountActions } from './count.actions.js';
import { EntityReader } from './entity-reader.service.js';
import { EntityStateRepository } from './store/entity-state.repository.js';
import { ReadFilters } from './read-filters.js';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)';
const TERM = 'urn:li:glossaryTerm:a.b';
const tag = (name: string) => `urn:li:tag:${name}`;

class Censor extends AspectReadFilter {
  readonly aspects = ['tagProperties'];
  calls = 0;
  async filter(values: ReadonlyArray<{ urn: string; value: Record<string, unknown> }>) {
    this.calls++;
    return values.map(({ urn, value }) => (urn.endsWith('secret') ? undefined : { ...value, name: '***' }));
  }
}

describe('EntityReader', () => {
  let store: CatalogStore;
  let repository: EntityStateRepository;
  let filters: ReadFilters;
  let reader: EntityReader;

  beforeEach(async () => {
    store = await CatalogStore.open();
    repository = new EntityStateRepository(store.database);
    filters = new ReadFilters({ getProviders: () => [] } as unknown as DiscoveryService);
    const settings = {
      compatibility: compatibilityWith('specification'),
      auditReads: false,
      vendor: 'platform',
    };
    reader = new EntityReader(repository, store.model, filters, settings, new NoAuditLog(store.database));
  });
  afterEach(() => store.close());

  it('reads the latest state with its key', async () => {
    await store.put(ORDERS, 'status', { removed: false });
    const state = (await reader.read(READER, [ORDERS])).get(ORDERS);
    expect(state).toMatchObject({ urn: ORDERS, entityType: 'dataset', exists: true, removed: false });
    expect(state?.aspects.get('datasetKey')?.value).toEqual({
      platform: 'urn:li:dataPlatform:kafka',
      name: 'orders',
      origin: 'PROD',
    });
    expect(state?.aspects.get('status')).toMatchObject({
      name: 'status',
      value: { removed: false },
      version: 1,
      systemMetadata: { runId: 'run-1' },
      created: { actor: EDITOR.actor },
    });
  });

  it('reads named aspects only, whatever their case, and leaves out what is absent', async () => {
    await store.put(ORDERS, 'status', { removed: false });
    const names = async (aspects: string[], key = false) => [
      ...((await reader.stored(READER, [ORDERS], { aspects, key })).get(ORDERS)?.aspects.keys() ?? []),
    ];
    expect(await names(['STATUS', 'ownership'])).toEqual(['status']);
    expect((await names(['status', 'ownership'], true)).sort()).toEqual(['datasetKey', 'status']);
    expect(await names([])).toEqual([]);
  });

  it('reads any number of entities with one statement, in the order asked for', async () => {
    const urns = Array.from({ length: 50 }, (_, i) => tag(`t${i}`));
    for (const urn of urns) await store.put(urn, 'status', { removed: false });
    store.database.statements = 0;
    const asked = [...urns].reverse();
    expect([...(await reader.read(READER, asked)).keys()]).toEqual(asked);
    expect(store.database.statements).toBe(1);
    expect((await reader.read(READER, [])).size).toBe(0);
  });

  it('still reads what is soft-deleted', async () => {
    await store.put(tag('a'), 'tagProperties', { name: 'a' });
    await store.put(tag('a'), 'status', { removed: true });
    expect((await reader.read(READER, [tag('a')])).get(tag('a'))).toMatchObject({ removed: true });
  });

  it('does not read what is deleted, or only referred to', async () => {
    await store.put(tag('a'), 'status', { removed: false });
    await store.put(tag('a'), 'tagKey', undefined, 'DELETE');
    await store.put(ORDERS, 'globalTags', { tags: [{ tag: tag('dangling') }] });
    expect((await reader.read(READER, [tag('a'), tag('dangling'), tag('never')])).size).toBe(0);
    expect(await reader.existing(READER, [ORDERS, tag('a'), tag('dangling')])).toEqual(new Set([ORDERS]));
    await expect(reader.storedOne(READER, tag('a'))).rejects.toMatchObject({ code: 'ENTITY_NOT_FOUND' });
    const states = await repository.states([tag('a'), tag('dangling'), tag('never')]);
    expect([...states].map(([urn, s]) => [urn, s.exists, s.aspects.size])).toEqual([
      [tag('a'), false, 0],
      [tag('dangling'), false, 0],
    ]);
  });

  it('reads versions: 0 the latest, k the k-th ever written', async () => {
    for (const name of ['one', 'two', 'three']) await store.put(tag('a'), 'tagProperties', { name });
    const read = async (version: number) =>
      (await reader.version(READER, tag('a'), 'tagProperties', version)).value;
    expect(await read(0)).toMatchObject({ name: 'three' });
    expect(await read(1)).toMatchObject({ name: 'one' });
    expect(await read(2)).toMatchObject({ name: 'two' });
    expect(await read(3)).toMatchObject({ name: 'three' });
    await expect(read(4)).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    expect((await reader.version(READER, tag('a'), 'tagKey', 0)).value).toEqual({ name: 'a' });
  });

  it('says what is missing or unknown', async () => {
    await store.put(tag('a'), 'tagProperties', { name: 'a' });
    const read = (urn: string, aspect: string) => reader.storedVersion(READER, urn, aspect, 0);
    await expect(read(tag('a'), 'status')).rejects.toMatchObject({ code: 'ASPECT_NOT_FOUND' });
    await expect(read(tag('b'), 'status')).rejects.toMatchObject({ code: 'ENTITY_NOT_FOUND' });
    await expect(read(tag('a'), 'nothing')).rejects.toMatchObject({ code: 'ASPECT_UNKNOWN' });
    await expect(read(tag('a'), 'constructor')).rejects.toMatchObject({ code: 'ASPECT_UNKNOWN' });
    await expect(read(ORDERS, 'datasetProfile')).rejects.toMatchObject({ code: 'ASPECT_KIND_WRONG' });
    await expect(read('urn:li:table:x', 'status')).rejects.toMatchObject({ code: 'ENTITY_UNKNOWN' });
    await expect(read('x', 'status')).rejects.toMatchObject({ code: 'URN_MALFORMED' });
  });

  it('asks for the right to read first', async () => {
    const nobody = { actor: 'urn:li:corpuser:x', role: 'NONE' } as unknown as Principal;
    await expect(reader.read(nobody, [ORDERS])).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(reader.version(nobody, ORDERS, 'status', 1)).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    await expect(reader.count(nobody, 'status')).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it('shows what the filters let through, on every read', async () => {
    const censor = new Censor();
    filters.add(censor);
    for (const name of ['a', 'secret']) {
      await store.put(tag(name), 'tagProperties', { name });
      await store.put(tag(name), 'tagProperties', { name, description: 'newer' });
    }
    const states = await reader.read(READER, [tag('a'), tag('secret')]);
    expect(states.get(tag('a'))?.aspects.get('tagProperties')?.value).toMatchObject({ name: '***' });
    expect(states.get(tag('secret'))?.aspects.has('tagProperties')).toBe(false);
    expect(states.get(tag('secret'))?.aspects.has('tagKey')).toBe(true);
    expect(censor.calls).toBe(1);
    expect((await reader.version(READER, tag('a'), 'tagProperties', 1)).value).toMatchObject({ name: '***' });
    const hidden = reader.version(READER, tag('secret'), 'tagProperties', 1);
    await expect(hidden).rejects.toMatchObject({ code: 'VERSION_NOT_FOUND' });
    expect(
      (await repository.states([tag('a')])).get(tag('a'))?.aspects.get('tagProperties')?.value,
    ).toMatchObject({ name: 'a' });
  });

  it('counts values, of URNs like a pattern', async () => {
    for (const name of ['x1', 'x2', 'X3', 'y']) await store.put(tag(name), 'tagProperties', { name });
    const count = new CountActions(reader).actions[0]!;
    expect(await count.run(READER, { aspect: 'tagProperties' })).toBe(4);
    expect(await count.run(READER, { aspect: 'tagProperties', urnLike: 'urn:li:tag:x%' })).toBe(2);
    expect(await count.run(READER, { aspect: 'ownership' })).toBe(0);
    await store.put(ORDERS, 'datasetProfile', { timestampMillis: 1 });
    await store.put(ORDERS, 'datasetProfile', { timestampMillis: 2 });
    expect(await count.run(READER, { aspect: 'datasetProfile' })).toBe(2);
    await expect(reader.count(READER, 'nothing')).rejects.toMatchObject({ code: 'ASPECT_UNKNOWN' });
  });

  it('reads an entity again without its values while it has not changed, and never an old state', async () => {
    const read = async () => (await reader.storedOne(READER, tag('a'))).aspects.get('tagProperties')?.value;
    await store.put(tag('a'), 'tagProperties', { name: 'one' });
    expect(await read()).toBe('{"name":"one"}');
    const first = await reader.storedOne(READER, tag('a'));
    expect(await reader.storedOne(READER, tag('a'))).toBe(first);
    await store.put(tag('a'), 'tagProperties', { name: 'two' });
    expect(await read()).toBe('{"name":"two"}');
    await store.put(tag('a'), 'tagProperties', undefined, 'DELETE');
    expect(await read()).toBeUndefined();
    await store.put(tag('a'), 'tagKey', undefined, 'DELETE');
    await expect(read()).rejects.toMatchObject({ code: 'ENTITY_NOT_FOUND' });
    await store.put(tag('a'), 'tagProperties', { name: 'three' });
    expect(await read()).toBe('{"name":"three"}');
  });

  it('reads a page again without a statement while nothing was committed, and never an old state', async () => {
    const urns = ['a', 'b', 'c'].map(tag);
    const read = async () =>
      [...(await reader.stored(READER, urns)).values()].map(
        ({ aspects }) => aspects.get('tagProperties')?.value,
      );
    for (const urn of urns) await store.put(urn, 'tagProperties', { name: 'one' });
    await read();
    const before = await read();
    store.database.statements = 0;
    expect(await read()).toEqual(before);
    expect(store.database.statements).toBe(0);
    await store.put(tag('b'), 'tagProperties', { name: 'two' });
    expect(await read()).toEqual(['{"name":"one"}', '{"name":"two"}', '{"name":"one"}']);
    await store.put(tag('a'), 'tagKey', undefined, 'DELETE');
    expect(await read()).toEqual(['{"name":"two"}', '{"name":"one"}']);
  });

  it('shows what was read recently while it is current, and leaves what a filter concerns to the others', async () => {
    const recent = async () => reader.readRecent(READER, tag('a'), (entity) => entity);
    await store.put(tag('a'), 'status', { removed: false });
    expect(await recent()).toBeUndefined();
    const first = await reader.storedOne(READER, tag('a'));
    expect(await recent()).toBe(first);
    store.database.statements = 0;
    expect(reader.readRecent(READER, tag('a'), (entity) => entity)).toBe(first);
    expect(store.database.statements).toBe(0);
    await store.put(tag('a'), 'status', { removed: true });
    expect(await recent()).toBeUndefined();
    const second = await reader.storedOne(READER, tag('a'));
    await store.put(tag('b'), 'status', { removed: false });
    expect(await recent()).toBe(second);
    filters.add(new Censor());
    expect(await recent()).toBe(second);
    await store.put(tag('a'), 'tagProperties', { name: 'one' });
    await reader.storedOne(READER, tag('a'));
    expect(await recent()).toBeUndefined();
    expect(() => reader.readRecent({ actor: 'x', role: 'NONE' as never }, tag('a'), () => 1)).toThrow(
      'lacks the privilege',
    );
  });

  it('answers at once with some aspects of what was read recently and is current, and of what nothing is to be hidden', async () => {
    const names = ['status'];
    const now = (principal: Principal = READER, urn = tag('a')) => reader.storedNow(principal, urn, names);
    const stored = async () => (await reader.stored(READER, [tag('a')], { aspects: names })).get(tag('a'));
    await store.put(tag('a'), 'status', { removed: false });
    expect(now()).toBeUndefined();
    await stored();
    const first = await stored();
    expect(now()).toBe(first);
    expect(now(READER, tag('b'))).toBeUndefined();
    expect(now({ actor: 'x', role: 'NONE' as never })).toBeUndefined();
    expect(reader.storedNow(READER, tag('a'), ['status', 'datasetProfile'])).toBeUndefined();
    await store.put(tag('a'), 'status', { removed: true });
    expect(now()).toBeUndefined();
    await stored();
    const second = await stored();
    expect(now()).toBe(second);
    filters.add(
      new (class extends Censor {
        override readonly aspects = names;
      })(),
    );
    expect(now()).toBeUndefined();
  });

  it('walks over all heads', async () => {
    for (const name of ['a', 'b', 'c']) await store.put(tag(name), 'tagProperties', { name });
    const first = await repository.walk(0, 2);
    const rest = await repository.walk(first.at(-1)?.id ?? 0, 2);
    expect([...first, ...rest].map((head) => head.urn)).toEqual([tag('a'), tag('b'), tag('c')]);
  });

  describe('the answers', () => {
    const namespace = new RecordNamespace('com.linkedin');

    it('are entities with their aspects by name', async () => {
      await store.put(tag('"ä"'), 'tagProperties', { name: '"ä"' });
      const answer = JSON.parse(entityV2Answer(await reader.storedOne(READER, tag('"ä"')))) as object;
      expect(answer).toEqual({
        urn: tag('"ä"'),
        entityName: 'tag',
        aspects: {
          tagKey: expect.objectContaining({
            name: 'tagKey',
            type: 'VERSIONED',
            version: 0,
            value: { name: '"ä"' },
          }),
          tagProperties: {
            name: 'tagProperties',
            type: 'VERSIONED',
            version: 0,
            value: { name: '"ä"' },
            created: { time: expect.any(Number), actor: EDITOR.actor },
            systemMetadata: expect.objectContaining({ runId: 'run-1', version: '1' }),
          },
        },
      });
    });

    it('are entities without aspects', async () => {
      await store.put(tag('a'), 'tagProperties', { name: 'a' });
      const entity = await reader.storedOne(READER, tag('a'), { aspects: ['status'] });
      expect(JSON.parse(entityV2Answer(entity))).toEqual({ urn: tag('a'), entityName: 'tag', aspects: {} });
      expect(JSON.parse(snapshotAnswer(entity, store.model, namespace))).toEqual({
        value: { 'com.linkedin.metadata.snapshot.TagSnapshot': { urn: tag('a'), aspects: [] } },
      });
    });

    it('are snapshots', async () => {
      await store.put(tag('a'), 'tagProperties', { name: 'a' });
      const { value } = JSON.parse(
        snapshotAnswer(await reader.storedOne(READER, tag('a')), store.model, namespace),
      );
      const { urn, aspects } = value['com.linkedin.metadata.snapshot.TagSnapshot'];
      expect(urn).toBe(tag('a'));
      expect(aspects).toHaveLength(2);
      expect(aspects).toContainEqual({ 'com.linkedin.tag.TagProperties': { name: 'a' } });
      expect(aspects).toContainEqual({ 'com.linkedin.metadata.key.TagKey': { name: 'a' } });
    });

    it('are snapshots of glossary terms, with the aspects by name', async () => {
      const info = { name: 'B', definition: 'd', termSource: 'INTERNAL', customProperties: {} };
      await store.put(TERM, 'glossaryTermInfo', info);
      const { value } = JSON.parse(
        snapshotAnswer(await reader.storedOne(READER, TERM), store.model, namespace),
      );
      expect(value['com.linkedin.metadata.snapshot.GlossaryTermSnapshot']).toEqual({
        urn: TERM,
        glossaryTermKey: { name: 'a.b' },
        glossaryTermInfo: expect.objectContaining(info),
      });
    });

    it('are versions of an aspect', () => {
      expect(JSON.parse(versionedAspectAnswer(3, 'a.Status', '{"removed":false}'))).toEqual({
        version: 3,
        aspect: { 'a.Status': { removed: false } },
      });
    });

    it('are batches that name what is missing', async () => {
      async function* found(): AsyncGenerator<Map<string, number>> {
        yield new Map([['a', 1]]);
        yield new Map();
        yield new Map([['c', 2]]);
      }
      const parts = batchAnswer(['a', 'b', 'b', 'c'], found(), (x) => JSON.stringify({ x }));
      expect(JSON.parse((await textInParts(parts)) as string)).toEqual({
        results: { a: { x: 1 }, c: { x: 2 } },
        statuses: {},
        errors: { b: expect.objectContaining({ status: 404 }) },
      });
    });
  });
});
