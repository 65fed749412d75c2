import { CatalogError } from '../../../catalog/errors/index.js';
import {
  decodeCursor,
  effectiveSort,
  encodeCursor,
  matchedFields,
  placeOf,
  SearchIndex,
  textNodes,
  unlimited,
  type AutocompleteRequest,
  type BrowseRequest,
  type BrowseResult,
  type FieldValue,
  type IndexDigest,
  type IndexedVersion,
  type IndexRebuild,
  type IndexSource,
  type ScrollRequest,
  type ScrollResult,
  type SearchBudget,
  type SearchDocument,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
  type SearchSchema,
  type Suggestion,
  type TakenUp,
  type WriteResult,
} from '../../../catalog/search/index.js';
import type { Checkpoints } from '../../../catalog/store/index.js';
import { completions } from './autocomplete.js';
import { browseLevel } from './browse.js';
import { DamagedContent } from './damage.js';
import type { DocSet } from './doc-set.js';
import { facetsOf } from './facets.js';
import { digestOf, forgetIn, versionsIn } from './index-content.js';
import type { IndexConnection } from './index-connection.js';
import { IndexFiles } from './index-files.js';
import type { Opened } from './opened.js';
import { byScore, bySort } from './ordering.js';
import { QueryEvaluator } from './query-evaluator.js';
import { rankingOf } from './ranking.js';
import { inTurns, type Steps } from './steps.js';
import { BODIES, TermReader } from './term-reader.js';

/** What one search reads, all of it of one state of the index. */
interface Reading {
  connection: IndexConnection;
  terms: TermReader;
  schema: SearchSchema;
  completed: ReadonlySet<string>;
}

/**
 * The search index in one SQLite file: FTS5 for words, sets of document numbers for everything else.
 * Writes run to their end without yielding, so batches should stay small; searches take turns, see `steps.ts`.
 */
export class SqliteSearchIndex extends SearchIndex {
  // Few enough that requests are answered in between.
  readonly batch = 100;
  readonly blocks = true;
  private readonly files: IndexFiles;
  /** The newest change that was taken up. */
  private newest = 0;

  /**
   * @param path of its file, or `:memory:` for an index that dies with the process
   * @param checkpoints who may make the checkpoints elsewhere
   */
  constructor(path: string, checkpoints?: Checkpoints) {
    super();
    this.files = new IndexFiles(path, checkpoints);
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
    if (known || !adopt) this.files.startOver('is of another state of the database');
    this.newest = 0;
    this.files.follow(JSON.stringify({ database, epoch }));
  }

  async takeUp(taken: TakenUp): Promise<void> {
    if (taken.change <= this.newest) return;
    this.everywhere(({ file }) => file.setFact('taken', JSON.stringify(taken)));
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

  /** What is written here is found at once. */
  async settle(): Promise<void> {}

  async search(request: SearchRequest, budget?: SearchBudget): Promise<SearchResult> {
    return this.read(function* (on) {
      const { hits, page } = yield* pageOf(on, request);
      return yield* resultOf(on, hits, page, request);
    }, budget);
  }

  async scroll(request: ScrollRequest, budget?: SearchBudget): Promise<ScrollResult> {
    const sort = effectiveSort(request.sort);
    const after = request.after === undefined ? undefined : decodeCursor(request.after, sort);
    return this.read(function* (on): Steps<ScrollResult> {
      const { connection, terms } = on;
      const hits = yield* new QueryEvaluator(terms).hits(request);
      // One more than asked for tells whether there is a next page.
      const found = yield* bySort(connection, terms, hits, sort, request.count + 1, after);
      const page = found.slice(0, request.count);
      const result = yield* resultOf(on, hits, page, request);
      const [last] = terms.bodies(page.slice(-1));
      return found.length > page.length && last
        ? { ...result, next: encodeCursor(placeOf(last, sort), sort) }
        : result;
    }, budget);
  }

  async autocomplete(request: AutocompleteRequest, budget?: SearchBudget): Promise<Suggestion[]> {
    return this.read(({ connection, terms, schema, completed }) => {
      return completions(connection, terms, request, schema.named(request.entities), completed);
    }, budget);
  }

  async browse(request: BrowseRequest, budget?: SearchBudget): Promise<BrowseResult> {
    return this.read(function* ({ connection, terms }) {
      const hits = yield* new QueryEvaluator(terms).hits(request);
      return yield* browseLevel(connection, terms, hits, request);
    }, budget);
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

  /** One state of the index throughout. */
  private async read<T>(work: (on: Reading) => Steps<T>, budget = unlimited()): Promise<T> {
    this.files.refuseUnfilled();
    const opened = this.files.current;
    const { file, common, columns, schema, writer } = opened;
    const begin = (connection: IndexConnection) => {
      const terms = new TermReader(connection, common, columns.at(connection, file.hasLent));
      return work({ connection, terms, schema, completed: writer.completed });
    };
    try {
      return await inTurns(file, begin, budget);
    } catch (error) {
      if (error instanceof CatalogError) throw error;
      return this.files.use(opened, () => {
        throw error;
      });
    }
  }
}

function* pageOf(
  { connection, terms, schema }: Reading,
  request: SearchRequest,
): Steps<{ hits: DocSet; page: number[] }> {
  const { start, count, query, entities } = request;
  const upTo = count <= 0 ? 0 : start + count;
  const sort = effectiveSort(request.sort);
  const texts = textNodes(query);
  const hits = yield* new QueryEvaluator(terms).hits(request);
  if (upTo === 0 || sort.length > 0 || texts.length === 0) {
    return { hits, page: (yield* bySort(connection, terms, hits, sort, upTo)).slice(start) };
  }
  const { docs, scores } = yield* rankingOf(connection, terms, hits, texts, schema.named(entities), upTo);
  return { hits, page: (yield* byScore(terms, docs, scores, upTo)).slice(start) };
}

function* resultOf(
  { terms, schema }: Reading,
  hits: DocSet,
  page: readonly number[],
  request: Omit<SearchRequest, 'start'>,
): Steps<SearchResult> {
  const queried = request.matchedFields ? schema.queried(request.entities) : [];
  const found: SearchHit[] = [];
  for (const { urn, entity, fields } of terms.bodies(page)) {
    if (found.length % BODIES === 0) yield;
    found.push({
      urn,
      entity,
      matchedFields: request.matchedFields ? matchedFields({ fields }, request.query, queried) : [],
      ...(request.fetch && { fields: picked(fields, request.fetch) }),
    });
  }
  if (found.length < page.length) throw new DamagedContent('documents that were found are not there');
  return {
    total: hits.size,
    hits: found,
    facets: yield* facetsOf(terms, hits, request.facets, request.maxFacetValues),
  };
}

function picked(
  fields: Record<string, FieldValue[]>,
  names: readonly string[],
): Record<string, FieldValue[]> {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
