import { describe, expect, it } from '@jest/globals';
import type { StoredVersion } from '../../entities/index.js';
import { restoringMetadata, valueBefore, type Before } from './value-before.js';

/** Versions from 1 on, each `[value, run]`, or with the version that it brings back. */
function versions(...written: Array<[value: string, run: string, restores?: number]>): StoredVersion[] {
  return written.map(([value, runId, restores], index) => ({
    version: index + 1,
    value,
    system_metadata: JSON.stringify({
      runId,
      ...(restores !== undefined && { properties: { restoredVersion: String(restores) } }),
    }),
  }));
}

async function before(run: string, history: StoredVersion[], lost = 0): Promise<unknown> {
  const latest = history.at(-1);
  if (!latest) throw new Error('no versions');
  const found: Before = await valueBefore(run, latest, async (version) =>
    version <= lost ? undefined : history[version - 1],
  );
  return typeof found === 'string' ? found : [found.version, found.value];
}

describe('valueBefore', () => {
  it('is nothing when the run wrote everything there ever was', async () => {
    expect(await before('a', versions(['x', 'a']))).toBe('nothing');
    expect(await before('a', versions(['x', 'a'], ['y', 'a']))).toBe('nothing');
  });

  it('is the newest value of another run, whatever the run wrote in between', async () => {
    expect(await before('b', versions(['x', 'a'], ['y', 'b']))).toEqual([1, 'x']);
    expect(await before('b', versions(['x', 'a'], ['y', 'c'], ['z', 'b'], ['w', 'b']))).toEqual([2, 'y']);
  });

  it('does not come back to what was undone', async () => {
    // b was rolled back to the value of a; then a is rolled back.
    expect(await before('a', versions(['x', 'a'], ['y', 'b'], ['x', 'a', 1]))).toBe('nothing');
    expect(await before('a', versions(['w', 'o'], ['x', 'a'], ['y', 'b'], ['x', 'a', 2]))).toEqual([1, 'w']);
    // Twice.
    expect(
      await before('a', versions(['x', 'a'], ['y', 'b'], ['x', 'a', 1], ['z', 'c'], ['x', 'a', 3])),
    ).toBe('nothing');
  });

  it.each([['0'], ['3'], ['9'], ['-1'], ['x'], ['']])(
    'does not believe a client that claims to restore %p',
    async (claim) => {
      const history = versions(['w', 'o'], ['y', 'b'], ['x', 'a']);
      const latest = history[2] as StoredVersion;
      latest.system_metadata = JSON.stringify({ runId: 'a', properties: { restoredVersion: claim } });
      expect(await before('a', history)).toEqual([2, 'y']);
    },
  );

  it('does not believe a claim to restore another value', async () => {
    expect(await before('a', versions(['w', 'o'], ['y', 'b'], ['x', 'a', 1]))).toEqual([2, 'y']);
  });

  it('is unknown when the history does not reach back far enough', async () => {
    expect(await before('b', versions(['x', 'a'], ['y', 'b']), 1)).toBe('unknown');
  });
});

describe('restoringMetadata', () => {
  it('keeps where the value came from, and says what it restores', () => {
    const stored = {
      version: 4,
      value: 'x',
      system_metadata: '{"runId":"a","lastObserved":5,"properties":{"k":"v"}}',
    };
    expect(restoringMetadata(stored)).toEqual({
      runId: 'a',
      lastObserved: 5,
      properties: { k: 'v', restoredVersion: '4' },
    });
  });
});
