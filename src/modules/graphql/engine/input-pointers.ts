import type { GraphQLFieldResolver } from 'graphql';
import { CatalogError } from '../../../catalog/errors/index.js';

const INPUT = 'input';

/**
 * Services say where in their parameters something is wrong: `/allowedValues/3/value`. A field that takes them below
 * one argument, `input`, says so to its callers: `/input/allowedValues/3/value`.
 * @param args names of the arguments of the field; what names one of them is left as it is.
 */
export function pointingIntoInput<S, C>(
  resolve: GraphQLFieldResolver<S, C>,
  args: readonly string[],
): GraphQLFieldResolver<S, C> {
  if (!args.includes(INPUT)) return resolve;
  const place = (pointer: string): string =>
    args.includes(pointer.split('/', 2)[1] ?? '') ? pointer : `/${INPUT}${pointer}`;
  const rethrow = (error: unknown): never => {
    throw error instanceof CatalogError ? error.placed(place) : error;
  };
  return (source, given, context, info) => {
    try {
      const value: unknown = resolve(source, given, context, info);
      return value instanceof Promise ? value.catch(rethrow) : value;
    } catch (error) {
      return rethrow(error);
    }
  };
}
