import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { command } from '../../harness/command.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';
import { dataset } from '../aspect-api/support.js';

/** Nothing of the servers, also where the environment has them. */
const EMBEDDED = { CATALOG_DATABASE_URL: '', CATALOG_REDIS_URL: '', CATALOG_SEARCH_URL: '' };

describe('a catalog that grows from one process to servers', () => {
  let small: TestCatalog;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-e2e-'));
    small = await TestCatalog.start(EMBEDDED, join(folder, 'small'));
    await importSample(small);
    for (let i = 1; i <= 3; i += 1)
      await small.ingest([dataset('shop.changed'), 'datasetProperties', { name: `é\u{1f375}${i}` }]);
  });
  afterAll(async () => {
    await small.stop({ keepHome: true });
    await removeHome(folder);
  });

  it('takes everything along, to servers that serve and back', async () => {
    const exported = async (home: string, environment: Record<string, string>): Promise<string> => {
      const words = ['export', '-', '--no-cursor', '--secrets'];
      const { code, out, err } = await command(home, words, { environment });
      expect({ code, err }).toMatchObject({ code: 0 });
      return out;
    };
    const before = await exported(small.home, EMBEDDED);
    const file = join(folder, 'export.jsonl');
    await writeFile(file, before);

    const large = await TestCatalog.start({}, join(folder, 'large'));
    try {
      expect(large.configuration.databaseUrl).toBeDefined();
      expect(await command(large.home, ['import', file])).toMatchObject({ code: 0 });
      const after = await exported(large.home, {});
      expect(after).toBe(before);
      await until(async () => (await large.search('dataset', 'late parcels')).entities.length > 0);
      expect(await command(large.home, ['import', file])).toMatchObject({
        code: 0,
        err: expect.stringContaining('0 entities, 0 aspects'),
      });
      await writeFile(file, after);
    } finally {
      await large.stop({ keepHome: true });
    }

    const back = join(folder, 'back');
    expect(await command(back, ['import', file], { environment: EMBEDDED })).toMatchObject({ code: 0 });
    expect(await exported(back, EMBEDDED)).toBe(before);
  });
});
