import { setTimeout as sleep } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { CatalogError } from '../../../catalog/errors/index.js';
import { SearchIndex, SearchSchema, type IndexRebuild } from '../../../catalog/search/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../../catalog/settings.js';
import { IndexCatchUp } from './index-catch-up.service.js';
import { IndexPast } from './index-past.service.js';
import { RebuildService } from './rebuild.service.js';

/** Pauses between two looks at an engine that is unavailable, or at the work of another process. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** How often to look whether a process has died while it was building, or what was built has been removed. */
const WATCH_MS = 3_000;

/**
 * Makes the index ready when the service starts. An empty or lost index is filled before the first request. An index
 * that is older than the database gets what it lacks. An index of another model is used until a new one is built
 * beside it. If the engine is unavailable, the service starts without it, and the preparation waits for it.
 *
 * Afterwards it watches: it finishes a build that another process left, and fills an index that was removed.
 */
@Injectable()
export class IndexPreparation implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IndexPreparation.name);
  private readonly stopping = new AbortController();
  private left = false;
  private background: Promise<void> = Promise.resolve();

  constructor(
    private readonly index: SearchIndex,
    private readonly schema: SearchSchema,
    private readonly rebuilder: RebuildService,
    private readonly past: IndexPast,
    private readonly catchUp: IndexCatchUp,
    @Inject(CATALOG_SETTINGS) private readonly settings: CatalogSettings,
  ) {}

  async onModuleInit(): Promise<void> {
    try {
      const rebuild = await this.prepared();
      if (!rebuild) return;
      // Beside the index in use there is time until the log is followed.
      if (rebuild.beside) this.left = true;
      else if (this.settings.role !== 'api') this.left = !this.done(await this.rebuilder.run(rebuild));
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.logger.warn(`the service starts without search: ${error.message}`);
      this.left = true;
    }
  }

  onApplicationBootstrap(): void {
    this.background = this.work();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.background;
  }

  private async work(): Promise<void> {
    if (this.left) await this.finish();
    if (this.settings.role !== 'api') await this.watch();
  }

  /** Until the process stops. */
  private async watch(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await sleep(WATCH_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.past.compare();
        const rebuild = await this.index.unfinishedRebuild();
        if (rebuild) this.done(await this.rebuilder.run(rebuild, (line) => this.say(line)));
        else if (!(await this.catchUp.run())) await this.catchUp.compareAll();
      } catch (error) {
        this.complain(error);
      }
    }
  }

  /** Goes on until the index is ready, or the process stops. */
  private async finish(): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const rebuild = await this.prepared();
        if (!rebuild || (!rebuild.beside && this.settings.role === 'api')) return;
        if (this.done(await this.rebuilder.run(rebuild, (line) => this.say(line)))) return;
      } catch (error) {
        this.complain(error);
      }
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  private async prepared(): Promise<IndexRebuild | undefined> {
    const rebuild = await this.index.ensureSchema(this.schema);
    await this.past.compare();
    const unfinished = (await this.index.unfinishedRebuild()) ?? rebuild;
    // What the log does not tell is compared while the service is in use.
    if (!unfinished && this.settings.role !== 'api') await this.catchUp.run();
    return unfinished;
  }

  private done(result: number | 'busy' | 'done'): boolean {
    if (typeof result === 'number' && result > 0) this.logger.log(`search index rebuilt: ${result} entities`);
    return result !== 'busy';
  }

  private say(line: string): void {
    this.logger.log(`search index: ${line}`);
  }

  private complain(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    if (!isEngineUnavailable(error)) this.logger.error(`the search index is not ready: ${reason}`);
  }
}

/** The engine, or the database: both say so themselves. */
function isEngineUnavailable(error: unknown): boolean {
  return error instanceof CatalogError && error.kind === 'unavailable';
}

function isUnavailable(error: unknown): error is CatalogError {
  return error instanceof CatalogError && error.code === 'SEARCH_UNAVAILABLE';
}
