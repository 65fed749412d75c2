import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogStore, EDITOR, READER } from '../../../../test/harness/catalog-store.js';
import type { Transaction } from '../../../catalog/store/index.js';
import type { AspectEdit } from './aspect-edit.js';
import { EditService } from './edit.service.js';
import { readResource } from './resource.js';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const ORDERS = dataset('orders');
const TAG = 'urn:li:tag:pii';

describe('EditService', () => {
  let store: CatalogStore;
  let edits: EditService;
  /** Statements of writing transactions. */
  let statements: number;

  beforeEach(async () => {
    store = await CatalogStore.open();
    edits = new EditService(store.model, store.ingest);
    const transaction = store.database.transaction.bind(store.database);
    store.database.transaction = (work) => transaction((tx) => work(counted(tx)));
    statements = 0;
    await store.put(ORDERS, 'datasetProperties', { name: 'orders' });
    await store.put(TAG, 'tagProperties', { name: 'pii' });
  });
  afterEach(() => store.close());

  function counted(tx: Transaction): Transaction {
    return new Proxy(tx, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => {
          statements++;
          return (member as (...given: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  }

  const tag = (urn: string, label: string, more: Partial<AspectEdit> = {}): AspectEdit => ({
    urn,
    at: '/input/resourceUrn',
    aspect: 'globalTags',
    what: 'tags',
    mentions: [{ urn: label, at: '/input/tagUrn', types: ['tag'] }],
    apply: (current) => ({ tags: [...((current?.['tags'] ?? []) as object[]), { tag: label }] }),
    ...more,
  });
  const tagsOf = async (urn: string): Promise<unknown[]> => {
    const [row] = await store.database.all<{ value: string }>(
      `SELECT a.value FROM aspect a JOIN entity e ON e.id = a.entity_id
       WHERE e.urn = ? AND a.aspect = 'globalTags'`,
      [urn],
    );
    return row === undefined ? [] : (JSON.parse(row.value) as { tags: unknown[] }).tags;
  };

  it('applies each edit to what the one before it left', async () => {
    await edits.submit(EDITOR, [tag(ORDERS, TAG), tag(ORDERS, TAG)]);
    expect(await tagsOf(ORDERS)).toEqual([{ tag: TAG }, { tag: TAG }]);
  });

  it('loses nothing of edits that come at the same moment', async () => {
    await Promise.all(Array.from({ length: 100 }, () => edits.submit(EDITOR, [tag(ORDERS, TAG)])));
    expect(await tagsOf(ORDERS)).toHaveLength(100);
  });

  it('leaves no trace of a submission of which one part is refused', async () => {
    const refused = edits.submit(EDITOR, [tag(ORDERS, TAG), tag(dataset('missing'), TAG)]);
    await expect(refused).rejects.toMatchObject({
      code: 'ENTITY_NOT_FOUND',
      errors: [{ pointer: '/input/resourceUrn' }],
    });
    expect(await tagsOf(ORDERS)).toEqual([]);
    const heads = await store.database.all('SELECT urn FROM entity WHERE urn = ?', [dataset('missing')]);
    expect(heads).toEqual([]);
  });

  it('never brings a deleted entity back', async () => {
    for (let round = 0; round < 20; round++) {
      const urn = dataset(`round${round}`);
      await store.put(urn, 'datasetProperties', { name: 'short-lived' });
      const [edited] = await Promise.allSettled([
        edits.submit(EDITOR, [tag(urn, TAG)]),
        store.put(urn, 'datasetKey', undefined, 'DELETE'),
        edits.submit(EDITOR, [tag(urn, TAG)]),
      ]);
      expect(edited).toBeDefined();
      const live = await store.database.all('SELECT urn FROM entity WHERE urn = ? AND live = 1', [urn]);
      expect(live).toEqual([]);
    }
  });

  it('sees a label that is deleted just before', async () => {
    const deletion = store.put(TAG, 'tagKey', undefined, 'DELETE');
    const late = edits.submit(EDITOR, [tag(ORDERS, TAG)]);
    await deletion;
    await expect(late).rejects.toMatchObject({
      code: 'ENTITY_NOT_FOUND',
      errors: [{ pointer: '/input/tagUrn', message: `${TAG} does not exist` }],
    });
  });

  it('gives edits a copy: what they do to it stays with them', async () => {
    await edits.submit(EDITOR, [tag(ORDERS, TAG)]);
    const spoil: AspectEdit = tag(ORDERS, TAG, {
      apply: (current) => {
        (current?.['tags'] as unknown[]).length = 0;
        return undefined;
      },
    });
    const [outcome] = await edits.submit(EDITOR, [spoil]);
    expect(outcome).toMatchObject({ changed: false, version: 1 });
    expect(await tagsOf(ORDERS)).toEqual([{ tag: TAG }]);
  });

  it('checks what comes out against the schema', async () => {
    const wrong = tag(ORDERS, TAG, { apply: () => ({ tags: [{ label: 'x' }] }) });
    await expect(edits.submit(EDITOR, [wrong])).rejects.toMatchObject({ code: 'ASPECT_INVALID' });
  });

  it('names everything that is missing at once', async () => {
    const mentions = ['a', 'b'].map((name, i) => ({
      urn: `urn:li:tag:${name}`,
      at: `/input/tagUrns/${i}`,
      types: ['tag'],
    }));
    await expect(edits.submit(EDITOR, [tag(ORDERS, TAG, { mentions })])).rejects.toMatchObject({
      errors: [{ pointer: '/input/tagUrns/0' }, { pointer: '/input/tagUrns/1' }],
    });
  });

  it('is not for readers', async () => {
    await expect(edits.submit(READER, [tag(ORDERS, TAG)])).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
    const target = { urn: TAG, at: '/urn' };
    await expect(edits.delete(READER, target, [])).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  });

  it('takes as many statements for many entities and labels as for few', async () => {
    const cost = async (count: number): Promise<number> => {
      const names = Array.from({ length: count }, (_, i) => `${count}.${i}`);
      for (const name of names) {
        await store.put(dataset(name), 'datasetProperties', { name });
        await store.put(`urn:li:tag:${name}`, 'tagProperties', { name });
      }
      const mentions = names.map((name) => ({ urn: `urn:li:tag:${name}`, at: '', types: ['tag'] }));
      statements = 0;
      await edits.submit(
        EDITOR,
        names.map((name) => tag(dataset(name), TAG, { mentions })),
      );
      return statements;
    };
    const few = await cost(3);
    expect(await cost(60)).toBe(few);
    statements = 0;
    const absent = Array.from({ length: 60 }, (_, i) => ({
      urn: `urn:li:tag:absent${i}`,
      at: '',
      types: ['tag'],
    }));
    await expect(edits.submit(EDITOR, [tag(ORDERS, TAG, { mentions: absent })])).rejects.toMatchObject({
      code: 'ENTITY_NOT_FOUND',
    });
    expect(statements).toBeLessThanOrEqual(few);
  });
});

describe('readResource', () => {
  const resourceUrn = ORDERS;
  it.each([
    [{ resourceUrn }, { urn: ORDERS, at: '/i/resourceUrn', columnAt: '/i/subResource' }],
    [
      { resourceUrn, subResourceType: null, subResource: null },
      { urn: ORDERS, at: '/i/resourceUrn', columnAt: '/i/subResource' },
    ],
    [
      { resourceUrn, subResourceType: 'DATASET_FIELD', subResource: 'a.b' },
      { urn: ORDERS, column: 'a.b', at: '/i/resourceUrn', columnAt: '/i/subResource' },
    ],
  ])('reads %j', (input, resource) => expect(readResource(input, '/i')).toEqual(resource));

  it.each([
    [{ subResource: 'a' }, 'PARAMETER_MISSING', '/i/subResourceType'],
    [{ subResourceType: 'DATASET_FIELD' }, 'PARAMETER_MISSING', '/i/subResource'],
    [{ subResourceType: 'DATASET_FIELD', subResource: '' }, 'PARAMETER_MISSING', '/i/subResource'],
    [{ subResourceType: 'TABLE', subResource: 'a' }, 'PARAMETER_INVALID', '/i/subResourceType'],
  ])('refuses %j', (input, code, pointer) => {
    let thrown: unknown;
    try {
      readResource({ resourceUrn, ...input }, '/i');
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toMatchObject({ code, errors: [{ pointer }] });
  });
});
