import { Extensions } from '@nestjs/graphql';
import type { GraphQLField } from 'graphql';
import { isRecord } from '../../catalog/model/index.js';
import { MAX_WINDOW } from '../../catalog/search/index.js';

/**
 * Prices of searches. One is about a millisecond over 100,000 datasets on the embedded profile, when words are asked for
 * that most of them have.
 */
const PRICES = {
  /** One question to the index. */
  ask: 5,
  facet: 3,
  /** Facets that are counted when none are named. */
  usualFacets: 5,
  /** For each hit of the page. */
  hit: 0.01,
  browse: 30,
  /** A walk and the search over what it came to. */
  lineage: 50,
  /** Questions that a completion for several types asks when none are named. */
  usualTypes: 12,
} as const;

type Kind = 'search' | 'list' | 'aggregate' | 'complete' | 'complete-each' | 'browse' | 'lineage';

const EXTENSION = 'search';

/** Marks a field that searches, so that the searches of one document can be bounded before any begins. */
export const Searches = (kind: Kind): MethodDecorator => Extensions({ [EXTENSION]: kind });

type Marked = Pick<GraphQLField<unknown, unknown>, 'extensions'>;

const kindOf = ({ extensions }: Marked) => extensions[EXTENSION] as Kind | undefined;

/** Whether a field searches. */
export const searches = (field: Marked): boolean => kindOf(field) !== undefined;

/** Whether the search of a field may leave out its facets when they are not selected. */
export const canSkipFacets = (field: Marked): boolean => ['search', 'lineage'].includes(kindOf(field) ?? '');

/**
 * What the search of a field costs, from the values of its arguments; 0 when it does not search.
 * @param facets whether the operation selects its facets
 */
export function priceOf(field: Marked, argument: (name: string) => unknown, facets: boolean): number {
  const kind = kindOf(field);
  if (kind === undefined) return 0;
  const given = argument('input');
  const input = isRecord(given) ? given : {};
  const flags = isRecord(input['searchFlags']) ? input['searchFlags'] : {};
  const counted =
    kind !== 'aggregate' && (kind === 'list' || !facets || flags['skipAggregates'] === true)
      ? 0
      : facetsOf(input['facets']);
  const asked = typeof input['count'] === 'number' ? input['count'] : 0;
  const hits = Math.min(Math.max(0, asked), MAX_WINDOW) * PRICES.hit;
  const page = Math.ceil(PRICES.ask + counted * PRICES.facet + hits);
  if (kind === 'browse') return PRICES.browse;
  if (kind === 'complete') return PRICES.ask;
  if (kind === 'complete-each') return PRICES.ask * (lengthOf(input['types']) || PRICES.usualTypes);
  return kind === 'lineage' ? page + PRICES.lineage : page;
}

const facetsOf = (named: unknown) => lengthOf(named) || PRICES.usualFacets;
const lengthOf = (list: unknown) => (Array.isArray(list) ? list.length : 0);
