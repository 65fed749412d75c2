import { describe, expect, it } from '@jest/globals';
import type { IndexBarrier, IndexRebuild, SearchIndex } from '../../../catalog/search/index.js';
import type { EntityStateReader } from '../../../catalog/store/index.js';
import { BackgroundThrottle } from '../../../catalog/schedule/index.js';
import { RebuildService } from './rebuild.service.js';
import type { SearchIndexer } from './search-indexer.consumer.js';
import type { HeadRepository } from '../../entities/index.js';
import type { StorePast } from './store-past.repository.js';
import type { VerifyService } from './verify.service.js';

const PAGES = 3;

/** A build that processes share by its lease, as on a search server. */
class SharedBuild {
  holder: object | undefined;
  done = false;

  constructor(readonly name = 'generation 2') {}

  /** As another look at it: each is a builder of its own. */
  seen(): IndexRebuild {
    const builder = {};
    return {
      name: this.name,
      beside: true,
      claim: async () => {
        if (this.done) return 'done';
        this.holder ??= builder;
        return this.holder === builder ? { position: 0, full: false } : 'busy';
      },
      save: async () => undefined,
      keep: async () => undefined,
      finished: async () => void (this.done = true),
    } as unknown as IndexRebuild;
  }
}

function service() {
  const written: string[] = [];
  const states = {
    walk: async (after: number) =>
      after < PAGES ? [{ id: after + 1, urn: `urn:li:tag:${after}`, sequence: 1 }] : [],
  } as unknown as EntityStateReader;
  const heads = { total: async () => PAGES } as unknown as HeadRepository;
  const past = { newest: async () => ({ change: 7, mark: '' }) } as unknown as StorePast;
  const indexer = {
    indexAll: async (urns: string[]) => void written.push(...urns),
  } as unknown as SearchIndexer;
  const verifier = { align: async () => ({ aligned: true, repaired: 0 }) } as unknown as VerifyService;
  const barrier = { reached: async () => undefined } as unknown as IndexBarrier;
  return {
    rebuilder: new RebuildService(
      states,
      heads,
      past,
      indexer,
      verifier,
      barrier,
      {} as SearchIndex,
      new BackgroundThrottle(),
    ),
    written,
  };
}

describe('RebuildService', () => {
  it('shares a build among those of one process who ask for it, with all that is reported', async () => {
    const { rebuilder, written } = service();
    const build = new SharedBuild();
    const [watcher, command]: [string[], string[]] = [[], []];
    // The watcher of the process finds the build before the command that began it comes to it.
    const first = rebuilder.run(build.seen(), (line) => watcher.push(line));
    await Promise.resolve();
    const second = rebuilder.run(build.seen(), (line) => command.push(line));
    expect(await Promise.all([first, second])).toEqual([PAGES, PAGES]);
    expect(command).toEqual(watcher);
    expect(command.join('\n')).toMatch(/as of change 7.*100 %.*sums of store and index agree/s);
    expect(written).toHaveLength(PAGES);
  });

  it('tells who comes late what was reported before', async () => {
    const { rebuilder } = service();
    const build = new SharedBuild();
    const late: string[] = [];
    let joined: Promise<unknown> | undefined;
    const early: string[] = [];
    const first = rebuilder.run(build.seen(), (line) => {
      early.push(line);
      if (line.includes('100 %')) joined = rebuilder.run(build.seen(), (text) => late.push(text));
    });
    expect(await first).toBe(PAGES);
    expect(await joined).toBe(PAGES);
    expect(late).toEqual(early);
  });

  it('leaves a build alone that another process is at, and begins another one beside', async () => {
    const { rebuilder } = service();
    const build = new SharedBuild();
    build.holder = {};
    const other = new SharedBuild('generation 3');
    const results = await Promise.all([rebuilder.run(build.seen()), rebuilder.run(other.seen())]);
    expect(results).toEqual(['busy', PAGES]);
    build.done = true;
    expect(await rebuilder.run(build.seen())).toBe('done');
  });
});
