import { refuse } from '../../../catalog/errors/index.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { OPERATION_PARAMETERS, type Operation } from './operation-parameters.js';

/** A query string as the HTTP layer hands it over: decoded, repeated names as lists. */
export type Query = Readonly<Record<string, unknown>>;

/** The parameters of a request of one operation. @throws CatalogError PARAMETER_INVALID for a strange name */
export function parametersOf(query: Query, operation: Operation): Parameters {
  return Parameters.of(query, OPERATION_PARAMETERS[operation]);
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
