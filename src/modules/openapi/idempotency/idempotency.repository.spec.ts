import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CatalogStore } from '../../../../test/harness/catalog-store.js';
import { IdempotencyRepository } from './idempotency.repository.js';

const answer = (text: string) => ({ fingerprint: 'f', answer: text });

describe('idempotency keys', () => {
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
});
