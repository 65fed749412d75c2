import { Model } from '../../src/catalog/model/index.js';
import {
  ALL,
  compileFilter,
  compileInput,
  compileQuery,
  isNameLike,
  parseFilter,
  parseQueryString,
  searchDocument,
  SearchSchema,
  type SearchDocument,
  type SearchRequest,
} from '../../src/catalog/search/index.js';
import type { EntityState } from '../../src/catalog/store/index.js';

type Aspects = Record<string, Record<string, unknown>>;

export const model = Model.load();
export const schema = new SearchSchema(model.entities.values());

export const datasetUrn = (platform: string, name: string, origin = 'PROD') =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${origin})`;

/** The state of an entity as the store would give it. */
export function stateOf(urn: string, sequence: number, aspects: Aspects): EntityState {
  const entityType = urn.split(':')[2]!;
  const stamp = { time: 1_600_000_000_000 + sequence, actor: 'urn:li:corpuser:tester' };
  return {
    urn,
    entityType,
    sequence,
    exists: true,
    removed: aspects['status']?.['removed'] === true,
    aspects: new Map(
      Object.entries(aspects).map(([name, value]) => [
        name,
        { name, value, version: 1, systemMetadata: {}, created: stamp },
      ]),
    ),
  };
}

/** A document built the way the indexer does it. */
export function documentOf(urn: string, aspects: Aspects = {}, sequence = 1): SearchDocument {
  const state = stateOf(urn, sequence, aspects);
  return searchDocument(model.findEntity(state.entityType)!, state);
}

/** What `now` means in queries: 1970-01-01T00:00:02Z. */
export const NOW = 2_000;

export interface Ask extends Partial<Omit<SearchRequest, 'query' | 'filter' | 'facets'>> {
  input?: string;
  /** Of the query language, instead of `input`. */
  queryString?: string;
  filter?: unknown;
  facets?: readonly string[];
}

/** A request from what a client would send. */
export function requestOf(ask: Ask): SearchRequest {
  const { input = '*', queryString, filter, facets = [], entities = ['dataset'], ...rest } = ask;
  const lookup = (name: string) => schema.lookup(name, entities);
  return {
    entities,
    query:
      queryString !== undefined
        ? compileQuery(
            parseQueryString(queryString, { pointer: '' }),
            {
              lookup,
              named: (pattern) =>
                [...schema.fields(entities).values()].filter(({ name }) => isNameLike(name, pattern)),
              queried: schema.queried(entities),
              now: NOW,
            },
            '',
          )
        : input === '*'
          ? ALL
          : compileInput(input, lookup),
    filter: compileFilter(parseFilter(filter, '/filter'), lookup),
    includeRemoved: false,
    start: 0,
    count: 100,
    maxFacetValues: 20,
    matchedFields: false,
    ...rest,
    facets: facets.map((name) => ({ name, fields: name.split('␞') })),
  };
}

/** One criterion as a filter. */
export const where = (field: string, condition: string, ...values: string[]) => ({
  or: [{ and: [{ field, condition, values }] }],
});

export const unless = (field: string, condition: string, ...values: string[]) => ({
  or: [{ and: [{ field, condition, values, negated: true }] }],
});
