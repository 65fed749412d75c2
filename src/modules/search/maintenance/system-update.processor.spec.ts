import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { DiscoveryService } from '@nestjs/core';
import type { JobQueue, JobRequest } from '../../../catalog/queue/index.js';
import type { SearchIndex } from '../../../catalog/search/index.js';
import type { CatalogSettings } from '../../../catalog/settings.js';
import type { RebuildService } from './rebuild.service.js';
import { SystemUpdateProcessor } from './system-update.processor.js';
import type { SystemUpdate, SystemUpdateRepository } from './system-update.repository.js';
import { SystemUpdateService } from './system-update.service.js';

describe('a system update whose job the queue has lost', () => {
  const processorOf = (update: SystemUpdate, failures: () => Map<string, string> = () => new Map()) => {
    const told: string[] = [];
    const queue = {
      enqueue: async (_queue: string, jobs: JobRequest[]) => void told.push(...jobs.map(({ id }) => id)),
      failures: async () => failures(),
    };
    let end = (): void => undefined;
    const rebuilder = { run: () => new Promise((resolve) => (end = () => resolve('done'))) };
    const updates = { find: async () => update, save: async () => true } as unknown as SystemUpdateRepository;
    const processor = new SystemUpdateProcessor(
      new SystemUpdateService(updates, queue as unknown as JobQueue),
      updates,
      { startRebuild: async () => ({ name: 'next' }) } as unknown as SearchIndex,
      rebuilder as unknown as RebuildService,
      {} as DiscoveryService,
      { role: 'worker' } as CatalogSettings,
    );
    return { processor, told, end: () => end() };
  };
  const update = (state: SystemUpdate['state']): SystemUpdate => ({
    ...{ id: 7, actor: 'urn:li:corpuser:admin', input: { reindex: true, steps: false } },
    ...{ state, first: 0, lines: [] },
  });

  afterEach(() => void jest.useRealTimers());

  it.each(['waiting', 'running'] as const)('is told to the queue again while it is %s', async (state) => {
    jest.useFakeTimers();
    const { processor, told } = processorOf(update(state));
    await processor.onApplicationBootstrap();
    expect(told).toEqual(['7']);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(told).toEqual(['7', '7']);
    await processor.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(30_000);
    expect(told).toEqual(['7', '7']);
  });

  it.each(['done', 'failed'] as const)('is not when it is %s', async (state) => {
    const { processor, told } = processorOf(update(state));
    await processor.goOnWithLost();
    expect(told).toEqual([]);
  });

  it('is not when the queue has given it up', async () => {
    const { processor, told } = processorOf(update('running'), () => new Map([['7', 'it failed']]));
    await processor.goOnWithLost();
    expect(told).toEqual([]);
  });

  it('is not while this process carries it out', async () => {
    const own = update('waiting');
    const { processor, told, end } = processorOf(own);
    const run = processor.run({ id: '7', payload: { update: 7 }, attempt: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    await processor.goOnWithLost();
    expect([own.state, told]).toEqual(['running', []]);
    end();
    await run;
    expect(own.state).toBe('done');
  });
});
