export { SEARCH_INDEX_CONSUMER } from './maintenance/consumer-index-barrier.js';
export { searchPage } from './search-answers.js';
export {
  ACTION_POINTERS,
  DEFAULT_FLAGS,
  GRAPHQL_POINTERS,
  readSearch,
  type SearchInput,
  versionsInWalk,
} from './search-input.js';
export { SEARCH_PAGE, SEARCH_START } from './search.routes.js';
export { SearchModule } from './search.module.js';
export { SearchService } from './search.service.js';
