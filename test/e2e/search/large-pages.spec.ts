import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';

/** Pages of more hits than these become text in pieces. */
const SMALL = 1_000;
const TAGS = ['plain', 'quoted "twice"', 'ümlaut'];

describe('a large page of the aspect API', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    for (const [i, name] of TAGS.entries())
      await catalog.ingest([`urn:li:tag:large-${i}`, 'tagProperties', { name }]);
  });
  afterAll(() => catalog.stop());

  it.each([
    ['search', { entity: 'tag', input: 'large', start: 0 }],
    ['searchAcrossEntities', { entities: ['tag'], input: 'large', start: 0 }],
    ['filter', { entity: 'tag', filter: { or: [] }, start: 0 }],
    ['scrollAcrossEntities', { entities: ['tag'], input: 'large' }],
  ])('of %s is like a small one', async (name, parameters) => {
    const page = (count: number) => catalog.post(`/entities?action=${name}`, { ...parameters, count });
    const [small, large] = [await page(SMALL), await page(SMALL + 1)];
    expect(large.status).toBe(200);
    expect(large.body.value.numEntities).toBe(TAGS.length);
    expect(large.headers.get('content-type')).toBe(small.headers.get('content-type'));
    expect(large.text).toBe(small.text.replace(`"pageSize":${SMALL}`, `"pageSize":${SMALL + 1}`));
  });
});
