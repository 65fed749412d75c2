import {
  SearchIndex,
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
  type SearchScope,
  type Suggestion,
  type TakenUp,
  type Visible,
  type WriteResult,
} from '../../../catalog/search/index.js';
import { MAX_PATH } from './alias-lists.js';
import { browseLevel } from './browse.js';
import { BulkWriter, DocumentsRefused, type Write } from './bulk-writer.js';
import { Places } from './columns.js';
import { completions } from './completions.js';
import { unavailable, type ElasticClient } from './elastic-client.js';
import { IndexNames, indexBody, layoutOf } from './index-layout.js';
import { GenerationBuild, LEASE_MS, type BuildTarget } from './generation-build.js';
import {
  afterLook,
  besideOf,
  createIndex,
  StateStore,
  withBuild,
  withSource,
  type Build,
  type IndexState,
} from './index-state.js';
import { scrollPage, searchPage } from './pages.js';
import { checkAliases } from './alias-check.js';
import { Refresher } from './refresher.js';
import { digestOf, LENIENT, versionsOf } from './versions.js';
import { completedFields, documentWrites, removalWrites } from './writes.js';

/** How old may be what is known of the state that all processes share. */
const STATE_AGE_MS = 1000;
const NOT_REACHED = 'it has not been reached since this process started';
const INCOMPLETE = 'its index is being built';

/** The search index in Elasticsearch or OpenSearch: an index per entity type, each behind an alias. */
export class ElasticsearchSearchIndex extends SearchIndex {
  readonly batch = 500;
  private readonly names: IndexNames;
  private readonly state: StateStore;
  private readonly writer: BulkWriter;
  private readonly refresher: Refresher;
  private schema: SearchSchema | undefined;
  private completed: ReadonlySet<string> = new Set();
  private complete = false;
  private followed: IndexSource | undefined;
  /** The newest change that this process has taken up. */
  private newest = 0;

  /** @param prefix what the names of its indices begin with */
  constructor(
    private readonly client: ElasticClient,
    prefix: string,
    private readonly leaseMs = LEASE_MS,
  ) {
    super();
    this.names = new IndexNames(prefix);
    this.state = new StateStore(client, this.names);
    this.writer = new BulkWriter(client, (aliases) => this.createAliases(aliases));
    this.refresher = new Refresher(client);
  }

  async ready(): Promise<void> {
    await this.client.ready();
    if (!this.schema) throw unavailable(NOT_REACHED);
    const looking = this.lookAgain();
    if (this.complete) return void looking.catch(() => undefined);
    await looking;
    if (!this.complete) throw unavailable(INCOMPLETE);
  }

  async check(): Promise<void> {
    await this.client.ping();
    if (!this.schema) throw unavailable(NOT_REACHED);
    await this.look();
    if (!this.complete) throw unavailable(INCOMPLETE);
  }

  async ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined> {
    const layout = layoutOf(schema);
    await this.change((known, newest) => withBuild(known, layout, false, newest));
    this.schema = schema;
    this.completed = completedFields(schema);
    const state = await this.look();
    return state.build?.layout === layout ? this.buildOf(state) : undefined;
  }

  async isEmpty(): Promise<boolean> {
    const { hits } = await this.client.request<{ hits: { total: { value: number } } }>({
      method: 'POST',
      path: `/${this.names.everything}/_search`,
      query: LENIENT,
      body: { query: { exists: { field: 'entity' } }, size: 0, track_total_hits: 1 },
    });
    return hits.total.value === 0;
  }

  async source(): Promise<(IndexSource & { taken: TakenUp | undefined }) | undefined> {
    const source = (await this.state.read())?.source;
    return source && { ...source, taken: await this.state.taken(source) };
  }

  async follow(source: IndexSource, adopt: boolean): Promise<void> {
    const layout = layoutOf(this.opened);
    const state = await this.change((known, newest) =>
      withSource(withBuild(known, layout, false, newest), source, layout, adopt),
    );
    this.complete = state.live.complete;
    if (this.followed?.database !== source.database || this.followed.epoch !== source.epoch) this.newest = 0;
    this.followed = source;
  }

  async takeUp(taken: TakenUp): Promise<void> {
    if (!this.followed) throw unavailable(NOT_REACHED);
    if (taken.change <= this.newest) return;
    await this.state.takeUp(this.followed, taken);
    this.newest = Math.max(this.newest, taken.change);
  }

  async startRebuild(): Promise<IndexRebuild> {
    const layout = layoutOf(this.opened);
    return this.buildOf(await this.change((known, newest) => withBuild(known, layout, true, newest)));
  }

  async unfinishedRebuild(): Promise<IndexRebuild | undefined> {
    const layout = layoutOf(this.opened);
    const state = await this.look();
    return state.build?.layout === layout ? this.buildOf(state) : undefined;
  }

  private async change(change: (known: IndexState | undefined, newest: number) => IndexState) {
    const newest = (await this.state.read()) ? 0 : (await checkAliases(this.client, this.names)).newest;
    return this.state.change((known) => change(known, newest));
  }

  /**
   * Compares what should be there with what is. What was removed meanwhile has to be built again: until
   * that is done, searches are refused, not answered with what is left.
   */
  private async look(): Promise<IndexState> {
    const layout = layoutOf(this.opened);
    const before = await this.state.read();
    const there = await checkAliases(this.client, this.names);
    const state = await this.state.change((known) =>
      known && before
        ? afterLook(known, before, there)
        : (known ?? withBuild(undefined, layout, false, there.newest)),
    );
    this.complete = state.live.complete;
    return state;
  }

  /** The same, as far as the state tells it, where that is not known from a moment ago. */
  private async lookAgain(): Promise<void> {
    const state = (await this.state.read(STATE_AGE_MS)) ?? (await this.look());
    this.complete = state.live.complete;
  }

  private buildOf(state: IndexState): IndexRebuild {
    const { number } = state.build ?? state.live;
    const beside = besideOf(state) !== undefined;
    return new GenerationBuild(
      this.client,
      this.names,
      this.state,
      this.target,
      number,
      beside,
      2 * STATE_AGE_MS,
      this.leaseMs,
    );
  }

  async upsert(documents: readonly SearchDocument[], visible: Visible = 'now'): Promise<WriteResult> {
    return this.writeEverywhere(this.documentWrites(documents), visible);
  }

  async remove(removals: readonly IndexedVersion[], visible: Visible = 'now'): Promise<WriteResult> {
    return this.writeEverywhere(this.removalWrites(removals), visible);
  }

  settle(): Promise<void> {
    return this.refresher.settled();
  }

  async search(request: SearchRequest, budget?: SearchBudget): Promise<SearchResult> {
    return searchPage(this.searcher(request, budget), request, this.places(request), this.opened, budget);
  }

  async scroll(request: ScrollRequest, budget?: SearchBudget): Promise<ScrollResult> {
    return scrollPage(this.searcher(request, budget), request, this.places(request), this.opened, budget);
  }

  async autocomplete(request: AutocompleteRequest, budget?: SearchBudget): Promise<Suggestion[]> {
    return completions(this.searcher(request, budget), request, this.places(request), this.completed);
  }

  async browse(request: BrowseRequest, budget?: SearchBudget): Promise<BrowseResult> {
    return browseLevel(this.searcher(request, budget), request, this.places(request));
  }

  async digest(buckets: number): Promise<IndexDigest> {
    return this.target.digest(buckets, false);
  }

  versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion> {
    return this.target.versions(buckets, wanted, false);
  }

  async forget(urns: readonly string[]): Promise<void> {
    await this.target.forget(urns, false);
    if (await this.besideBuild()) await this.target.forget(urns, true);
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  private get opened(): SearchSchema {
    if (!this.schema) throw unavailable(NOT_REACHED);
    return this.schema;
  }

  private places({ entities }: SearchScope): Places {
    return new Places(this.opened, entities);
  }

  private searcher({ entities }: SearchScope, budget?: SearchBudget) {
    return <T>(body: object, kept = false): Promise<T> => this.ask(entities, body, budget, kept);
  }

  private async ask<T>(
    entities: readonly string[],
    body: object,
    budget?: SearchBudget,
    kept = false,
  ): Promise<T> {
    const query = kept ? { ...LENIENT, request_cache: true } : LENIENT;
    const aliases = entities.map((entity) => this.names.alias(entity));
    const list = aliases.join(',');
    const target = list.length > MAX_PATH ? this.names.everything : list;
    const send = () =>
      this.client.search<T & { _shards: { total: number }; timed_out?: boolean }>(
        { method: 'POST', path: `/${target}/_search`, query, body },
        budget,
      );
    const answer = await send();
    const { total } = answer._shards;
    // Each index has one shard, and one that is not there is left out in silence.
    if (total >= aliases.length) return answer;
    const state = await this.state.read(total === 0 ? 0 : STATE_AGE_MS);
    const noted = state?.live.aliases ?? [];
    if (state && total >= aliases.filter((alias) => noted.includes(alias)).length) return answer;
    await this.look();
    if (!this.complete) throw unavailable(INCOMPLETE);
    return send();
  }

  /** What one side of the index does: the one that is searched, or the one that is built beside it. */
  private readonly target: BuildTarget = {
    upsert: (documents, beside, visible) => this.writeTo(this.documentWrites(documents), beside, visible),
    remove: (removals, beside, visible) => this.writeTo(this.removalWrites(removals), beside, visible),
    settle: () => this.settle(),
    forget: async (urns, beside) => {
      if (urns.length === 0) return;
      const writes = [...this.removalWrites(urns.map((urn) => ({ urn, sequence: 0 })))];
      const items = beside ? writes.map((write) => this.inNext(write)) : writes;
      try {
        await this.writer.forget(items);
      } finally {
        await this.refresher.refresh(new Set(items.map(({ alias }) => alias)));
      }
    },
    digest: async (buckets, beside) => {
      await this.settle();
      return digestOf(this.client, this.side(beside), buckets);
    },
    versions: (buckets, wanted, beside) => this.inBuckets(buckets, wanted, beside),
  };

  private async *inBuckets(buckets: number, wanted: ReadonlySet<number>, beside: boolean) {
    await this.settle();
    yield* versionsOf(this.client, this.side(beside), buckets, wanted);
  }

  private side(beside: boolean): string {
    return beside ? this.names.everythingNext : this.names.everything;
  }

  private documentWrites(documents: readonly SearchDocument[]): Generator<Write> {
    return documentWrites(documents, this.opened, this.names);
  }

  private removalWrites(removals: readonly IndexedVersion[]): Generator<Write> {
    return removalWrites(removals, this.names);
  }

  private inNext(write: Write): Write {
    return { ...write, alias: this.names.next(write.alias) };
  }

  private async writeEverywhere(writes: Iterable<Write>, visible: Visible): Promise<WriteResult> {
    if (!(await this.besideBuild())) return this.writeTo(writes, false, visible);
    const made = [...writes];
    const [result] = await Promise.all([
      this.writeTo(made, false, visible),
      this.writeTo(made, true, visible),
    ]);
    return result;
  }

  private async writeTo(writes: Iterable<Write>, beside: boolean, visible: Visible): Promise<WriteResult> {
    const aliases = new Set<string>();
    const targets = function* (this: ElasticsearchSearchIndex): Generator<Write> {
      for (const write of writes) {
        const target = beside ? this.inNext(write) : write;
        aliases.add(target.alias);
        yield target;
      }
    };
    let result: WriteResult;
    try {
      result = await this.writer.write(targets.call(this));
    } catch (error) {
      // Also what was written before something else failed.
      this.refresher.written(aliases);
      // A caller that fails does not call settle: what was taken beside what was refused is found from now on.
      if (error instanceof DocumentsRefused) await this.settle().catch(() => undefined);
      throw error;
    }
    this.refresher.written(aliases);
    if (visible === 'now' && aliases.size > 0) await this.refresher.refresh(aliases);
    return result;
  }

  private async besideBuild(): Promise<Build | undefined> {
    const state = await this.state.read(STATE_AGE_MS);
    const build = state && besideOf(state);
    // A process of another model would write other documents.
    return build && build.layout === layoutOf(this.opened) ? build : undefined;
  }

  /** Makes the indices behind aliases, for the first documents of their entity types. Answers the aliases of a generation that is gone. */
  private async createAliases(aliases: readonly string[]): Promise<string[]> {
    // What was there before held documents that have to be written again, not only these.
    const looked = await this.look();
    const gone: string[] = [];
    // One after the other: the master of a cluster makes them so, and each has its time limit.
    for (const alias of aliases) {
      // Meanwhile another generation may take the place of this one.
      const state = (await this.state.read(STATE_AGE_MS)) ?? looked;
      const generation = this.names.liveOf(alias) === alias ? state.live : besideOf(state);
      if (generation) await this.createAlias(alias, generation.number);
      else gone.push(alias);
    }
    // Notes what is there now.
    if (aliases.some((alias) => this.names.liveOf(alias) === alias)) await this.look();
    return gone;
  }

  private async createAlias(alias: string, generation: number): Promise<void> {
    const live = this.names.liveOf(alias);
    const entity = this.opened.entities.find((name) => this.names.alias(name) === live);
    const fields = entity === undefined ? [] : this.opened.fields([entity]).values();
    await createIndex(this.client, this.names.index(live, generation), {
      ...indexBody(fields),
      aliases: { [alias]: {} },
    });
  }
}
