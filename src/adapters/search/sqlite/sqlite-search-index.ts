import { setImmediate } from 'node:timers/promises';
import {
  bucketOf,
  decodeCursor,
  effectiveSort,
  encodeCursor,
  IndexDigest,
  matchedFields,
  placeOf,
  SearchIndex,
  textNodes,
  type AutocompleteRequest,
  type BrowseRequest,
  type BrowseResult,
  type FieldValue,
  type IndexedVersion,
  type IndexRebuild,
  type ScrollRequest,
  type ScrollResult,
  type SearchDocument,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
  type SearchSchema,
  type Suggestion,
  type WriteResult,
} from '../../../catalog/search/index.js';
import { completions } from './autocomplete.js';
import { browseLevel } from './browse.js';
import type { DocSet } from './doc-set.js';
import { DocumentWriter } from './document-writer.js';
import { facetsOf } from './facets.js';
import { IndexFile } from './index-file.js';
import { bySort } from './ordering.js';
import { QueryEvaluator } from './query-evaluator.js';
import { byRank } from './ranking.js';
import { TermReader } from './term-reader.js';

/**
 * The search index in one SQLite file: FTS5 for words, sets of document numbers for everything else.
 * Calls run to their end without yielding, so batches of writes should stay small.
 */
export class SqliteSearchIndex extends SearchIndex {
  private readonly file: IndexFile;
  private current: { schema: SearchSchema; writer: DocumentWriter } | undefined;

  /** @param path of its file, or `:memory:` for an index that dies with the process */
  constructor(path: string) {
    super();
    this.file = new IndexFile(path);
  }

  async ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined> {
    const { complete } = this.file.prepare(schema.fingerprint());
    this.current = { schema, writer: new DocumentWriter(this.file, schema) };
    return complete ? undefined : { finished: async () => this.file.markComplete() };
  }

  async upsert(documents: readonly SearchDocument[]): Promise<WriteResult> {
    return this.ready.writer.upsert(documents);
  }

  async remove(removals: readonly IndexedVersion[]): Promise<WriteResult> {
    return this.ready.writer.remove(removals);
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    return this.file.read(() => {
      const terms = new TermReader(this.file);
      const { hits, page } = this.page(terms, request);
      return this.result(terms, hits, page, request);
    });
  }

  async scroll(request: ScrollRequest): Promise<ScrollResult> {
    const sort = effectiveSort(request.sort);
    const after = request.after === undefined ? undefined : decodeCursor(request.after, sort);
    return this.file.read(() => {
      const terms = new TermReader(this.file);
      const hits = new QueryEvaluator(this.file, terms).hits(request);
      // One more than asked for tells whether there is a next page.
      const found = bySort(this.file, terms, hits, sort, request.count + 1, after);
      const page = found.slice(0, request.count);
      const result = this.result(terms, hits, page, request);
      const [last] = terms.bodies(page.slice(-1));
      return found.length > page.length && last
        ? { ...result, next: encodeCursor(placeOf(last, sort), sort) }
        : result;
    });
  }

  async autocomplete(request: AutocompleteRequest): Promise<Suggestion[]> {
    const { schema, writer } = this.ready;
    const names = schema.named(request.entities);
    return this.file.read(() => completions(this.file, request, names, writer.completed));
  }

  async browse(request: BrowseRequest): Promise<BrowseResult> {
    return this.file.read(() => {
      const terms = new TermReader(this.file);
      return browseLevel(this.file, terms, new QueryEvaluator(this.file, terms).hits(request), request);
    });
  }

  async digest(buckets: number): Promise<IndexDigest> {
    const digest = new IndexDigest(buckets);
    for await (const version of this.all()) digest.add(version);
    return digest;
  }

  async *versions(buckets: number, wanted: ReadonlySet<number>): AsyncGenerator<IndexedVersion> {
    for await (const version of this.all()) if (wanted.has(bucketOf(version.urn, buckets))) yield version;
  }

  async forget(urns: readonly string[]): Promise<void> {
    const known = urns.flatMap((urn) => {
      const row = this.file.row<[number]>('SELECT sequence FROM doc WHERE urn = ?', urn);
      return row ? [{ urn, sequence: row[0] }] : [];
    });
    await this.remove(known);
    // No trace of a tombstone in the sets of documents is left, so its number may be given again.
    this.file.write(() => {
      for (const { urn } of known) this.file.run('DELETE FROM doc WHERE urn = ? AND body IS NULL', urn);
    });
  }

  /** Every version, a few thousand at a time. */
  private async *all(): AsyncGenerator<IndexedVersion> {
    for (let after = 0; ;) {
      const sql =
        'SELECT id, urn, sequence FROM doc WHERE id > ? AND body IS NOT NULL ORDER BY id LIMIT 2000';
      const rows = this.file.all<[number, string, number]>(sql, after);
      const last = rows.at(-1);
      if (!last) return;
      for (const [, urn, sequence] of rows) yield { urn, sequence };
      after = last[0];
      await setImmediate();
    }
  }

  async close(): Promise<void> {
    this.file.close();
  }

  private get ready() {
    if (!this.current) throw new Error('ensureSchema comes before any other use of the index');
    return this.current;
  }

  private page(terms: TermReader, request: SearchRequest): { hits: DocSet; page: number[] } {
    const { start, count, query, entities } = request;
    const upTo = count <= 0 ? 0 : start + count;
    const evaluator = new QueryEvaluator(this.file, terms);
    const sort = effectiveSort(request.sort);
    const texts = textNodes(query);
    if (upTo === 0 || sort.length > 0 || texts.length === 0) {
      const hits = evaluator.hits(request);
      return { hits, page: bySort(this.file, terms, hits, sort, upTo).slice(start) };
    }
    const hits = evaluator.hits(request);
    const names = this.ready.schema.named(entities);
    return { hits, page: byRank(this.file, terms, hits, texts, names, upTo).slice(start) };
  }

  private result(
    terms: TermReader,
    hits: DocSet,
    page: readonly number[],
    request: Omit<SearchRequest, 'start'>,
  ): SearchResult {
    const queried = request.matchedFields ? this.ready.schema.queried(request.entities) : [];
    const found = [...terms.bodies(page)].map(({ urn, entity, fields }): SearchHit => ({
      urn,
      entity,
      matchedFields: request.matchedFields ? matchedFields({ fields }, request.query, queried) : [],
      ...(request.fetch && { fields: picked(fields, request.fetch) }),
    }));
    return {
      total: hits.size,
      hits: found,
      facets: facetsOf(terms, hits, request.facets, request.maxFacetValues),
    };
  }
}

function picked(
  fields: Record<string, FieldValue[]>,
  names: readonly string[],
): Record<string, FieldValue[]> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
