import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog?.stop());

describe('matchedFields', () => {
  it('say where words were found that are joined in the text, or in the query', async () => {
    const [snake, camel] = [dataset('joined.snake'), dataset('joined.camel')];
    await catalog.ingest(
      [snake, 'datasetProperties', { description: 'see fct_orders-paid daily' }],
      [camel, 'datasetProperties', { description: 'see FctOrdersPaid' }],
    );
    for (const input of ['fctorderspaid', 'FctOrdersPaid', 'fct_orders_paid', '"orders paid"']) {
      const { entities, metadata } = await catalog.search('dataset', input);
      const found = Object.fromEntries(
        entities.map((urn: string, i: number) => [urn, metadata.matches[i].matchedFields]),
      );
      for (const urn of [snake, camel])
        expect({ input, urn, found: found[urn] }).toEqual({
          ...{ input, urn },
          found: [{ name: 'description', value: expect.stringMatching(/^see/) }],
        });
    }
  });
});
