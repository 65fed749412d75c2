/** What resolvers of other modules that search need of search in GraphQL. */
export {
  AndFilterInput,
  readFilter,
  readSearchFlags,
  readSort,
  SearchFlags,
  SearchSortInput,
} from './search-request.inputs.js';
export { facet, FacetMetadata, SearchResult, searchResult } from './search-results.types.js';
