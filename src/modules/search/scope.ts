import type { Principal } from '../../catalog/auth/index.js';
import type { EntityReader } from '../entities/index.js';
import type { FacetFilterInput, RequestContext } from '../graphql/index.js';
import { GRAPHQL_POINTERS, type ScopeInput } from './search-input.js';
import { readFilter, type AndFilterInput } from './search-request.inputs.js';
import { withinView } from './view.js';

/** What completions and browse trees take to narrow where they look. */
export interface ScopeArguments {
  orFilters?: AndFilterInput[] | null;
  filters?: FacetFilterInput[] | null;
  viewUrn?: string | null;
}

/** Reads where completions and browse trees look: the types, the filters and the view. @throws CatalogError as {@link withinView} does */
export async function readScope(
  reader: EntityReader,
  principal: Principal,
  { signal }: RequestContext,
  entities: readonly string[],
  input: ScopeArguments,
): Promise<ScopeInput> {
  const asked = { entities, filter: readFilter(input.orFilters, input.filters) };
  return {
    ...(await withinView(reader, principal, input.viewUrn, asked)),
    entitiesPointer: '/types',
    at: GRAPHQL_POINTERS,
    input: '*',
    includeSoftDeleted: false,
    signal,
  };
}
