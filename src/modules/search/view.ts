import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { toUrn } from '../../catalog/restli/index.js';
import {
  MAX_CRITERIA,
  parseFilter,
  type FilterCriterion,
  type SearchFilter,
} from '../../catalog/search/index.js';
import type { EntityReader } from '../entities/index.js';

const NOTHING: FilterCriterion = {
  field: 'urn',
  condition: 'EQUAL',
  values: [],
  negated: false,
  pointer: '/viewUrn',
};

interface Narrowed {
  entities: readonly string[];
  filter: SearchFilter;
}

/**
 * A search within a view: the types of both, and a filter of which both parts hold.
 * @throws CatalogError PARAMETER_INVALID, ENTITY_NOT_FOUND for a URN that names no view
 */
export async function withinView(
  reader: EntityReader,
  principal: Principal,
  viewUrn: string | null | undefined,
  asked: Narrowed,
): Promise<Narrowed> {
  if (viewUrn === null || viewUrn === undefined) return asked;
  const urn = toUrn(viewUrn, '/viewUrn');
  if (urn.type !== 'dataHubView') {
    throw refuse('PARAMETER_INVALID', `${urn.text} is not the URN of a view`, '/viewUrn');
  }
  const view = (await reader.read(principal, [urn.text], ['dataHubViewInfo'])).get(urn.text);
  const info = view?.aspects.get('dataHubViewInfo')?.value as AspectValues['dataHubViewInfo'] | undefined;
  if (!info) throw refuse('ENTITY_NOT_FOUND', `there is no view ${urn.text}`, '/viewUrn');
  const { entityTypes, filter } = info.definition;
  const within = both(asked.filter, parseFilter(filter, '/viewUrn'));
  if (entityTypes.length === 0) return { ...asked, filter: within };
  if (asked.entities.length === 0) return { entities: entityTypes, filter: within };
  const types = asked.entities.filter((name) => entityTypes.includes(name));
  // No type at all would mean every type, so where they have none in common the filter says so.
  return types.length > 0
    ? { entities: types, filter: within }
    : { entities: asked.entities, filter: [[NOTHING]] };
}

/** @throws CatalogError FILTER_INVALID when each alternative of the one with each of the other makes too many */
function both(one: SearchFilter, other: SearchFilter): SearchFilter {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const criteria = one.flat().length * other.length + other.flat().length * one.length;
  if (criteria > MAX_CRITERIA) {
    const message = `a filter has at most ${MAX_CRITERIA} criteria, this one within the view ${criteria}`;
    throw refuse('FILTER_INVALID', message, '/viewUrn');
  }
  return one.flatMap((a) => other.map((b) => [...a, ...b]));
}
