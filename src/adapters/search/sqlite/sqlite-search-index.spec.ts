import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  datasetUrn,
  documentOf,
  requestOf,
  schema,
  unless,
  where,
} from '../../../../test/conformance/search-fixture.js';
import { SqliteSearchIndex } from './sqlite-search-index.js';

/** The first twenty of the values by how many they are. */
function countsOf(values: readonly string[]): Array<{ value: string; count: number }> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, 20);
}

describe('the file of the SQLite index', () => {
  let folder: string;
  const path = () => join(folder, 'deep', 'search.db');
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'search-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('survives the process', async () => {
    const first = new SqliteSearchIndex(path());
    const rebuild = await first.ensureSchema(schema);
    await first.upsert([documentOf(datasetUrn('hive', 'kept'))]);
    await rebuild!.finished();
    await first.close();
    await first.close();
    const second = new SqliteSearchIndex(path());
    expect(await second.ensureSchema(schema)).toBeUndefined();
    expect((await second.search(requestOf({ input: 'kept' }))).total).toBe(1);
    await second.close();
  });

  it('is shared by processes: what one writes the other finds', async () => {
    const writer = new SqliteSearchIndex(path());
    await writer.ensureSchema(schema);
    const reader = new SqliteSearchIndex(path());
    await reader.ensureSchema(schema);
    for (let i = 0; i < 5; i++) {
      await writer.upsert([documentOf(datasetUrn('hive', `shared_${i}`))]);
      expect((await reader.search(requestOf({ input: 'shared' }))).total).toBe(i + 1);
    }
    await writer.close();
    await reader.close();
  });

  it('is made anew when it is damaged', async () => {
    const index = new SqliteSearchIndex(path());
    await index.close();
    for (const suffix of ['-wal', '-shm']) rmSync(path() + suffix, { force: true });
    writeFileSync(path(), 'this is no database, and long enough to be taken for one: '.repeat(100));
    const again = new SqliteSearchIndex(path());
    expect(await again.ensureSchema(schema)).toBeDefined();
    expect((await again.search(requestOf({}))).total).toBe(0);
    await again.close();
  });

  it('writes all of a batch or nothing of it', async () => {
    const index = new SqliteSearchIndex(':memory:');
    await index.ensureSchema(schema);
    const good = documentOf(datasetUrn('hive', 'good'));
    const bad = { ...documentOf(datasetUrn('hive', 'bad')), sequence: undefined as unknown as number };
    await expect(index.upsert([good, bad])).rejects.toThrow();
    expect((await index.search(requestOf({}))).total).toBe(0);
    await index.upsert([good]);
    expect((await index.search(requestOf({}))).total).toBe(1);
    await index.close();
  });

  describe('words that very many documents have', () => {
    const WORDS = ['ledger', 'orders', 'daily'];
    const texts = ['*', 'ledger orders', 'orders daily', 'daily', 'ledger daily', 'orders'];
    const filters = [
      {},
      { filter: where('tags', 'EQUAL', 'urn:li:tag:daily') },
      { filter: unless('name', 'CONTAIN', 'dai') },
      { filter: where('tags', 'EQUAL', 'urn:li:tag:some') },
    ];
    /** Enough for each word to be kept, not only looked up. */
    const documents = 1200;
    const urn = (i: number) => datasetUrn('hive', `t${i}`);
    const versionOf = (i: number, turn: number, sequence: number) => {
      const word = (of: number) => WORDS[(i * of + turn) % WORDS.length]!;
      const properties = { name: `${word(1)}_${i}`, description: `${word(5)} and ${word(7)}` };
      // Neighbours in the order of URNs have the third one.
      const third = (turn === 1 ? i >= 320 : i < 300) ? ['some'] : [];
      const globalTags = { tags: [word(2), word(4), ...third].map((tag) => ({ tag: `urn:li:tag:${tag}` })) };
      return documentOf(urn(i), { datasetProperties: properties, globalTags }, sequence);
    };
    const answers = async (index: SqliteSearchIndex) => {
      const found = [];
      for (const input of texts) {
        for (const filter of filters) {
          const ask = async (count: number) => {
            const facets = ['tags', 'platform', 'tags␞platform'];
            const answer = await index.search(requestOf({ input, ...filter, count, facets }));
            return [answer.total, answer.hits.map((hit) => hit.urn), answer.facets] as const;
          };
          const [total, urns, facets] = await ask(500);
          // Asked again, from what is kept of the search.
          for (const count of [400, 20])
            expect(await ask(count)).toEqual([total, urns.slice(0, count), facets]);
          found.push([input, filter, total, urns, facets]);
        }
      }
      return found;
    };

    it('are found, and in the right order, whatever is written between two searches', async () => {
      const index = new SqliteSearchIndex(path());
      await index.ensureSchema(schema);
      const other = new SqliteSearchIndex(path());
      await other.ensureSchema(schema);
      const latest = new Map<number, number>();
      let sequence = 0;
      const write = async (from: number, to: number, turn: number) => {
        const batch = [];
        for (let i = from; i < to; i++) {
          batch.push(versionOf(i, turn, ++sequence));
          latest.set(i, turn);
        }
        await index.upsert(batch);
      };
      const remove = async (from: number, to: number) => {
        const gone = [];
        for (let i = from; i < to; i++) {
          gone.push({ urn: urn(i), sequence: ++sequence });
          latest.delete(i);
        }
        await index.remove(gone);
      };
      const compare = async () => {
        const anew = new SqliteSearchIndex(':memory:');
        await anew.ensureSchema(schema);
        await anew.upsert([...latest].map(([i, turn]) => versionOf(i, turn, 1)));
        const expected = await answers(anew);
        expect(await answers(index)).toEqual(expected);
        expect(await answers(other)).toEqual(expected);
        await anew.close();
      };
      await write(0, documents, 0);
      await compare();
      await write(100, 700, 1);
      await compare();
      await remove(50, 300);
      await compare();
      for (const i of [3, 31, 1000, 1010]) {
        await write(i, i + 7, 1);
        await compare();
      }
      await write(0, 200, 2);
      await write(documents, documents + 50, 1);
      await index.forget([urn(250)]);
      await compare();
      await index.close();
      await other.close();
    });
  });

  it('counts the facets of searches that were never made before, whatever was counted', async () => {
    const index = new SqliteSearchIndex(':memory:');
    await index.ensureSchema(schema);
    const datasetOf = (i: number) => ({
      platform: i % 8 === 0 ? 'kafka' : 'hive',
      origin: i % 3 === 0 ? 'DEV' : 'PROD',
      tags: [`third${i % 3}`, ...(i < 20 ? [`one${i}`] : [])],
    });
    const all = Array.from({ length: 1600 }, (_, i) => datasetOf(i));
    let sequence = 0;
    const write = (changed: readonly number[]) =>
      index.upsert(
        changed.map((i) => {
          const { platform, origin, tags } = all[i]!;
          const globalTags = { tags: tags.map((tag) => ({ tag: `urn:li:tag:${tag}` })) };
          return documentOf(datasetUrn(platform, `t${i}`, origin), { globalTags }, ++sequence);
        }),
      );
    const equal = (field: string, value: string) => ({ field, condition: 'EQUAL', values: [value] });
    /** The first is a set of the index by itself. */
    const conditions = [
      {
        condition: equal('platform', 'urn:li:dataPlatform:hive'),
        holds: ({ platform }: (typeof all)[0]) => platform === 'hive',
      },
      {
        condition: equal('tags', 'urn:li:tag:third1'),
        holds: ({ tags }: (typeof all)[0]) => tags.includes('third1'),
      },
    ];
    await write([...all.keys()]);
    for (let i = 0; i < 20; i++) {
      // The third search is the first with counts that were kept before; then they follow what is written.
      if (i > 4) {
        for (const changed of [i, i + 500]) all[changed]!.tags = i % 2 === 0 ? ['third0', 'third1'] : [];
        // Now and then a dataset comes, some of an origin that there was not before.
        if (i % 3 === 0) all.push({ ...datasetOf(1), origin: i % 2 === 0 ? 'TEST' : 'QA' });
        else if (i % 3 === 1) all.push(datasetOf(22));
        await write([i, i + 500, all.length - 1]);
      }
      for (const { condition, holds } of conditions) {
        const not = { ...equal('tags', `urn:li:tag:one${i}`), negated: true };
        const hits = all.filter((one) => holds(one) && !one.tags.includes(`one${i}`));
        const facets = ['tags', 'platform', 'origin'];
        const found = await index.search(requestOf({ filter: { or: [{ and: [condition, not] }] }, facets }));
        expect(found.total).toBe(hits.length);
        expect(found.facets.map(({ values }) => values)).toEqual([
          countsOf(hits.flatMap(({ tags }) => tags.map((tag) => `urn:li:tag:${tag}`))),
          countsOf(hits.map(({ platform }) => `urn:li:dataPlatform:${platform}`)),
          countsOf(hits.map(({ origin }) => origin)),
        ]);
      }
    }
    await index.close();
  });

  describe('completions', () => {
    let index: SqliteSearchIndex;
    let sequence = 0;
    const put = (urnName: string, name: string, origin = 'PROD') =>
      index.upsert([
        documentOf(datasetUrn('hive', urnName, origin), { datasetProperties: { name } }, ++sequence),
      ]);
    const complete = async (text: string, limit = 5) =>
      (await index.autocomplete({ ...requestOf({}), text, fields: ['name'], limit })).map((s) => s.text);
    beforeEach(async () => {
      index = new SqliteSearchIndex(':memory:');
      await index.ensureSchema(schema);
    });
    afterEach(() => index.close());

    it('are of the values that there are now', async () => {
      await put('a', 'alpha_one');
      await put('b', 'alpha_one');
      expect(await complete('alp')).toEqual(['alpha_one']);
      expect(await complete('on')).toEqual(['alpha_one']);
      await put('a', 'beta_two');
      expect(await complete('alp')).toEqual(['alpha_one']);
      await put('b', 'beta_three');
      expect(await complete('alp')).toEqual([]);
      expect(await complete('on')).toEqual([]);
      expect(await complete('beta t')).toEqual(['beta_two', 'beta_three']);
      await index.remove([{ urn: datasetUrn('hive', 'a'), sequence: ++sequence }]);
      expect(await complete('bet')).toEqual(['beta_three']);
    });

    it('prefer the short ones, and of two alike the one with the better static boost', async () => {
      for (let i = 0; i < 30; i++) await put(`n${i}`, `orders_of_a_long_name_${i}`);
      await put('dev', 'orders_b', 'DEV');
      await put('live', 'orders_c');
      await put('other', 'all_orders');
      expect(await complete('orders', 2)).toEqual(['orders_c', 'orders_of_a_long_name_0']);
      expect(await complete('orders_')).toContain('orders_c');
      expect((await complete('orders', 40)).at(-1)).toBe('all_orders');
    });

    it('find words in any part of a value, and values too long for a term', async () => {
      const long = `${'some words about '.repeat(10)}ledgers`;
      await put('x', 'warehouse.sales.daily_totals');
      await put('y', long);
      expect(await complete('sales')).toEqual(['warehouse.sales.daily_totals']);
      expect(await complete('daily tot')).toEqual(['warehouse.sales.daily_totals']);
      expect(await complete('totals sales')).toEqual(['warehouse.sales.daily_totals']);
      expect(await complete('ledg')).toEqual([long]);
    });
  });
});
