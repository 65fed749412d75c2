export { ConsumerIndexBarrier, SEARCH_INDEX_CONSUMER } from './consumer-index-barrier.js';
export { SearchActions } from './search-actions.js';
export {
  DEFAULT_FLAGS,
  GRAPHQL_POINTERS,
  inWindow,
  type ScopeInput,
  type ScrollInput,
  type SearchFlags,
  type SearchInput,
} from './search-input.js';
export { SearchModule } from './search.module.js';
export { SearchService, type AutocompleteInput, type BrowseInput } from './search.service.js';
