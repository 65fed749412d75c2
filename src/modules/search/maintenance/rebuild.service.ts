import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import {
  BuildTakenOver,
  IndexBarrier,
  SearchIndex,
  type IndexRebuild,
} from '../../../catalog/search/index.js';
import { EntityStateReader } from '../../../catalog/store/index.js';
import { BackgroundThrottle } from '../../../catalog/schedule/index.js';
import { HeadRepository } from '../../entities/index.js';
import { SearchIndexer } from './search-indexer.consumer.js';
import { StorePast } from './store-past.repository.js';
import { VerifyService } from './verify.service.js';

/** Entities between two saved positions: what a builder that dies costs the next one. */
const PAGE = 2000;
/** How often to say that this process is at work: comparing takes longer than a builder may be silent. */
const SIGN_OF_LIFE_MS = 5_000;
/** How long to wait for the log, each time. */
const CATCH_UP_MS = 60_000;
/** How often what was built may differ from the store; each time it is made equal. */
const MAX_ROUNDS = 10;

type Report = (line: string) => void;
type Result = number | 'busy' | 'done';

/** A build that this process is at. */
interface Running {
  lines: string[];
  reports: Report[];
  result: Promise<Result>;
}

/** Fills an index from the store, and hands it over to the searches when it says the same. */
@Injectable()
export class RebuildService implements BeforeApplicationShutdown {
  private stopping = false;
  private readonly running = new Map<string, Running>();

  constructor(
    private readonly states: EntityStateReader,
    private readonly heads: HeadRepository,
    private readonly past: StorePast,
    private readonly indexer: SearchIndexer,
    private readonly verifier: VerifyService,
    private readonly barrier: IndexBarrier,
    private readonly index: SearchIndex,
    private readonly throttle: BackgroundThrottle,
  ) {}

  /** What is half built is gone on with by the next process. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /**
   * Answers how many entities were written; `busy` while another process builds, also when it has taken over from this
   * one, and `done` when there was nothing to do.
   * May be called again for the same build, also after it failed: it goes on where it was. Who calls while this process
   * is at it is told what was reported so far, and shares the rest.
   * @throws CatalogError SEARCH_UNAVAILABLE when the engine becomes unavailable, or this process stops
   */
  run(rebuild: IndexRebuild, report: Report = () => undefined): Promise<Result> {
    const running = this.running.get(rebuild.name) ?? this.begin(rebuild);
    for (const line of running.lines) report(line);
    running.reports.push(report);
    return running.result;
  }

  /**
   * Does `work`. If the index turns out to need a rebuild, and `repair` allows it, rebuilds it and does `work` again.
   * @throws CatalogError SEARCH_UNAVAILABLE when the index cannot be used, or another process builds it
   */
  async rebuilding<T>(repair: boolean, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!repair || !(error instanceof CatalogError) || error.code !== 'SEARCH_UNAVAILABLE') throw error;
      const rebuild = await this.index.unfinishedRebuild();
      if (!rebuild || (await this.run(rebuild)) === 'busy') throw error;
      return work();
    }
  }

  private begin(rebuild: IndexRebuild): Running {
    const lines: string[] = [];
    const reports: Report[] = [];
    const result = this.claimed(rebuild, (line) => {
      lines.push(line);
      for (const report of [...reports]) report(line);
    }).finally(() => this.running.delete(rebuild.name));
    const running = { lines, reports, result };
    this.running.set(rebuild.name, running);
    return running;
  }

  private async claimed(rebuild: IndexRebuild, report: Report): Promise<Result> {
    const claimed = await rebuild.claim();
    if (typeof claimed === 'string') return claimed;
    // When it cannot be said, or has been taken over, the next save finds out.
    const signs = setInterval(() => void rebuild.keep().catch(() => undefined), SIGN_OF_LIFE_MS);
    try {
      const build = () => this.build(rebuild, claimed, report);
      // Every search waits for the only index there is.
      return await (rebuild.beside ? build() : this.throttle.awaiting(build));
    } catch (error) {
      if (error instanceof BuildTakenOver) return 'busy';
      throw error;
    } finally {
      clearInterval(signs);
    }
  }

  private async build(
    rebuild: IndexRebuild,
    { position, full }: { position: number; full: boolean },
    report: Report,
  ): Promise<number> {
    if (full) {
      await rebuild.finished();
      return 0;
    }
    const heads = await this.heads.total();
    const lastChange = (await this.past.newest())?.change ?? 0;
    report(`from the store as of change ${lastChange} of the log, ${heads} entities`);
    const count = await this.copy(rebuild, position, heads, report);
    // The only index there is gets the rest through the log, like everything that is written later.
    if (rebuild.beside) await this.catchUp(rebuild, lastChange, report);
    await rebuild.finished();
    return count;
  }

  private async copy(
    rebuild: IndexRebuild,
    position: number,
    heads: number,
    report: Report,
  ): Promise<number> {
    let count = 0;
    for (let after = position; ;) {
      const page = await this.states.walk(after, PAGE);
      const last = page.at(-1);
      if (!last) return count;
      this.goOn();
      await this.indexer.indexAll(
        page.map(({ urn }) => urn),
        rebuild,
      );
      after = Number(last.id);
      await rebuild.save(after);
      count += page.length;
      const part = Math.min(100, Math.floor((count * 100) / Math.max(1, heads)));
      report(position === 0 ? `${count} of ${heads} entities, ${part} %` : `${count} more entities`);
    }
  }

  /** Searches may use what was built when it has everything up to the watermark, and its sums are those of the store. */
  private async catchUp(rebuild: IndexRebuild, watermark: number, report: Report): Promise<void> {
    await this.barrier.reached(CATCH_UP_MS);
    report(`the log is followed beyond change ${watermark}`);
    for (let round = 1; round <= MAX_ROUNDS; round++) {
      this.goOn();
      await rebuild.save(Number.MAX_SAFE_INTEGER);
      const { aligned, repaired } = await this.verifier.align(rebuild);
      if (aligned) {
        report('the sums of store and index agree');
        return;
      }
      report(`${repaired} entities differed and were written again`);
    }
    throw refuse('SEARCH_UNAVAILABLE', 'what was built does not become equal to the store');
  }

  private goOn(): void {
    if (this.stopping)
      throw refuse('SEARCH_UNAVAILABLE', 'this process is stopping; another process continues');
  }
}
