import { describe, expect, it } from '@jest/globals';
import type { CatalogSettings } from '../../../catalog/settings.js';
import type { RemovalQueue } from './removal-queue.js';
import { RemovalProcessor } from './removal.processor.js';
import type { Removal, RemovalRepository } from './removal.repository.js';
import type { ValueRemover } from './value-remover.js';

describe('a removal whose job the queue has lost', () => {
  it('is told to the queue again when it has stood still, unless it has failed', async () => {
    const removals = [1, 2, 3].map((changeId) => ({ changeId, lastHolder: 0 }) as Removal);
    const told: Array<[change: number, lastHolder: number | undefined]> = [];
    const queue = {
      enqueue: async (change: number, lastHolder?: number) => void told.push([change, lastHolder]),
      failures: async () => new Map([[3, 'it failed']]),
    };
    const processor = new RemovalProcessor(
      queue as unknown as RemovalQueue,
      { open: async () => removals } as unknown as RemovalRepository,
      {} as ValueRemover,
      { role: 'worker' } as CatalogSettings,
    );
    await processor.goOnWithLost();
    expect(told).toEqual([]);
    removals[0]!.lastHolder = 1_000;
    await processor.goOnWithLost();
    expect(told).toEqual([[2, 0]]);
    await processor.goOnWithLost();
    expect(told).toEqual([
      [2, 0],
      [1, 1_000],
      [2, 0],
    ]);
  });
});
