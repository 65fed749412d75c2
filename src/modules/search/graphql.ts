/** What resolvers of other modules that search need of search in GraphQL. */
export {
  AndFilterInput,
  KEEP_ALIVE,
  readFilter,
  readSearchFlags,
  readSort,
  SearchFlags,
  SearchSortInput,
  SortCriterion,
} from './search-request.inputs.js';
export { SearchPages } from './search-pages.js';
export { MembersInput, ScrollAcrossEntitiesInput, SearchAcrossEntitiesInput } from './search.inputs.js';
export { ScrollResults, SearchResults } from './search.types.js';
export { facet, FacetMetadata, SearchResult, searchResult } from './search-results.types.js';
export { withinView } from './view.js';
export { DataHubViewType } from './home.types.js';
export { ListedPage, listEntities, ListInput } from './lists.js';
