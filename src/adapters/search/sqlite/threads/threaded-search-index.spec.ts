import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { datasetUrn, documentOf, requestOf, schema } from '../../../../../test/conformance/search-fixture.js';
import { overwritePages } from '../../../../../test/harness/damage.js';
import { until } from '../../../../../test/harness/until.js';
import { SearchBudget } from '../../../../catalog/search/index.js';
import { SqliteSearchIndex } from '../sqlite-search-index.js';
import { ThreadedSearchIndex, type LaneName, type ThreadedOptions } from './threaded-search-index.js';

const tables = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) =>
    documentOf(datasetUrn('hive', `table_${from + i}`), {
      datasetProperties: { name: `table_${from + i}`, description: `words of table ${from + i}` },
    }),
  );
const DOCUMENTS = tables(0, 300);
/** Takes far longer than anything else here. */
const LONG = requestOf({
  queryString: Array.from({ length: 20 }, (_, i) => `*a*${i}*`).join(' OR '),
  count: 1000,
});
const SHORT = requestOf({ input: 'table_7' });

describe('the search index in threads', () => {
  let folder: string;
  let index: ThreadedSearchIndex;
  let answered: LaneName[];
  let moved: number;
  let ended: string[];
  let lines: string[];
  let onEnd: () => void;

  const path = () => join(folder, 'search.db');
  const watch = {
    complain: (line: string) => lines.push(line),
    answered: (lane: LaneName) => answered.push(lane),
    moved: () => (moved += 1),
    ended: (thread: string) => {
      ended.push(thread);
      onEnd();
    },
  };
  const open = async (more: Partial<ThreadedOptions> = {}): Promise<ThreadedSearchIndex> => {
    index = await ThreadedSearchIndex.open({ path: path(), longReaders: 1, watch, ...more });
    const rebuild = await index.ensureSchema(schema);
    await rebuild?.finished();
    await index.upsert(DOCUMENTS);
    return index;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'catalog-threads-'));
    [answered, moved, ended, lines, onEnd] = [[], 0, [], [], () => undefined];
  });
  afterEach(async () => {
    await index.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('answers as the index in this thread does, and leaves the file whole', async () => {
    await open();
    const found = [await index.search(LONG), await index.search(SHORT)];
    await index.close();
    const direct = new SqliteSearchIndex(path());
    expect(await direct.ensureSchema(schema)).toBeUndefined();
    expect(found).toEqual([await direct.search(LONG), await direct.search(SHORT)]);
    await direct.close();
  });

  describe('the thread that writes', () => {
    /** Writes until it is not unavailable, as the consumer of the change log does. */
    const insist = async (documents: Parameters<typeof index.upsert>[0]): Promise<unknown> => {
      for (;;) {
        try {
          return await index.upsert(documents);
        } catch (error) {
          if ((error as { code?: string }).code !== 'SEARCH_UNAVAILABLE') throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
    };

    it('suspends a document that ends it each time, and writes the others', async () => {
      await open({ writerHeapMb: 40 });
      const words = Array.from({ length: 1_200_000 }, (_, i) => `w${i.toString(36)}`).join(' ');
      const poison = documentOf(datasetUrn('hive', 'poison'), { datasetProperties: { description: words } });
      const others = tables(300, 310);
      const refused = {
        code: 'INTERNAL',
        message: expect.stringContaining(`until it changes: ${poison.urn}: the thread`) as unknown,
      };
      await expect(insist([...others.slice(0, 5), poison, ...others.slice(5)])).rejects.toMatchObject(
        refused,
      );
      expect(ended).toEqual(Array(4).fill('index writer'));
      for (const name of ['table_300', 'table_309'])
        expect((await index.search(requestOf({ input: name }))).total).toBeGreaterThan(0);
      await expect(insist([poison])).rejects.toMatchObject(refused);
      expect(ended).toHaveLength(4);
      const smaller = documentOf(datasetUrn('hive', 'poison'), { datasetProperties: { name: 'antidote' } });
      await insist([{ ...smaller, sequence: poison.sequence + 1 }]);
      expect((await index.search(requestOf({ input: 'antidote' }))).total).toBe(1);
    });

    it('is ended when it hangs', async () => {
      await open({ writerHangsMs: 1_500 });
      const other = new DatabaseSync(path(), { timeout: 5_000 });
      other.exec('BEGIN IMMEDIATE');
      await expect(index.upsert(tables(300, 301))).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
      expect(ended).toEqual(['index writer']);
      other.close();
      await insist(tables(300, 301));
      expect((await index.search(requestOf({ input: 'table_300' }))).total).toBeGreaterThan(0);
    });
  });

  describe('lanes', () => {
    it('give up what takes long in the short one, and begin it again in the long one', async () => {
      await open({ shortMs: 0 });
      const { total } = await index.search(LONG);
      expect(total).toBeGreaterThan(0);
      expect(moved).toBe(1);
      expect(answered).toEqual(['short', 'long']);
    });

    it('let what costs little go by while the long one is busy', async () => {
      // A tenth of what the long ones take on a quick machine, each of which has its turn in the short lane first.
      await open({ shortMs: 1 });
      // The columns are read once.
      await index.search(LONG);
      const order: LaneName[] = [];
      const ask = (request: typeof LONG, as: LaneName) => index.search(request).then(() => order.push(as));
      const long = Promise.all(Array.from({ length: 12 }, () => ask(LONG, 'long')));
      // A busy machine may stop the thread within one of them, which then waits with the long ones. It does not stop all.
      const short = Promise.all(Array.from({ length: 10 }, () => ask(requestOf({ count: 0 }), 'short')));
      await Promise.all([long, short]);
      expect(order).toHaveLength(22);
      expect(order.indexOf('short')).toBeLessThan(order.lastIndexOf('long'));
    });

    it('serve all who wait, however many, and refuse more than may', async () => {
      await open();
      const results = await Promise.allSettled(Array.from({ length: 1_100 }, () => index.search(SHORT)));
      const refused = results.filter((result) => result.status === 'rejected');
      expect(refused.length).toBeGreaterThan(0);
      for (const { reason } of refused)
        expect(reason).toMatchObject({ code: 'SEARCH_UNAVAILABLE', retryAfter: 1 });
      expect(results.length - refused.length).toBeGreaterThanOrEqual(1_000);
    });
  });

  describe('a search', () => {
    it('ends with its time', async () => {
      await open({ shortMs: 1 });
      const budget = new SearchBudget(2);
      await expect(index.search(LONG, budget)).rejects.toMatchObject({ code: 'SEARCH_TOO_COSTLY' });
      expect(budget.leftMs).toBe(0);
      await expect(index.search(SHORT, budget)).rejects.toMatchObject({ code: 'SEARCH_TOO_COSTLY' });
      expect((await index.search(SHORT)).total).toBeGreaterThan(0);
    });

    it.each<[string, number]>([
      ['in the short lane', Infinity],
      ['in the long lane', 0],
    ])('ends when nobody waits any longer, %s', async (_where, shortMs) => {
      await open({ shortMs });
      const gone = new AbortController();
      const all = Array.from({ length: 50 }, () =>
        index.search(LONG, new SearchBudget(Infinity, gone.signal)),
      );
      const last = index.search(SHORT);
      gone.abort();
      for (const result of await Promise.allSettled(all))
        expect(result).toMatchObject({ status: 'rejected', reason: { code: 'REQUEST_ABANDONED' } });
      expect((await last).total).toBeGreaterThan(0);
      // Those that were waiting have not been begun.
      expect(answered.filter((lane) => lane === 'long').length).toBeLessThan(2);
      expect([index.waiting('short'), index.waiting('long')]).toEqual([0, 0]);
    });

    it('finds what was acknowledged before, whatever is written all the time', async () => {
      await open();
      for (let i = 0; i < 30; i += 1) {
        const name = `later_${i}_thing`;
        const document = documentOf(datasetUrn('hive', name), { datasetProperties: { name } });
        const more = index.upsert(tables(1_000 + 10 * i, 1_010 + 10 * i));
        await index.upsert([document]);
        expect((await index.search(requestOf({ input: name }))).hits[0]?.urn).toBe(document.urn);
        await more;
      }
    });

    it('sees the whole of a build that takes the place of the index', async () => {
      await open();
      expect((await index.search(requestOf({}))).total).toBe(300);
      const rebuild = await index.startRebuild();
      await rebuild.upsert(tables(0, 200));
      expect((await index.search(requestOf({}))).total).toBe(300);
      await rebuild.finished();
      expect((await index.search(requestOf({}))).total).toBe(200);
    });
  });

  describe('a thread that ends', () => {
    it('is started again, and what it was at is done again', async () => {
      await open();
      const searching = index.search(LONG);
      await index.kill('short');
      expect((await searching).total).toBeGreaterThan(0);
      expect(ended).toEqual(['short searches']);
      expect(lines).toEqual([expect.stringContaining('is started again')]);
    });

    it('ends a search with it that has ended it twice', async () => {
      await open();
      await index.search(SHORT);
      // As soon as another one has taken its place.
      onEnd = () => setImmediate(() => void index.kill('short'));
      const searching = index.search(LONG);
      await index.kill('short');
      await expect(searching).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    });

    it('is left alone for a while when that goes on, which the health tells, and comes back', async () => {
      await open();
      await index.check();
      for (let i = 0; i < 3; i += 1) {
        await index.kill('short');
        await until(async () => {
          await index.search(SHORT).catch(() => undefined);
          return index.search(SHORT).then(
            () => true,
            () => false,
          );
        });
      }
      await expect(index.check()).rejects.toMatchObject({
        code: 'SEARCH_UNAVAILABLE',
        message: expect.stringContaining('times in a row'),
      });
      expect((await index.search(SHORT)).total).toBeGreaterThan(0);
    });

    it('refuses the writes that it was at, and takes those that come later', async () => {
      await open();
      const writing = index.upsert(tables(300, 600));
      await index.kill('writer');
      await expect(writing).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
      expect((await index.search(requestOf({}))).total).toBe(300);
      await index.upsert(tables(300, 600));
      expect((await index.search(requestOf({}))).total).toBe(600);
      expect(await index.unfinishedRebuild()).toBeUndefined();
    });

    it('leaves an index that was being filled to be filled anew', async () => {
      index = await ThreadedSearchIndex.open({ path: path(), longReaders: 1, watch });
      const first = await index.ensureSchema(schema);
      await first!.upsert(DOCUMENTS);
      await index.kill('writer');
      await expect(first!.upsert(DOCUMENTS)).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
      const again = await index.unfinishedRebuild();
      await expect(index.search(SHORT)).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
      await again!.upsert(DOCUMENTS);
      await again!.finished();
      expect((await index.search(requestOf({}))).total).toBe(300);
    });
  });

  it('gives a file up in which a search finds damage', async () => {
    await open();
    await index.close();
    overwritePages(path(), 6, 1);
    index = await ThreadedSearchIndex.open({ path: path(), longReaders: 1, watch });
    await index.ensureSchema(schema);
    await expect(index.search(LONG)).rejects.toMatchObject({
      code: 'SEARCH_UNAVAILABLE',
      message: expect.stringContaining('is being built anew'),
    });
    await expect(index.ready()).rejects.toMatchObject({ code: 'SEARCH_UNAVAILABLE' });
    const rebuild = await index.unfinishedRebuild();
    await rebuild!.upsert(DOCUMENTS);
    await rebuild!.finished();
    expect((await index.search(requestOf({}))).total).toBe(300);
  });
});
