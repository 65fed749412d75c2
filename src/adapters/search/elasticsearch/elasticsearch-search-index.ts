import {
  bucketOf,
  decodeCursor,
  effectiveSort,
  encodeCursor,
  IndexDigest,
  matchedFields,
  MAX_WINDOW,
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
  type SearchScope,
  type Suggestion,
  type WriteResult,
} from '../../../catalog/search/index.js';
import { browseLevel } from './browse.js';
import { BulkWriter, type Write } from './bulk-writer.js';
import { Places } from './columns.js';
import { completions } from './completions.js';
import { documentSource, idOf, tombstoneSource } from './document-source.js';
import { unavailable, type ElasticClient } from './elastic-client.js';
import { facetAggregations, facetResults, type Aggregation } from './facets.js';
import { IndexNames, indexBody, layoutOf } from './index-layout.js';
import { createIndex, StateStore } from './index-state.js';
import { scopeQuery } from './query.js';
import { rankedQuery } from './ranking.js';
import { Refresher } from './refresher.js';
import { searchAfter, sortClauses } from './sorting.js';

/** Longer lists of indices do not fit into the first line of a request. */
const MAX_PATH = 2000;
const PAGE = 10_000;
/** Where an index may be missing because nothing of its entity type was written yet. */
const LENIENT = { ignore_unavailable: true, allow_no_indices: true };

interface Source {
  urn: string;
  entity: string;
  body?: string;
}

interface SearchAnswer {
  hits: { total?: { value: number }; hits: Array<{ _source: Source; sort?: unknown[] }> };
  aggregations?: Record<string, Aggregation>;
}

type Fields = Record<string, FieldValue[]>;

/** The search index in Elasticsearch or OpenSearch: an index per entity type, each behind an alias. */
export class ElasticsearchSearchIndex extends SearchIndex {
  private readonly names: IndexNames;
  private readonly state: StateStore;
  private readonly writer: BulkWriter;
  private readonly refresher: Refresher;
  private schema: SearchSchema | undefined;

  /** @param prefix what the names of its indices begin with */
  constructor(
    private readonly client: ElasticClient,
    prefix: string,
  ) {
    super();
    this.names = new IndexNames(prefix);
    this.state = new StateStore(client, this.names);
    this.writer = new BulkWriter(client, (alias) => this.createAlias(alias));
    this.refresher = new Refresher(client);
  }

  async ensureSchema(schema: SearchSchema): Promise<IndexRebuild | undefined> {
    const layout = layoutOf(schema);
    const { live } = await this.state.change(
      (state) => state ?? { live: { number: 1, layout, complete: false } },
    );
    this.schema = schema;
    if (live.layout === layout && live.complete) return undefined;
    return { finished: async () => this.markComplete(layout) };
  }

  async upsert(documents: readonly SearchDocument[]): Promise<WriteResult> {
    const { schema } = this;
    if (!schema) throw unavailable('it has not been reached yet');
    return this.write(
      documents.map((document) => ({
        ...this.target(document.urn),
        version: document.sequence,
        source: JSON.stringify(documentSource(document, schema.fields([document.entity]))),
      })),
    );
  }

  async remove(removals: readonly IndexedVersion[]): Promise<WriteResult> {
    return this.write(
      removals.map(({ urn, sequence }) => ({
        ...this.target(urn),
        version: sequence,
        source: JSON.stringify(tombstoneSource(urn, sequence)),
      })),
    );
  }

  async search(request: SearchRequest): Promise<SearchResult> {
    const { start, count } = request;
    const size = Math.max(0, Math.min(count, MAX_WINDOW - start));
    const places = this.places(request);
    const keys = effectiveSort(request.sort);
    const ranked = size > 0 && keys.length === 0 && textNodes(request.query).length > 0;
    const answer = await this.ask<SearchAnswer>(request.entities, {
      ...this.shape(request, places),
      query: ranked
        ? rankedQuery(request, places, this.ready.named(request.entities))
        : scopeQuery(request, places),
      sort: ranked ? [{ _score: 'desc' }, { urn: 'asc' }] : sortClauses(keys, places),
      from: size === 0 ? 0 : start,
      size,
    });
    return this.result(
      answer,
      answer.hits.hits.map(({ _source }) => _source),
      request,
      places,
    );
  }

  async scroll(request: ScrollRequest): Promise<ScrollResult> {
    const keys = effectiveSort(request.sort);
    const places = this.places(request);
    const after = request.after === undefined ? undefined : decodeCursor(request.after, keys);
    const answer = await this.ask<SearchAnswer>(request.entities, {
      ...this.shape(request, places, keys.length > 0),
      query: scopeQuery(request, places),
      sort: sortClauses(keys, places),
      // One more than asked for tells whether there is a next page.
      size: Math.min(request.count + 1, MAX_WINDOW),
      ...(after && { search_after: searchAfter(after, keys, places) }),
    });
    const page = answer.hits.hits.slice(0, request.count).map(({ _source }) => _source);
    const result = this.result(answer, page, request, places);
    const last = page.at(-1);
    if (answer.hits.hits.length <= page.length || !last) return result;
    return { ...result, next: encodeCursor(placeOf({ urn: last.urn, fields: fieldsOf(last) }, keys), keys) };
  }

  async autocomplete(request: AutocompleteRequest): Promise<Suggestion[]> {
    const names = this.ready.named(request.entities);
    return completions((body) => this.ask(request.entities, body), request, this.places(request), names);
  }

  async browse(request: BrowseRequest): Promise<BrowseResult> {
    return browseLevel((body) => this.ask(request.entities, body), request, this.places(request));
  }

  async digest(buckets: number): Promise<IndexDigest> {
    const digest = new IndexDigest(buckets);
    for await (const version of this.all()) digest.add(version);
    return digest;
  }

  async *versions(buckets: number, wanted: ReadonlySet<number>): AsyncGenerator<IndexedVersion> {
    if (wanted.size === 0) return;
    for await (const version of this.all()) if (wanted.has(bucketOf(version.urn, buckets))) yield version;
  }

  async forget(urns: readonly string[]): Promise<void> {
    if (urns.length === 0) return;
    const targets = urns.map((urn) => this.target(urn));
    for (const { alias } of targets) await this.createAlias(alias);
    const lines = targets.map(
      ({ alias, id }) => `${JSON.stringify({ delete: { _index: alias, _id: id } })}\n`,
    );
    await this.client.request({ method: 'POST', path: '/_bulk', lines: lines.join('') });
    await this.refresher.refresh(targets.map(({ alias }) => alias));
  }

  async close(): Promise<void> {
    await this.client.close();
  }

  /** Every version, page by page, in the order of URNs. */
  private async *all(): AsyncGenerator<IndexedVersion> {
    let after: unknown[] | undefined;
    for (;;) {
      const { hits } = await this.client.request<{
        hits: { hits: Array<{ fields: { urn: [string]; seq: [number] }; sort: unknown[] }> };
      }>({
        method: 'POST',
        path: `/${this.names.everything}/_search`,
        query: LENIENT,
        body: {
          query: { exists: { field: 'entity' } },
          sort: [{ urn: { order: 'asc', unmapped_type: 'keyword' } }],
          size: PAGE,
          _source: false,
          docvalue_fields: ['urn', 'seq'],
          track_total_hits: false,
          ...(after && { search_after: after }),
        },
      });
      for (const { fields } of hits.hits) yield { urn: fields.urn[0], sequence: fields.seq[0] };
      after = hits.hits.at(-1)?.sort;
      if (hits.hits.length < PAGE) return;
    }
  }

  private get ready(): SearchSchema {
    if (!this.schema) throw unavailable('it has not been reached yet');
    return this.schema;
  }

  private places({ entities }: SearchScope): Places {
    return new Places(this.ready, entities);
  }

  private async ask<T>(entities: readonly string[], body: object): Promise<T> {
    const aliases = entities.map((entity) => this.names.alias(entity)).join(',');
    const target = aliases.length > MAX_PATH ? this.names.everything : aliases;
    return this.client.request<T>({ method: 'POST', path: `/${target}/_search`, query: LENIENT, body });
  }

  /** The parts of a search that do not depend on its order. */
  private shape(request: Omit<SearchRequest, 'start'>, places: Places, needsBody = false): object {
    const aggs = facetAggregations(request.facets, request.maxFacetValues, places);
    const body = needsBody || request.fetch || (request.matchedFields && request.query.op !== 'all');
    return {
      track_total_hits: true,
      _source: body ? ['urn', 'entity', 'body'] : ['urn', 'entity'],
      ...(aggs && { aggs }),
    };
  }

  private result(
    { hits, aggregations }: SearchAnswer,
    page: readonly Source[],
    request: Omit<SearchRequest, 'start'>,
    places: Places,
  ): SearchResult {
    const queried = request.matchedFields ? this.ready.queried(request.entities) : [];
    return {
      total: hits.total?.value ?? 0,
      hits: page.map((source): SearchHit => {
        const fields = fieldsOf(source);
        return {
          urn: source.urn,
          entity: source.entity,
          matchedFields: request.matchedFields ? matchedFields({ fields }, request.query, queried) : [],
          ...(request.fetch && { fields: picked(fields, request.fetch) }),
        };
      }),
      facets: facetResults(request.facets, request.maxFacetValues, aggregations, places),
    };
  }

  private target(urn: string): { alias: string; id: string } {
    return { alias: this.names.alias(entityOf(urn)), id: idOf(urn) };
  }

  private async write(writes: readonly Write[]): Promise<WriteResult> {
    if (writes.length === 0) return { written: 0, outdated: 0 };
    const result = await this.writer.write(writes);
    await this.refresher.refresh(writes.map(({ alias }) => alias));
    return result;
  }

  /** Makes the index behind an alias, for the first document of its entity type. */
  private async createAlias(alias: string): Promise<void> {
    const state = await this.state.read();
    if (!state) throw unavailable('it was emptied while the service was running');
    const entity = this.ready.entities.find((name) => this.names.alias(name) === alias);
    const fields = entity === undefined ? [] : this.ready.fields([entity]).values();
    await createIndex(this.client, this.names.index(alias, state.live.number), {
      ...indexBody(fields),
      aliases: { [alias]: {} },
    });
  }

  private async markComplete(layout: string): Promise<void> {
    await this.state.change((state) => ({
      ...state,
      live: { number: state?.live.number ?? 1, layout, complete: true },
    }));
  }
}

/** The entity type that a URN names. */
function entityOf(urn: string): string {
  return urn.split(':', 3)[2] ?? '';
}

function fieldsOf({ body }: Source): Fields {
  return body === undefined ? {} : (JSON.parse(body) as Fields);
}

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (fields[name] ? [[name, fields[name]]] : [])));
}
