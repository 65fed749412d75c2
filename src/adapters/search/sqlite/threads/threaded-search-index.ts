import { turn } from '../../../../catalog/schedule/index.js';
import {
  IndexDigest,
  SearchIndex,
  unlimited,
  type AutocompleteRequest,
  type BrowseRequest,
  type BrowseResult,
  type IndexedVersion,
  type IndexRebuild,
  type IndexSource,
  type ScrollRequest,
  type ScrollResult,
  type SearchBudget,
  type SearchDocument,
  type SearchRequest,
  type SearchResult,
  type SearchSchema,
  type Suggestion,
  type TakenUp,
  type WriteResult,
} from '../../../../catalog/search/index.js';
import { CatalogError } from '../../../../catalog/errors/index.js';
import { unavailable, unfilled } from '../damage.js';
import type { Answered, Asked, Question } from '../questions.js';
import { Lane, type LaneResult } from './lane.js';
import type { ReaderData } from './reader-thread.js';
import { sentDocuments } from './sent-documents.js';
import { errorOf } from './sent-error.js';
import { SuspectDocuments } from './suspect-documents.js';
import { Writer } from './writer.js';
import type { BuildName } from './writer-calls.js';

const SHORT_MS = 20;
/** The first searches of a thread may take so many times as long. */
const COLD = 5;
/** Searches that may wait for a thread of each lane. */
const MOST_WAITING = 1_000;
/** What the heaps of the threads may grow to, in MB: sets and pages of the file are not in them. */
const WRITER_HEAP_MB = 512;
const READER_HEAP_MB = 1_024;
/** One statement of the thread that writes may check a large log in, on a slow disk. */
const WRITER_HANGS_MS = 300_000;
/** Answers of so many characters are read in turns with other heavy work. */
const LONG_ANSWER = 100_000;
/** How often a search is begun anew because the file was replaced meanwhile. */
const MOST_REPLACED = 5;

export interface ThreadedOptions {
  path: string;
  /** Threads of the long lane. */
  longReaders: number;
  /** A search that takes longer than this begins again in the long lane. Default 20. */
  shortMs?: number;
  /** What the heap of the thread that writes may grow to, in MB. Default 512. */
  writerHeapMb?: number;
  /** After so long without a statement that thread is taken for hanging. Default five minutes. */
  writerHangsMs?: number;
  watch?: ThreadWatch;
}

/** Who wants to know what the threads do. */
export interface ThreadWatch {
  /** What an operator has to know. */
  complain(line: string): void;
  /** A search was answered in a lane: seconds that it waited, and seconds of work. */
  answered(lane: LaneName, waited: number, worked: number): void;
  /** A search was too long for the short lane. */
  moved(): void;
  /** A thread ended without being told to. */
  ended(thread: string): void;
}

export type LaneName = 'short' | 'long';

const UNWATCHED: ThreadWatch = {
  complain: () => undefined,
  answered: () => undefined,
  moved: () => undefined,
  ended: () => undefined,
};

/**
 * The search index in one SQLite file, out of the way of the thread that serves: one thread writes, others search, each
 * on a connection of its own. A search begins in the short lane; one that proves to take long is begun again in the
 * long lane, so that those that cost little do not wait for those that cost much.
 */
export class ThreadedSearchIndex extends SearchIndex {
  /** A page of the file that many documents change is written once in a transaction. */
  readonly batch = 1_000;
  private readonly writer: Writer;
  private readonly suspects = new SuspectDocuments();
  private readonly watch: ThreadWatch;
  private lanes: Record<LaneName, Lane> | undefined;
  private fingerprint: string | undefined;
  private closed = false;

  private constructor(private readonly options: ThreadedOptions) {
    super();
    this.watch = options.watch ?? UNWATCHED;
    this.writer = new Writer({
      path: options.path,
      heapMb: options.writerHeapMb ?? WRITER_HEAP_MB,
      hangsMs: options.writerHangsMs ?? WRITER_HANGS_MS,
      complain: (line) => this.watch.complain(line),
      ended: (name, reason) => this.threadEnded(name, reason),
    });
  }

  /** Opens the file. @throws what SQLite says when that cannot be done */
  static async open(options: ThreadedOptions): Promise<ThreadedSearchIndex> {
    const index = new ThreadedSearchIndex(options);
    try {
      await index.writer.call('state');
      return index;
    } catch (error) {
      await index.writer.stop();
      throw error;
    }
  }

  /** Searches that wait for a thread of the lane. */
  waiting(lane: LaneName): number {
    return this.lanes?.[lane].waiting ?? 0;
  }

  async ready(): Promise<void> {
    this.refuseUnfilled();
  }

  async check(): Promise<void> {
    this.writer.check();
    for (const lane of Object.values(this.lanes ?? {})) lane.check();
    await this.writer.call('check');
  }

  async ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined> {
    const build = await this.writer.call('ensureSchema', schema.data);
    this.writer.schema = schema.data;
    if (schema.fingerprint() !== this.fingerprint) {
      await this.stopLanes();
      this.fingerprint = schema.fingerprint();
      this.lanes = this.lanesFor(schema);
    }
    return this.rebuildOf(build);
  }

  isEmpty(): Promise<boolean> {
    return this.writer.call('isEmpty');
  }

  source(): Promise<(IndexSource & { taken: TakenUp | undefined }) | undefined> {
    return this.writer.call('source');
  }

  follow(source: IndexSource, adopt: boolean): Promise<void> {
    return this.writer.call('follow', source, adopt);
  }

  takeUp(taken: TakenUp): Promise<void> {
    return this.writer.call('takeUp', taken);
  }

  async startRebuild(): Promise<IndexRebuild> {
    return this.rebuildOf(await this.writer.call('startRebuild'))!;
  }

  async unfinishedRebuild(): Promise<IndexRebuild | undefined> {
    return this.rebuildOf(await this.writer.call('unfinishedRebuild'));
  }

  /** @throws CatalogError INTERNAL when all but what ends the thread each time is written */
  async upsert(documents: readonly SearchDocument[]): Promise<WriteResult> {
    const { aside, ...result } = await this.write(undefined, documents);
    if (aside.length > 0) throw new CatalogError('INTERNAL', asideOf(aside));
    return result;
  }

  private write(
    build: string | undefined,
    documents: readonly SearchDocument[],
  ): ReturnType<SuspectDocuments['write']> {
    return this.suspects.write(documents, (some) => this.writer.call('upsert', build, sentDocuments(some)));
  }

  /** Who builds goes on: what is left out is in the log. */
  private async writeBuild(build: string, documents: readonly SearchDocument[]): Promise<WriteResult> {
    const { aside, ...result } = await this.write(build, documents);
    if (aside.length > 0) this.watch.complain(asideOf(aside));
    return result;
  }

  remove(removals: readonly IndexedVersion[]): Promise<WriteResult> {
    return this.writer.call('remove', undefined, removals);
  }

  settle(): Promise<void> {
    return this.writer.call('settle');
  }

  search(request: SearchRequest, budget?: SearchBudget): Promise<SearchResult> {
    return this.ask('search', request, budget);
  }

  scroll(request: ScrollRequest, budget?: SearchBudget): Promise<ScrollResult> {
    return this.ask('scroll', request, budget);
  }

  autocomplete(request: AutocompleteRequest, budget?: SearchBudget): Promise<Suggestion[]> {
    return this.ask('autocomplete', request, budget);
  }

  browse(request: BrowseRequest, budget?: SearchBudget): Promise<BrowseResult> {
    return this.ask('browse', request, budget);
  }

  digest(buckets: number): Promise<IndexDigest> {
    return this.digestOf(undefined, buckets);
  }

  versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion> {
    return this.versionsOf(undefined, buckets, wanted);
  }

  forget(urns: readonly string[]): Promise<void> {
    return this.writer.call('forget', undefined, urns);
  }

  /** Ends a thread in the middle of whatever it does, as a fault would: for tests. */
  async kill(thread: LaneName | 'writer'): Promise<void> {
    await (thread === 'writer' ? this.writer : this.lanes?.[thread])?.kill();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    // The last one who closes the file clears its log away: that is for who may write.
    await this.stopLanes();
    await this.writer.call('close').catch(() => undefined);
    await this.writer.stop();
  }

  private async ask<Q extends Question>(
    question: Q,
    request: Asked<Q>,
    budget = unlimited(),
  ): Promise<Answered<Q>> {
    for (let replaced = 0; replaced < MOST_REPLACED; replaced += 1) {
      budget.check();
      this.refuseUnfilled();
      const { made } = this.writer.state;
      const { outcome, ms } = await this.answered(question, request, made, budget);
      budget.note(ms);
      switch (outcome.is) {
        case 'answer':
          if (outcome.json.length > LONG_ANSWER) await turn();
          return JSON.parse(outcome.json) as Answered<Q>;
        case 'error':
          throw errorOf(outcome.error);
        case 'ended':
          throw budget.ended();
        case 'late':
          throw budget.exceeded();
        case 'damage':
          await this.writer.call('giveUp', made, outcome.reason);
          throw unavailable('was damaged and is being built anew');
        case 'replaced':
          // The thread that replaced it says what is there now.
          await this.writer.call('state');
      }
    }
    throw unavailable('is being replaced');
  }

  private async answered<Q extends Question>(
    question: Q,
    request: Asked<Q>,
    made: string,
    budget: SearchBudget,
  ): Promise<LaneResult> {
    if (!this.lanes) throw new Error('ensureSchema comes before any other use of the index');
    const { short, long } = this.lanes;
    const shortMs = this.options.shortMs ?? SHORT_MS;
    const [limitMs, coldMs] = [shortMs, shortMs * COLD].map((ms) => Math.min(ms, budget.leftMs)) as [
      number,
      number,
    ];
    const first = await short.run({ question, request, made, limitMs, coldMs, budget });
    if (first.outcome.is !== 'late') return first;
    budget.spend(first.ms);
    this.watch.moved();
    const { leftMs } = budget;
    return long.run({ question, request, made, limitMs: leftMs, coldMs: leftMs, budget });
  }

  private refuseUnfilled(): void {
    const { refusal } = this.writer.state;
    if (refusal !== undefined) throw unfilled(refusal);
  }

  private lanesFor(schema: SearchSchema): Record<LaneName, Lane> {
    const { path, longReaders } = this.options;
    const lane = (name: LaneName, threads: number, depth: number) =>
      new Lane({
        name: `${name} searches`,
        threads,
        depth,
        mostWaiting: MOST_WAITING,
        thread: (thread, ends) => ({
          name: thread,
          program: 'reader-thread',
          data: (): ReaderData => ({ path, schema: schema.data, ends, nice: name === 'long' }),
          heapMb: READER_HEAP_MB,
        }),
        ended: (thread, reason) => this.threadEnded(thread, reason),
        note: (waited, worked) => this.watch.answered(name, waited, worked),
      });
    return { short: lane('short', 1, 2), long: lane('long', longReaders, 1) };
  }

  private async stopLanes(): Promise<void> {
    const lanes = Object.values(this.lanes ?? {});
    this.lanes = undefined;
    await Promise.all(lanes.map((lane) => lane.stop()));
  }

  private threadEnded(name: string, reason: string): void {
    this.watch.complain(
      `the thread "${name}" of the search index has ended (${reason}); it is started again`,
    );
    this.watch.ended(name);
  }

  private async digestOf(build: string | undefined, buckets: number): Promise<IndexDigest> {
    return IndexDigest.of(await this.writer.call('digest', build, buckets));
  }

  private async *versionsOf(
    build: string | undefined,
    buckets: number,
    wanted: ReadonlySet<number>,
  ): AsyncGenerator<IndexedVersion> {
    const walk = await this.writer.call('walk', build, { buckets, wanted });
    try {
      for (;;) {
        const page = await this.writer.call('next', walk);
        if (page.length === 0) return;
        yield* page;
      }
    } finally {
      await this.writer.call('leave', walk).catch(() => undefined);
    }
  }

  private rebuildOf(build: BuildName | undefined): IndexRebuild | undefined {
    if (!build) return undefined;
    const { name, beside } = build;
    const { writer } = this;
    return {
      name,
      beside,
      claim: async () => ({ position: 0, full: false }),
      save: async () => undefined,
      keep: async () => undefined,
      settle: async () => undefined,
      finished: () => writer.call('finished', name),
      upsert: (documents) => this.writeBuild(name, documents),
      remove: (removals) => writer.call('remove', name, removals),
      forget: (urns) => writer.call('forget', name, urns),
      digest: (buckets) => this.digestOf(name, buckets),
      versions: (buckets, wanted) => this.versionsOf(name, buckets, wanted),
    };
  }
}

function asideOf(documents: readonly SearchDocument[]): string {
  const urns = documents.map(({ urn }) => urn).join(', ');
  return `not in the search index until it changes: ${urns}: the thread that writes has ended with it each time`;
}
