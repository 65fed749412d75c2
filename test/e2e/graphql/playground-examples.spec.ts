import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { TestCatalog } from '../../harness/catalog.js';
import { importSample } from '../../harness/sample.js';
import { emptyPlaces } from '../../harness/empty-places.js';
import { ROOT } from '../../harness/service-process.js';

interface Example {
  title: string;
  query: string;
  variables?: object;
}

const { EXAMPLES } = (await import(join(ROOT, 'playground', 'examples.js'))) as { EXAMPLES: Example[] };

describe('the examples of the playground, after the import of the sample', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await importSample(catalog);
  });
  afterAll(() => catalog.stop());

  it('are some', () => {
    expect(EXAMPLES.length).toBeGreaterThan(15);
  });

  it.each(EXAMPLES)('$title', async ({ query, variables }) => {
    const { body } = await catalog.post('/api/graphql', { query, variables });
    expect(body.errors).toBeUndefined();
    expect(emptyPlaces(body.data)).toEqual([]);
  });
});
