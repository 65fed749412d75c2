import { describe, expect, it } from '@jest/globals';
import { CommonWords } from './common-words.js';
import { DocSet } from './doc-set.js';
import type { IndexFile } from './index-file.js';
import type { Place } from './word-match.js';

/** An index file of which only this is asked. */
const file = { changedElsewhere: () => false } as IndexFile;
const columns = (name: string[], text: string[] = [], minor: string[] = []) => ({
  whole: [],
  name,
  text,
  minor,
});

describe('the kept sets of common words', () => {
  const setOf = (size: number, chunks = 1) => {
    const set = new DocSet(chunks);
    for (let doc = 1; doc <= size; doc++) set.add(doc);
    return set;
  };
  /** What was looked for in the index, as `word place`. */
  function looking(common: CommonWords, sizes: Record<string, number>, chunks = 1) {
    const asked: string[] = [];
    const docs = (word: string, place: Place) =>
      common.docs(word, place, (where) => {
        asked.push(`${word} ${where}`);
        return setOf(sizes[word]!, chunks);
      });
    return { asked, docs };
  }

  it('are looked for once; rare words each time', () => {
    const { asked, docs } = looking(new CommonWords(file), { table: 2000, ledger: 3 });
    for (let i = 0; i < 3; i++) {
      expect(docs('table', 'name').size).toBe(2000);
      expect(docs('ledger', 'anywhere').size).toBe(3);
    }
    expect(asked).toEqual(['table anywhere', 'table name', ...Array(3).fill('ledger anywhere')]);
  });

  it('follow what is written', () => {
    const common = new CommonWords(file);
    const { asked, docs } = looking(common, { table: 2000 });
    docs('table', 'name');
    docs('table', 'text');
    common.changed(3, columns(['ledger'], ['table']));
    common.changed(4, columns(['ledger'], [], ['table']));
    common.changed(5, undefined);
    common.changed(3000, columns(['table']));
    const where = (doc: number) =>
      (['name', 'text', 'anywhere'] as const).filter((place) => docs('table', place).has(doc));
    expect(where(3)).toEqual(['text', 'anywhere']);
    expect(where(4)).toEqual(['anywhere']);
    expect(where(5)).toEqual([]);
    expect(where(3000)).toEqual(['name', 'anywhere']);
    expect(asked).toHaveLength(3);
  });

  it('are looked for anew when documents come that do not fit in them', () => {
    const common = new CommonWords(file);
    const { asked, docs } = looking(common, { table: 2000 });
    docs('table', 'anywhere');
    common.changed(70_000, columns(['table']));
    docs('table', 'anywhere');
    expect(asked).toEqual(['table anywhere', 'table anywhere']);
  });

  it('take no more than their room: what was not used longest goes', () => {
    const common = new CommonWords(file);
    const words = Array.from({ length: 10 }, (_, i) => `word${i}`);
    const { asked, docs } = looking(common, Object.fromEntries(words.map((word) => [word, 1000])), 64);
    for (const word of words) {
      docs('word0', 'anywhere');
      docs(word, 'anywhere');
    }
    asked.length = 0;
    docs('word0', 'anywhere');
    docs('word9', 'anywhere');
    docs('word1', 'anywhere');
    expect(asked).toEqual(['word1 anywhere']);
  });

  it('are let go when another process has written', () => {
    let changed = false;
    const common = new CommonWords({ changedElsewhere: () => changed } as IndexFile);
    const { asked, docs } = looking(common, { table: 2000 });
    docs('table', 'anywhere');
    common.refresh();
    docs('table', 'anywhere');
    expect(asked).toHaveLength(1);
    changed = true;
    common.refresh();
    docs('table', 'anywhere');
    expect(asked).toHaveLength(2);
  });
});
