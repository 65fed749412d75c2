export type { EventFilter } from './event-filter.js';
export { EventFilters } from './event-filters.js';
export { EventsModule } from './events.module.js';
export { FeedEventsService, type FeedEvent, type FeedQuery } from './feed-events.service.js';
export { CATEGORIES, TOPICS, type Topic } from './topics.js';
export { FeedConsumerRow } from './consumers/entities/feed-consumer.row.js';
