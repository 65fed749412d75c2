import type { IndexedVersion, IndexDigest } from './index-digest.js';
import type { SearchBudget } from './search-budget.js';
import type { SearchDocument } from './search-document.js';
import type {
  AutocompleteRequest,
  BrowseRequest,
  BrowseResult,
  ScrollRequest,
  ScrollResult,
  SearchRequest,
  SearchResult,
  Suggestion,
} from './search-request.js';
import type { SearchSchema } from './search-schema.js';

/** What became of the documents of one write. */
export interface WriteResult {
  written: number;
  /** Left alone because the index holds a later version. */
  outdated: number;
}

/** When searches find what is written: as soon as the promise resolves, or when {@link SearchIndex.settle} was called. */
export type Visible = 'now' | 'later';

/** The database that an index is made from, and the epoch of it: that goes up when the database loses a part of its past. */
export interface IndexSource {
  database: string;
  epoch: number;
}

/** A change of the log that is in an index, or may be. */
export interface TakenUp {
  change: number;
  /** Tells the change from another one that gets the same number after the past was lost. */
  mark: string;
}

/** What an index holds, to be compared with the store. */
export interface IndexContent {
  /** What it holds, tombstones left out, as sums to compare with the store; see {@link IndexDigest}. */
  digest(buckets: number): Promise<IndexDigest>;
  /** The versions that it holds in some of so many buckets, tombstones left out, in any order. */
  versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion>;
}

/**
 * An index that everything has yet to be written to: the only one there is, or one that is built beside it while that is
 * searched. From `claim` on, whatever any process writes to the index reaches what is built as well.
 */
export interface IndexRebuild extends IndexContent {
  /** Tells builds of one index apart: two of the same name fill the same. */
  readonly name: string;
  /** Whether searches use another index meanwhile. */
  readonly beside: boolean;
  /**
   * Takes the work on. One process does it at a time; another may take over when this one has not saved for a while.
   * Answers where the one before had come to (0: nowhere) and whether only `finished` is left to do; `busy` while another
   * is at work, `done` when there is nothing left to build.
   */
  claim(): Promise<{ position: number; full: boolean } | 'busy' | 'done'>;
  /** As the methods of {@link SearchIndex}, for what is built alone. */
  upsert(documents: readonly SearchDocument[], visible?: Visible): Promise<WriteResult>;
  remove(removals: readonly IndexedVersion[], visible?: Visible): Promise<WriteResult>;
  settle(): Promise<void>;
  forget(urns: readonly string[]): Promise<void>;
  /** Records how far the work is, for the process that may have to continue. @throws BuildTakenOver */
  save(position: number): Promise<void>;
  /** Says that this process is still at work, to be called while nothing can be saved. @throws BuildTakenOver */
  keep(): Promise<void>;
  /**
   * To be called when everything is written: from then on searches use it, and what was used before is dropped.
   * @throws BuildTakenOver
   */
  finished(): Promise<void>;
}

/** This process gave no sign of life for a while, and another one goes on with what it was building. */
export class BuildTakenOver extends Error {
  override readonly name = 'BuildTakenOver';

  constructor() {
    super('another process has taken over the building of the search index');
  }
}

/**
 * The port to a search engine. The index is a projection of the store: it may be lost, rebuilt and compared at any
 * time. Versions are those of the store, so writes may come late, twice and in any order.
 */
export abstract class SearchIndex implements IndexContent {
  /** How many documents a call of `upsert` should carry, at most. */
  abstract readonly batch: number;
  /**
   * Resolves when the engine can be asked; to be called before a search waits for anything else. Costs next to nothing.
   * @throws CatalogError SEARCH_UNAVAILABLE with the reason, as every other method does when the engine is unavailable
   */
  abstract ready(): Promise<void>;
  /** Asks the engine how it is. @throws CatalogError SEARCH_UNAVAILABLE */
  abstract check(): Promise<void>;
  /**
   * Makes the index ready for documents of that schema. Called before anything else. Answers a rebuild when the
   * index is not complete: new, lost, made for another schema, or filled by a process that did not get to the end.
   */
  abstract ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined>;
  /** Whether it holds no document. May be asked before everything else. */
  abstract isEmpty(): Promise<boolean>;
  /** What it is made from, and the newest change of that which it may hold; undefined when it does not say so. */
  abstract source(): Promise<(IndexSource & { taken: TakenUp | undefined }) | undefined>;
  /**
   * Says what it is made from. An index that is made from another database, or from an earlier epoch, is given up: searches
   * are refused until it is built anew, see {@link unfinishedRebuild}. An epoch that is over changes nothing.
   * @param adopt whether an index that does not say what it is made from may be kept
   */
  abstract follow(source: IndexSource, adopt: boolean): Promise<void>;
  /** To be called before documents are written that may hold changes up to this one. */
  abstract takeUp(taken: TakenUp): Promise<void>;
  /** Begins to build an index of the same schema beside the one in use; answers the one being built, if there is one. */
  abstract startRebuild(): Promise<IndexRebuild>;
  /**
   * What is being built for the schema of this process, by whatever process; was left half built; or has to be built
   * because what was there was removed.
   */
  abstract unfinishedRebuild(): Promise<IndexRebuild | undefined>;
  /**
   * Writes whole documents. One with a lower sequence than the index holds is ignored, also when what it holds is
   * a tombstone; an equal one replaces. Each URN once in a call.
   * @param visible default `now`
   */
  abstract upsert(documents: readonly SearchDocument[], visible?: Visible): Promise<WriteResult>;
  /** Takes documents out, leaving tombstones with the given sequences; the rule of `upsert` holds. */
  abstract remove(removals: readonly IndexedVersion[], visible?: Visible): Promise<WriteResult>;
  /** Resolves when searches find all that this process wrote before: to be called once for many writes. */
  abstract settle(): Promise<void>;
  /**
   * @param budget what the search may use, all there is when it is left out; likewise below
   * @throws CatalogError SEARCH_TOO_COSTLY when it is used up, REQUEST_ABANDONED when the client has gone
   */
  abstract search(request: SearchRequest, budget?: SearchBudget): Promise<SearchResult>;
  /** @throws CatalogError PARAMETER_INVALID when `after` is not of this walk. */
  abstract scroll(request: ScrollRequest, budget?: SearchBudget): Promise<ScrollResult>;
  /** Distinct texts, the best first: those that are the text, then begin with it, then have a word that does. */
  abstract autocomplete(request: AutocompleteRequest, budget?: SearchBudget): Promise<Suggestion[]>;
  abstract browse(request: BrowseRequest, budget?: SearchBudget): Promise<BrowseResult>;
  abstract digest(buckets: number): Promise<IndexDigest>;
  abstract versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion>;
  /**
   * Drops documents and tombstones, whatever their versions: for an index that knows more than the store. What was
   * dropped is as if it had never been written.
   */
  abstract forget(urns: readonly string[]): Promise<void>;
  abstract close(): Promise<void>;
}
