import { SearchSchema, type IndexedVersion } from '../../../../catalog/search/index.js';
import type {
  DigestData,
  IndexRebuild,
  IndexSource,
  SchemaData,
  TakenUp,
  WriteResult,
} from '../../../../catalog/search/index.js';
import { unavailable } from '../damage.js';
import type { IndexState } from '../index-files.js';
import type { SqliteSearchIndex } from '../sqlite-search-index.js';
import { receivedDocuments, type SentDocuments } from './sent-documents.js';

/** A build as the other side knows it. */
export type BuildName = Pick<IndexRebuild, 'name' | 'beside'>;
/** The name of a build; undefined for the index itself. */
type Target = string | undefined;
type Wanted = { buckets: number; wanted: ReadonlySet<number> };

/** Versions in an answer. */
const PAGE = 5_000;

/** What the thread that writes can be called for: the port, with plain data. */
export class WriterCalls {
  private readonly builds = new Map<string, IndexRebuild>();
  private readonly walks = new Map<number, AsyncIterator<IndexedVersion>>();
  private begun = 0;

  constructor(private readonly index: SqliteSearchIndex) {}

  async ensureSchema(schema: SchemaData): Promise<BuildName | undefined> {
    return this.noted(await this.index.ensureSchema(SearchSchema.of(schema)));
  }

  /** What is known of the file after all that was called before. */
  async state(): Promise<IndexState> {
    return this.index.state;
  }

  /** Damage was found in the file. */
  async giveUp(made: string, reason: string): Promise<void> {
    this.index.giveUp(made, reason);
  }

  async check(): Promise<void> {
    await this.index.check();
  }

  async isEmpty(): Promise<boolean> {
    return this.index.isEmpty();
  }

  async source(): Promise<(IndexSource & { taken: TakenUp | undefined }) | undefined> {
    return this.index.source();
  }

  async follow(source: IndexSource, adopt: boolean): Promise<void> {
    await this.index.follow(source, adopt);
  }

  async takeUp(taken: TakenUp): Promise<void> {
    await this.index.takeUp(taken);
  }

  async startRebuild(): Promise<BuildName> {
    return this.noted(await this.index.startRebuild())!;
  }

  async unfinishedRebuild(): Promise<BuildName | undefined> {
    return this.noted(await this.index.unfinishedRebuild());
  }

  async finished(build: string): Promise<void> {
    await this.build(build).finished();
    this.builds.delete(build);
  }

  async upsert(target: Target, documents: SentDocuments): Promise<WriteResult> {
    return this.target(target).upsert(receivedDocuments(documents));
  }

  async remove(target: Target, removals: readonly IndexedVersion[]): Promise<WriteResult> {
    return this.target(target).remove(removals);
  }

  async settle(): Promise<void> {
    await this.index.settle();
  }

  async forget(target: Target, urns: readonly string[]): Promise<void> {
    await this.target(target).forget(urns);
  }

  async digest(target: Target, buckets: number): Promise<DigestData> {
    return (await this.target(target).digest(buckets)).data;
  }

  /** Begins a walk over versions, see {@link next}. */
  async walk(target: Target, { buckets, wanted }: Wanted): Promise<number> {
    this.begun += 1;
    this.walks.set(this.begun, this.target(target).versions(buckets, wanted)[Symbol.asyncIterator]());
    return this.begun;
  }

  /** Some more of them; none at the end. */
  async next(walk: number): Promise<IndexedVersion[]> {
    const versions = this.walks.get(walk);
    const page: IndexedVersion[] = [];
    while (versions && page.length < PAGE) {
      const step = await versions.next();
      if (step.done) break;
      page.push(step.value);
    }
    return page;
  }

  async leave(walk: number): Promise<void> {
    await this.walks.get(walk)?.return?.();
    this.walks.delete(walk);
  }

  async close(): Promise<void> {
    await this.index.close();
  }

  private noted(build: IndexRebuild | undefined): BuildName | undefined {
    if (!build) return undefined;
    const { name, beside } = build;
    this.builds.set(name, build);
    return { name, beside };
  }

  private target(target: Target): SqliteSearchIndex | IndexRebuild {
    return target === undefined ? this.index : this.build(target);
  }

  private build(name: string): IndexRebuild {
    const build = this.builds.get(name);
    if (!build) throw unavailable('that was being built is given up: the thread that built it has ended');
    return build;
  }
}
