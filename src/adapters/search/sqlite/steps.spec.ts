import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datasetUrn, documentOf, requestOf, schema } from '../../../../test/conformance/search-fixture.js';
import { SearchBudget } from '../../../catalog/search/index.js';
import { SqliteSearchIndex } from './sqlite-search-index.js';

const DOCUMENTS = Array.from({ length: 200 }, (_, i) =>
  documentOf(datasetUrn('hive', `table_${i}`), {
    datasetProperties: { name: `table_${i}`, customProperties: {} },
  }),
);
const LONG = requestOf({
  queryString: Array.from({ length: 20 }, (_, i) => `*a*${i}*`).join(' OR '),
  count: 1000,
});

/** By this clock each step takes a second. */
function slow(limitMs = Infinity, signal?: AbortSignal): SearchBudget & { asked: number } {
  let now = 0;
  const budget = Object.assign(
    new SearchBudget(limitMs, signal, () => {
      budget.asked++;
      return (now += 1000);
    }),
    { asked: 0 },
  );
  return budget;
}

describe('searches, step by step', () => {
  let folder: string;
  let index: SqliteSearchIndex;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-turns-'));
    index = new SqliteSearchIndex(join(folder, 'search.db'));
    await (await index.ensureSchema(schema))?.finished();
    await index.upsert(DOCUMENTS);
  });
  afterEach(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('end with their time, and leave the index as it was', async () => {
    const all = slow();
    const { total } = await index.search(LONG, all);
    const half = slow((all.asked / 4) * 1000);
    await expect(index.search(LONG, half)).rejects.toMatchObject({
      code: 'SEARCH_TOO_COSTLY',
      message: expect.stringContaining('ms are allowed'),
    });
    expect(half.asked).toBeLessThan(all.asked);
    await index.upsert([
      documentOf(datasetUrn('hive', 'later'), { datasetProperties: { name: 'later_1a1' } }, 2),
    ]);
    await expect(index.search(LONG)).resolves.toMatchObject({ total: expect.any(Number) });
    expect(total).toBeGreaterThan(0);
  });

  it.each(['search', 'scroll', 'autocomplete', 'browse'] as const)(
    'begin nothing when their time is over before: %s',
    async (question) => {
      const request = {
        ...LONG,
        text: 'ta',
        fields: ['name'],
        limit: 3,
        field: 'browsePaths',
        separator: '/',
        path: [],
      };
      await expect(index[question](request as never, new SearchBudget(0))).rejects.toMatchObject({
        code: 'SEARCH_TOO_COSTLY',
      });
    },
  );

  it('end when nobody waits any longer', async () => {
    const gone = new AbortController();
    const clock = (): number => {
      gone.abort();
      return 0;
    };
    const budget = new SearchBudget(Infinity, gone.signal, clock);
    await expect(index.search(LONG, budget)).rejects.toMatchObject({ code: 'REQUEST_ABANDONED' });
    await expect(index.search(LONG)).resolves.toMatchObject({ total: expect.any(Number) });
  });

  it('have check points while many paths are browsed', async () => {
    const path = { field: 'browsePaths', separator: '/', path: [], start: 0, count: 10 };
    const request = { ...requestOf({}), ...path };
    const stepsOf = async (includeRemoved: boolean) => {
      const budget = slow();
      const { groups } = await index.browse({ ...request, includeRemoved }, budget);
      return { steps: budget.asked, found: groups.reduce((sum, { count }) => sum + count, 0) };
    };
    const few = await stepsOf(false);
    const [{ fields, ...document }] = DOCUMENTS as [(typeof DOCUMENTS)[0]];
    const many = Array.from({ length: 8_000 }, (_, i) => {
      const urn = datasetUrn('hive', `more_${i}`);
      return {
        ...document,
        urn,
        fields: { urn: [urn], _entityType: fields['_entityType']!, browsePaths: [`/a/b${i}`] },
      };
    });
    await index.upsert(many);
    // What was counted before has followed: with removed ones they are counted for the first time.
    const all = await stepsOf(true);
    expect(all.found - few.found).toBe(many.length);
    // The clock is asked after each step.
    expect(all.steps - few.steps).toBeGreaterThan(2);
  });
});
