import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogStore } from '../../../test/harness/catalog-store.js';
import { WriteReceiptRepository } from './write-receipt.repository.js';

describe('receipts of accepted writes', () => {
  let store: CatalogStore;
  beforeEach(async () => {
    store = await CatalogStore.open();
  });
  afterEach(() => store.close());

  it('are removed when they were settled long ago, never before they are settled', async () => {
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
