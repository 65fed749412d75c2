/** What types of other modules need of tags in GraphQL. */
export { GlobalTags, globalTags } from './tags.types.js';
