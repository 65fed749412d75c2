export { ConsumerIndexBarrier, SEARCH_INDEX_CONSUMER } from './maintenance/consumer-index-barrier.js';
export { SearchActions } from './search-actions.js';
export { searchPage } from './search-answers.js';
export {
  ACTION_POINTERS,
  DEFAULT_FLAGS,
  GRAPHQL_POINTERS,
  inWindow,
  readSearch,
  type ScopeInput,
  type ScrollInput,
  type SearchFlags,
  type SearchInput,
  versionsInWalk,
} from './search-input.js';
export { SEARCH_PAGE, SEARCH_START } from './search.routes.js';
export { SearchModule } from './search.module.js';
export { SearchService, type AutocompleteInput, type BrowseInput } from './search.service.js';
