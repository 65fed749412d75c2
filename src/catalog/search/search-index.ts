import type { IndexedVersion, IndexDigest } from './index-digest.js';
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

/** An index that everything has yet to be written to. */
export interface IndexRebuild {
  /** To be called when everything is written; until then every start answers a rebuild again. */
  finished(): Promise<void>;
}

/**
 * The port to a search engine. The index is a projection of the store: it may be lost, rebuilt and compared at any
 * time. Versions are those of the store, so writes may come late, twice and in any order.
 */
export abstract class SearchIndex {
  /**
   * Makes the index ready for documents of that schema. Called before anything else. Answers a rebuild when the
   * index is not complete: new, lost, made for another schema, or filled by a process that did not get to the end.
   */
  abstract ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined>;
  /**
   * Writes whole documents. One with a lower sequence than the index holds is ignored, also when what it holds is
   * a tombstone; an equal one replaces. Visible to searches when the promise resolves.
   */
  abstract upsert(documents: readonly SearchDocument[]): Promise<WriteResult>;
  /** Takes documents out, leaving tombstones with the given sequences; the rule of `upsert` holds. */
  abstract remove(removals: readonly IndexedVersion[]): Promise<WriteResult>;
  abstract search(request: SearchRequest): Promise<SearchResult>;
  /** @throws CatalogError PARAMETER_INVALID when `after` is not of this walk. */
  abstract scroll(request: ScrollRequest): Promise<ScrollResult>;
  /** Distinct texts, the best first: those that are the text, then begin with it, then have a word that does. */
  abstract autocomplete(request: AutocompleteRequest): Promise<Suggestion[]>;
  abstract browse(request: BrowseRequest): Promise<BrowseResult>;
  /** What the index holds, tombstones left out, as sums to compare with the store; see {@link IndexDigest}. */
  abstract digest(buckets: number): Promise<IndexDigest>;
  /** The versions that the index holds in some of so many buckets, tombstones left out, in any order. */
  abstract versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion>;
  /**
   * Drops documents and tombstones, whatever their versions: for an index that knows more than the store. What was
   * dropped is as if it had never been written.
   */
  abstract forget(urns: readonly string[]): Promise<void>;
  abstract close(): Promise<void>;
}
