import { refuse } from '../../catalog/errors/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import type { EventFilter } from './event-filter.js';
import { DEFAULT_EVENTS, MAX_EVENTS, type pollEvents, type streamEvents } from './events.routes.js';
import type { Topic } from './topics.js';

/** What a caller wants to follow. */
export interface Subscription {
  topic: Topic;
  filter: EventFilter;
  offsetId: string | undefined;
  /** Name of a registered consumer. */
  consumer: string | undefined;
  lookbackDays: number | undefined;
}

/** The most events of an answer of the poll. */
export const limitOf = ({ limit = DEFAULT_EVENTS }: ValuesOf<typeof pollEvents>): number =>
  Math.min(limit, MAX_EVENTS);

/** An empty text says no more than none, where it is no name. */
export function subscriptionOf(values: ValuesOf<typeof streamEvents>): Subscription {
  const { topic, offsetId, consumer, lookbackWindowDays, entityType, aspect, category, urn } = values;
  for (const [name, list] of Object.entries({ entityType, aspect, category }))
    if (list?.length === 0) throw refuse('PARAMETER_INVALID', 'must be a name', `/${name}`);
  return {
    topic,
    offsetId: offsetId || undefined,
    consumer: consumer || undefined,
    lookbackDays: lookbackWindowDays,
    filter: {
      entityTypes: entityType ?? [],
      aspects: aspect ?? [],
      categories: category ?? [],
      urns: (urn ?? []).filter((pattern) => pattern !== ''),
    },
  };
}
