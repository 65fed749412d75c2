import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogStore } from '../../../../test/harness/catalog-store.js';
import { WriteReceiptRepository } from '../receipts/write-receipt.repository.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const answer = (text: string) => ({ fingerprint: 'f', answer: text });

describe('what is remembered of writes', () => {
  let store: CatalogStore;
  let keys: IdempotencyRepository;
  beforeEach(async () => {
    store = await CatalogStore.open();
    keys = new IdempotencyRepository(store.database);
  });
  afterEach(() => store.close());

  it('a key belongs to its first answer until its time is over, then it is free', async () => {
    expect(await keys.claimAlone('k', answer('one'), 0, 100)).toBeUndefined();
    expect(await keys.claimAlone('k', answer('two'), 99, 200)).toEqual(answer('one'));
    expect(await keys.find('k', 99)).toEqual(answer('one'));
    expect(await keys.find('k', 100)).toBeUndefined();
    expect(await keys.claimAlone('k', answer('two'), 100, 200)).toBeUndefined();
    expect(await keys.find('k', 150)).toEqual(answer('two'));
  });

  it('what is over is removed', async () => {
    await keys.claimAlone('old', answer('one'), 0, 100);
    await keys.claimAlone('young', answer('two'), 0, 200);
    await keys.sweep(150);
    expect(await store.database.all('SELECT scope FROM idempotency_key')).toEqual([{ scope: 'young' }]);
  });

  it('receipts are removed when they were settled long ago, never before they are settled', async () => {
    const receipts = new WriteReceiptRepository(store.database);
    const principal = { actor: 'urn:li:corpuser:ed', role: 'EDITOR' } as const;
    for (const trace of ['a', 'b'])
      await receipts.add(trace, principal, '[]', { items: [] }, undefined, undefined);
    const [first] = (await receipts.take('w', 10, 1000))!;
    expect(await receipts.reject('w', first!.id, { items: [] })).toBe(true);
    expect(await receipts.reject('w', first!.id, { items: [] })).toBe(false);
    await receipts.sweep(Date.now() + 1000);
    expect([await receipts.find('a'), (await receipts.find('b'))?.state]).toEqual([undefined, 'PENDING']);
  });
});
