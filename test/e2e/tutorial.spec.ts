import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../harness/catalog.js';
import { blocksOf, checkBlock, readPage } from '../harness/page-commands.js';

describe('docs/tutorial.md', () => {
  const page = readPage('tutorial.md');
  const blocks = blocksOf(page);
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it('has commands', () => expect(blocks.length).toBeGreaterThan(10));

  it.each(blocks)('$title', (block) => checkBlock(catalog, block));
});
