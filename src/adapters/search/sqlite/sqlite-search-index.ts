import { renameSync, rmSync } from 'node:fs';
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
import type { Checkpoints } from '../../../catalog/store/index.js';
import { completions } from './autocomplete.js';
import { browseLevel } from './browse.js';
import { CommonWords } from './common-words.js';
import type { DocSet } from './doc-set.js';
import { DocumentWriter } from './document-writer.js';
import { facetsOf } from './facets.js';
import { IndexFile } from './index-file.js';
import { byScore, bySort } from './ordering.js';
import { QueryEvaluator } from './query-evaluator.js';
import { rankingOf } from './ranking.js';
import { TermReader } from './term-reader.js';

/** The file of an index, and what writes to it. */
interface Opened {
  schema: SearchSchema;
  file: IndexFile;
  common: CommonWords;
  writer: DocumentWriter;
}

/**
 * The search index in one SQLite file: FTS5 for words, sets of document numbers for everything else.
 * Calls run to their end without yielding, so batches of writes should stay small.
 */
export class SqliteSearchIndex extends SearchIndex {
  // Few enough that requests are answered in between.
  readonly batch = 100;
  readonly blocks = true;
  private file: IndexFile;
  private current: Opened | undefined;
  /** Built beside the current one, and written to as well. */
  private next: Opened | undefined;

  /**
   * @param path of its file, or `:memory:` for an index that dies with the process
   * @param checkpoints who may make the checkpoints elsewhere
   */
  constructor(
    private readonly path: string,
    private readonly checkpoints?: Checkpoints,
  ) {
    super();
    this.file = new IndexFile(path, checkpoints);
  }

  /** A file is always at hand. */
  async ready(): Promise<void> {}

  async check(): Promise<void> {
    this.file.row('SELECT 1 FROM meta LIMIT 1');
  }

  async ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined> {
    const { complete } = this.file.prepare(schema.fingerprint());
    const current = (this.current = openedOf(schema, this.file));
    if (complete) return undefined;
    return rebuildOf(current, false, async () => current.file.markComplete());
  }

  async startRebuild(): Promise<IndexRebuild> {
    const { schema } = this.opened;
    if (!this.next) {
      removeFiles(this.nextPath);
      const file = new IndexFile(this.nextPath, this.checkpoints);
      file.prepare(schema.fingerprint());
      this.next = openedOf(schema, file);
    }
    return rebuildOf(this.next, true, async () => this.useNext());
  }

  /** What a process of this index leaves half built ends with it. */
  async unfinishedRebuild(): Promise<undefined> {
    return undefined;
  }

  async upsert(documents: readonly SearchDocument[]): Promise<WriteResult> {
    this.next?.writer.upsert(documents);
    return this.opened.writer.upsert(documents);
  }

  async remove(removals: readonly IndexedVersion[]): Promise<WriteResult> {
    this.next?.writer.remove(removals);
    return this.opened.writer.remove(removals);
  }

  /** What is written here is found at once. */
  async settle(): Promise<void> {}

  async search(request: SearchRequest): Promise<SearchResult> {
    return this.read((terms) => {
      const { hits, page } = this.page(terms, request);
      return this.result(terms, hits, page, request);
    });
  }

  async scroll(request: ScrollRequest): Promise<ScrollResult> {
    const sort = effectiveSort(request.sort);
    const after = request.after === undefined ? undefined : decodeCursor(request.after, sort);
    return this.read((terms) => {
      const hits = new QueryEvaluator(terms).hits(request);
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
    const { schema, writer } = this.opened;
    const names = schema.named(request.entities);
    return this.read((terms) => completions(this.file, terms, request, names, writer.completed));
  }

  async browse(request: BrowseRequest): Promise<BrowseResult> {
    return this.read((terms) =>
      browseLevel(this.file, terms, new QueryEvaluator(terms).hits(request), request),
    );
  }

  async digest(buckets: number): Promise<IndexDigest> {
    return digestOf(this.opened.file, buckets);
  }

  versions(buckets: number, wanted: ReadonlySet<number>): AsyncIterable<IndexedVersion> {
    return versionsIn(this.opened.file, buckets, wanted);
  }

  async forget(urns: readonly string[]): Promise<void> {
    forgetIn(this.opened, urns);
    if (this.next) forgetIn(this.next, urns);
  }

  async close(): Promise<void> {
    this.file.close();
    if (!this.next) return;
    this.next.file.close();
    removeFiles(this.nextPath);
  }

  private get nextPath(): string {
    return this.path === ':memory:' ? this.path : `${this.path}.next`;
  }

  /** Between two calls, so no search sees a part of it. */
  private useNext(): void {
    const { next } = this;
    if (!next) throw new Error('nothing is built beside the index');
    next.file.markComplete();
    this.file.close();
    if (this.path === ':memory:') this.file = next.file;
    else {
      next.file.close();
      removeFiles(this.path);
      renameSync(this.nextPath, this.path);
      this.file = new IndexFile(this.path, this.checkpoints);
    }
    this.current = openedOf(next.schema, this.file);
    this.next = undefined;
  }

  private get opened() {
    if (!this.current) throw new Error('ensureSchema comes before any other use of the index');
    return this.current;
  }

  /** One state of the index throughout. */
  private read<T>(work: (terms: TermReader) => T): T {
    const { file, common } = this.opened;
    return file.read(() => work(new TermReader(file, common)));
  }

  private page(terms: TermReader, request: SearchRequest): { hits: DocSet; page: number[] } {
    const { start, count, query, entities } = request;
    const upTo = count <= 0 ? 0 : start + count;
    const evaluator = new QueryEvaluator(terms);
    const sort = effectiveSort(request.sort);
    const texts = textNodes(query);
    if (upTo === 0 || sort.length > 0 || texts.length === 0) {
      const hits = evaluator.hits(request);
      return { hits, page: bySort(this.file, terms, hits, sort, upTo).slice(start) };
    }
    const hits = evaluator.hits(request);
    const names = this.opened.schema.named(entities);
    const { docs, scores } = rankingOf(this.file, terms, hits, texts, names, upTo);
    return { hits, page: byScore(this.file, docs, scores, upTo).slice(start) };
  }

  private result(
    terms: TermReader,
    hits: DocSet,
    page: readonly number[],
    request: Omit<SearchRequest, 'start'>,
  ): SearchResult {
    const queried = request.matchedFields ? this.opened.schema.queried(request.entities) : [];
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

function openedOf(schema: SearchSchema, file: IndexFile): Opened {
  const common = new CommonWords(file);
  return { schema, file, common, writer: new DocumentWriter(file, schema, common) };
}

/** With one process there is nobody to share the work with; it begins anew with every process. */
function rebuildOf(opened: Opened, beside: boolean, finished: () => Promise<void>): IndexRebuild {
  return {
    beside,
    finished,
    claim: async () => ({ position: 0, full: false }),
    save: async () => undefined,
    keep: async () => undefined,
    upsert: async (documents) => opened.writer.upsert(documents),
    remove: async (removals) => opened.writer.remove(removals),
    settle: async () => undefined,
    forget: async (urns) => forgetIn(opened, urns),
    digest: (buckets) => digestOf(opened.file, buckets),
    versions: (buckets, wanted) => versionsIn(opened.file, buckets, wanted),
  };
}

async function digestOf(file: IndexFile, buckets: number): Promise<IndexDigest> {
  const digest = new IndexDigest(buckets);
  for await (const version of allVersions(file)) digest.add(version);
  return digest;
}

async function* versionsIn(file: IndexFile, buckets: number, wanted: ReadonlySet<number>) {
  for await (const version of allVersions(file))
    if (wanted.has(bucketOf(version.urn, buckets))) yield version;
}

/** Every version, a few thousand at a time. */
async function* allVersions(file: IndexFile): AsyncGenerator<IndexedVersion> {
  for (let after = 0; ;) {
    const sql = 'SELECT id, urn, sequence FROM doc WHERE id > ? AND body IS NOT NULL ORDER BY id LIMIT 2000';
    const rows = file.all<[number, string, number]>(sql, after);
    const last = rows.at(-1);
    if (!last) return;
    for (const [, urn, sequence] of rows) yield { urn, sequence };
    after = last[0];
    await setImmediate();
  }
}

function forgetIn({ file, writer }: Opened, urns: readonly string[]): void {
  const known = urns.flatMap((urn) => {
    const row = file.row<[number]>('SELECT sequence FROM doc WHERE urn = ?', urn);
    return row ? [{ urn, sequence: row[0] }] : [];
  });
  writer.remove(known);
  // No trace of a tombstone in the sets of documents is left, so its number may be given again.
  file.write(() => {
    for (const { urn } of known) file.run('DELETE FROM doc WHERE urn = ? AND body IS NULL', urn);
  });
}

function removeFiles(path: string): void {
  if (path === ':memory:') return;
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
}

function picked(
  fields: Record<string, FieldValue[]>,
  names: readonly string[],
): Record<string, FieldValue[]> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
