import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PrintedPage } from '../change-log/index.js';
import { FeedRun } from './feed-run.js';
import { FeedRuns } from './feed-runs.js';

const at = (position: number, skip = 0) => ({ position, skip, mark: '' });

/** A run of entries behind a position, each with the same text; those of `silent` have none. */
function runOf(from: number, entries: number, text = 'é', silent: number[] = []): FeedRun {
  const bytes = Buffer.from(`\n"${text}"`.repeat(entries - silent.length));
  const page = { entries, silent, bytes, cursor: at(from + entries), last: from + entries };
  return FeedRun.of(at(from), page as unknown as PrintedPage);
}

const textOf = (run: FeedRun | undefined, position: number, limit: number): string =>
  Buffer.from(run!.part(position, limit).bytes).toString();

describe('a run of the feed', () => {
  it('is cut into pages of any size', () => {
    const run = runOf(10, 5);
    expect(run.part(10, 2)).toMatchObject({ count: 2, last: 12 });
    expect(textOf(run, 12, 2)).toBe(',"é","é"');
    expect(run.part(12, 100)).toMatchObject({ count: 3, last: 15 });
  });

  it('passes over entries that have no text', () => {
    const run = runOf(0, 6, 'a', [1, 3, 6]);
    expect(run.part(0, 2)).toMatchObject({ count: 2, last: 4 });
    expect(textOf(run, 0, 2)).toBe(',"a","a"');
    expect(run.part(4, 2)).toMatchObject({ count: 1, last: 6 });
    expect(run.part(5, 2)).toMatchObject({ count: 0, last: 6 });
  });
});

describe('runs of the feed', () => {
  let runs: FeedRuns;
  beforeEach(() => {
    runs = new FeedRuns();
  });

  it('are found at each of their entries', () => {
    void runs.add(runOf(10, 5, 'a'), false);
    void runs.add(runOf(20, 5, 'b'), false);
    for (const position of [10, 14]) expect(textOf(runs.find(at(position)), position, 1)).toBe(',"a"');
    expect(textOf(runs.find(at(20)), 20, 1)).toBe(',"b"');
    for (const place of [at(9), at(15), at(19), at(25), at(12, 1)]) expect(runs.find(place)).toBeUndefined();
    expect([runs.gap(at(0), 50), runs.gap(at(15), 50), runs.gap(at(15), 3), runs.gap(at(25), 50)]).toEqual([
      10, 5, 3, 50,
    ]);
    runs.drop(runs.find(at(10))!);
    expect(runs.find(at(12))).toBeUndefined();
    expect(runs.find(at(22))).toBeDefined();
  });

  it('are kept when there is something behind them, in memory that is bounded', async () => {
    const size = 1024 ** 2;
    for (let i = 0; i < 60; i += 1) {
      // What cannot be packed to less than three quarters.
      await runs.add(runOf(i * 10, 1, randomBytes(size * 0.75).toString('base64')), true);
    }
    const found = Array.from({ length: 60 }, (_, i) => runs.reach(at(i * 10)) !== undefined);
    expect(found.filter(Boolean).length).toBeGreaterThan(24);
    expect(found.filter(Boolean).length).toBeLessThan(45);
    expect(found.at(-1)).toBe(true);
    expect(found[0]).toBe(false);
  });

  it('stay as they were for who holds them', () => {
    const text = 'x'.repeat(9 * 1024 ** 2);
    void runs.add(runOf(0, 1, text), false);
    const held = runs.find(at(0))!;
    void runs.add(runOf(10, 1, text), false);
    expect(runs.find(at(0))).toBeUndefined();
    expect(textOf(held, 0, 1)).toHaveLength(text.length + 3);
    held.release();
    expect(held.bytes.length).toBe(0);
  });
});
