import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ThreadedSearchIndex } from '../../../src/adapters/search/sqlite/index.js';
import { SearchIndex } from '../../../src/catalog/search/index.js';
import { proposal, TestCatalog } from '../../harness/catalog.js';

const urn = (i: number | string) => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.part_${i},PROD)`;

describe('the threads of the search index', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: Array.from({ length: 200 }, (_, i) =>
        proposal(urn(i), 'datasetProperties', { name: `part ${i}`, description: `words of part ${i}` }),
      ),
    });
    await catalog.search('dataset', 'part');
  });
  afterAll(() => catalog.stop());

  const index = (): ThreadedSearchIndex => {
    const running = catalog.provider(SearchIndex);
    if (!(running instanceof ThreadedSearchIndex)) throw new Error('the index is not in threads');
    return running;
  };

  it('search again when one of them ends, and the figures tell', async () => {
    const searches = Promise.all(
      Array.from({ length: 20 }, (_, i) => catalog.search('dataset', `part ${i}`)),
    );
    await index().kill('short');
    for (const { numEntities } of await searches) expect(numEntities).toBeGreaterThan(0);
    expect((await catalog.search('dataset', 'part')).numEntities).toBe(200);
    const { text } = await catalog.get('/metrics');
    expect(text).toMatch(/^catalog_search_threads_ended_total\{thread="short searches"\} 1$/m);
    expect(text).toMatch(/^catalog_search_lane_work_seconds_count\{lane="short"\} \d+$/m);
    expect((await catalog.get('/health')).body.status).toBe('UP');
  });

  it('write what was acknowledged when the one that writes ends', async () => {
    const writes = Array.from({ length: 20 }, (_, i) =>
      catalog.propose(urn(`late_${i}`), 'datasetProperties', { name: `late ${i}` }),
    );
    await index().kill('writer');
    for (const { status } of await Promise.all(writes)) expect(status).toBe(200);
    expect((await catalog.search('dataset', 'late')).numEntities).toBe(20);
  });
});
