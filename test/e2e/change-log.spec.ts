import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/catalog/store/index.js';
import { ChangeLogRetention } from '../../src/modules/change-log/change-log-retention.js';
import { TestCatalog } from '../harness/catalog.js';

describe('the change log of a catalog that keeps nothing longer than it must', () => {
  let catalog: TestCatalog;
  const urn = (n: number) => `urn:li:tag:t${n}`;
  const rows = async () => {
    const found = await catalog
      .provider(Database)
      .all<{ id: number; position: number }>('SELECT id, position FROM change_log ORDER BY id');
    return found.map(({ id, position }) => ({ id: Number(id), position: Number(position) }));
  };
  const found = async () => ((await catalog.search('tag', '*')).entities as string[]).toSorted();

  beforeAll(async () => {
    catalog = await TestCatalog.start({ CATALOG_CHANGE_LOG_DAYS: '0' });
  });
  afterAll(() => catalog.stop());

  it('loses what was consumed, and the catalog goes on as before', async () => {
    const cleanup = catalog.provider(ChangeLogRetention);
    let last = { id: 0, position: 0 };
    for (let round = 0; round < 3; round++) {
      for (const n of [0, 1, 2]) await catalog.propose(urn(n), 'tagProperties', { name: `${n} in ${round}` });
      // Whoever finds all of them has waited for the consumer of the search.
      expect(await found()).toEqual([urn(0), urn(1), urn(2)]);
      await cleanup.sweep(Date.now() + 1);
      const [first, ...others] = await rows();
      expect(others.length).toBeLessThanOrEqual(8);
      expect(first!.id).toBeGreaterThan(last.id);
      expect(first!.position).toBeGreaterThan(last.position);
      last = first!;
    }
    // The past is told by the history of the aspects.
    const answer = await catalog.get(`/aspects/${encodeURIComponent(urn(0))}?aspect=tagProperties&version=1`);
    expect(answer.text).toContain('0 in 0');
    const report = await catalog.post('/operations?action=verify', {});
    expect(report.body.value).toMatchObject({ remaining: 0, differingBuckets: 0 });
  });
});
