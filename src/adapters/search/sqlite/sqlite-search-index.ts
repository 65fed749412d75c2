import {
  SearchIndex,
  unlimited,
  type AutocompleteRequest,
  type BrowseRequest,
  type BrowseResult,
  type IndexDigest,
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
} from '../../../catalog/search/index.js';
import { digestOf, forgetIn, versionsIn } from './index-content.js';
import { IndexFiles, type IndexState } from './index-files.js';
import type { Opened } from './opened.js';
import { answerTo, type Answered, type Asked, type Question } from './questions.js';

/**
 * The search index in one SQLite file: FTS5 for words, sets of document numbers for everything else. Whatever is asked
 * of it holds the thread until it is done: a service has it in threads of its own, see `threads/`.
 */
export class SqliteSearchIndex extends SearchIndex {
  readonly batch = 100;
  private readonly files: IndexFiles;
  /** The newest change that was taken up. */
  private newest = 0;

  /**
   * @param path of its file, or `:memory:` for an index that dies with the process
   * @param complain takes what an operator has to know
   */
  constructor(path: string, complain: (line: string) => void = () => undefined) {
    super();
    this.files = new IndexFiles(path, complain);
  }

  /** What those who read the file from elsewhere have to know. */
  get state(): IndexState {
    return this.files.state;
  }

  /** See {@link IndexFiles.giveUp}. */
  giveUp(made: string, reason: string): void {
    this.files.giveUp(made, reason);
  }

  /** Goes on where a thread has ended: a file that it left incomplete is filled anew. */
  goOn(schema: SearchSchema): void {
    this.files.prepare(schema);
    this.files.refuseIncomplete('was left incomplete');
  }

  async ready(): Promise<void> {
    this.files.refuseUnfilled();
  }

  async check(): Promise<void> {
    this.files.refuseUnfilled();
    this.use(({ file }) => file.row('SELECT 1 FROM meta LIMIT 1'));
  }

  async ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined> {
    return this.files.prepare(schema);
  }

  async isEmpty(): Promise<boolean> {
    return this.files.isEmpty;
  }

  async source(): Promise<(IndexSource & { taken: TakenUp | undefined }) | undefined> {
    return this.use(({ file }) => {
      const [source, taken] = [file.fact('source'), file.fact('taken')];
      if (source === undefined) return undefined;
      return {
        ...(JSON.parse(source) as IndexSource),
        taken: taken === undefined ? undefined : (JSON.parse(taken) as TakenUp),
      };
    });
  }

  async follow({ database, epoch }: IndexSource, adopt: boolean): Promise<void> {
    const known = await this.source();
    if (known?.database === database && known.epoch >= epoch) return;
    if (known || !adopt) this.files.forsake('is of another state of the database');
    this.newest = 0;
    this.files.follow(JSON.stringify({ database, epoch }));
  }

  async takeUp(taken: TakenUp): Promise<void> {
    if (taken.change <= this.newest) return;
    this.files.takeUp(JSON.stringify(taken));
    this.newest = taken.change;
  }

  async startRebuild(): Promise<IndexRebuild> {
    return this.files.startBeside();
  }

  /** What a process of this index leaves half built ends with it, but for what had to be given up. */
  async unfinishedRebuild(): Promise<IndexRebuild | undefined> {
    return this.files.unfilled();
  }

  async upsert(documents: readonly SearchDocument[]): Promise<WriteResult> {
    return this.everywhere(({ writer }) => writer.upsert(documents));
  }

  async remove(removals: readonly IndexedVersion[]): Promise<WriteResult> {
    return this.everywhere(({ writer }) => writer.remove(removals));
  }

  /** What is written here is found at once; what was taken up is written down with it. */
  async settle(): Promise<void> {
    this.everywhere(({ file }) => file.writeNoted());
  }

  async search(request: SearchRequest, budget?: SearchBudget): Promise<SearchResult> {
    return this.answer('search', request, budget);
  }

  async scroll(request: ScrollRequest, budget?: SearchBudget): Promise<ScrollResult> {
    return this.answer('scroll', request, budget);
  }

  async autocomplete(request: AutocompleteRequest, budget?: SearchBudget): Promise<Suggestion[]> {
    return this.answer('autocomplete', request, budget);
  }

  async browse(request: BrowseRequest, budget?: SearchBudget): Promise<BrowseResult> {
    return this.answer('browse', request, budget);
  }

  async digest(buckets: number): Promise<IndexDigest> {
    return digestOf(this.files.use, this.files.current, buckets);
  }

  versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion> {
    return versionsIn(this.files.use, this.files.current, buckets, wanted);
  }

  async forget(urns: readonly string[]): Promise<void> {
    this.everywhere((opened) => forgetIn(opened, urns));
  }

  async close(): Promise<void> {
    this.files.close();
  }

  private use<T>(work: (opened: Opened) => T): T {
    return this.files.use(this.files.current, work);
  }

  /** Writes to what is built beside the index, too; what comes of it there is told by the build. */
  private everywhere<T>(work: (opened: Opened) => T): T {
    const { next } = this.files;
    if (next) {
      try {
        this.files.use(next, work);
      } catch (error) {
        // It was damaged and is given up: its build says so, and the index goes on without it.
        if (this.files.next === next) throw error;
      }
    }
    return this.use(work);
  }

  private answer<Q extends Question>(question: Q, request: Asked<Q>, budget = unlimited()): Answered<Q> {
    budget.check();
    this.files.refuseUnfilled();
    let began = budget.now();
    const checkPoint = (): void => {
      const now = budget.now();
      budget.spend(now - began);
      began = now;
    };
    const json = this.use((opened) => answerTo(opened, question, request, checkPoint));
    return JSON.parse(json) as Answered<Q>;
  }
}
