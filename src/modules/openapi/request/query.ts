import { refuse } from '../../../catalog/errors/index.js';
import { Parameters } from '../../../catalog/restli/index.js';

/** A query string as the HTTP layer hands it over: decoded, repeated names as lists. */
export type Query = Readonly<Record<string, unknown>>;

/**
 * Every parameter of the family of entity endpoints. A name out of it is taken everywhere, since clients send one
 * set to all of them; any other is refused, so that a misspelt one is not ignored.
 */
const FAMILY = [
  'aspectNames',
  'aspects',
  'async',
  'clear',
  'count',
  'createEntityIfNotExists',
  'createIfEntityNotExists',
  'createIfNotExists',
  'direction',
  'endTimeMillis',
  'includeSoftDelete',
  'pitKeepAlive',
  'query',
  'relationshipType',
  'relationshipType[]',
  'relationshipTypes',
  'destinationTypes',
  'sourceTypes',
  'scrollId',
  'scrollIdPerEntity',
  'skipAggregation',
  'skipCache',
  'sliceId',
  'sliceMax',
  'sort',
  'sortCriteria',
  'sortOrder',
  'startTimeMillis',
  'systemMetadata',
  'version',
  'withSystemMetadata',
];

/** The parameters of a request of the entity endpoints. @throws CatalogError PARAMETER_INVALID for a strange name */
export function parametersOf(query: Query): Parameters {
  return Parameters.of(query, FAMILY);
}

/** All values of repeatable parameters; several in one value may be separated by commas. */
export function namesIn(query: Query, ...names: string[]): string[] {
  return names.flatMap((name) => {
    const given = query[name];
    if (given === undefined) return [];
    return [given].flat().flatMap((value) => {
      if (typeof value !== 'string')
        throw refuse('PARAMETER_INVALID', `the parameter "${name}" must be a list of names`, `/${name}`);
      return value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '');
    });
  });
}
