import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset } from '../aspect-api/support.js';
import { define, found, hardDelete, holds, searchAnswer, setting, shown, softDelete } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());
it('works', async () => {
  const p = await define(catalog, 'io.test.p', 'number');
  const q = await define(catalog, 'io.test.q', 'date');
  await catalog.ingest(
    [dataset('a'), 'datasetProperties', {}],
    [dataset('a'), 'structuredProperties', setting(holds(p, 410258.29), holds(q, '2024-01-02'))],
  );
  expect(await shown(catalog, dataset('a'))).toEqual({
    'io.test.p': [410258.29],
    'io.test.q': ['2024-01-02'],
  });
  expect(await found(catalog, 'io.test.p', 'GREATER_THAN', '5')).toEqual(['a']);
  expect(await found(catalog, 'io_test_p', 'EQUAL', '410258.29')).toEqual(['a']);
  expect(await found(catalog, 'io.test.q', 'EQUAL', '2024-01-02')).toEqual(['a']);
  await softDelete(catalog, p);
  expect(await shown(catalog, dataset('a'))).toEqual({ 'io.test.q': ['2024-01-02'] });
  expect((await searchAnswer(catalog, 'io.test.p')).body).toMatchObject({ code: 'FILTER_INVALID' });
  await softDelete(catalog, p, false);
  expect(await shown(catalog, dataset('a'))).toEqual({
    'io.test.p': [410258.29],
    'io.test.q': ['2024-01-02'],
  });
  await hardDelete(catalog, p);
  expect(await shown(catalog, dataset('a'))).toEqual({ 'io.test.q': ['2024-01-02'] });
  await define(catalog, 'io.test.p', 'string');
  expect(await shown(catalog, dataset('a'))).toEqual({ 'io.test.q': ['2024-01-02'] });
  expect(await found(catalog, 'io.test.p', 'EXISTS')).toEqual([]);
});
