import {
  documented,
  example,
  integer,
  names,
  restliList,
  route,
  text,
  word,
  type RouteAnswer,
} from '../../catalog/route/index.js';
import { CATEGORIES, TOPICS } from './topics.js';

/** The most events of one answer, and the default; the longest that a poll waits, in seconds. */
export const MAX_EVENTS = 5_000;
export const DEFAULT_EVENTS = 100;
export const MAX_WAIT_SECONDS = 10;

const WHAT = {
  topic: example(
    'PlatformEvent_v1',
    word(
      'What to follow: platform events (entity and relationship changes), or the change log of versioned or time-series aspects.',
      TOPICS,
    ),
  ),
  offsetId: text(
    'The cursor: `offsetId` of the last answer. Without it reading begins at the end of the log, or as far back as `lookbackWindowDays` says.',
  ),
  consumer: text(
    'Name of a registered consumer: without `offsetId` reading goes on behind what it has confirmed, and an `offsetId` confirms all before it.',
  ),
  lookbackWindowDays: example(
    1,
    integer('How many days back to begin without `offsetId`.', { maximum: 36_500 }),
  ),
  entityType: documented(names('Only changes of entities of these types.'), (schemas) => ({
    type: 'array',
    items: schemas.entityName(),
  })),
  aspect: documented(names('Only changes of these aspects.'), (schemas) => ({
    type: 'array',
    items: schemas.aspectName(),
  })),
  category: documented(
    names('Only events of these categories; of the topic PlatformEvent_v1 alone.'),
    () => ({
      type: 'array',
      items: { type: 'string', enum: [...CATEGORIES] },
    }),
  ),
  urn: documented(
    restliList('Only changes of entities whose URN has one of these forms: `*` stands for any text.'),
    () => ({ type: 'array', items: { type: 'string' } }),
  ),
};

const EVENTS: RouteAnswer = {
  description: 'The events, and the cursor behind them.',
  schema: {
    type: 'object',
    required: ['offsetId', 'count', 'events'],
    properties: {
      offsetId: { type: 'string', description: 'The cursor to go on with; there also without events.' },
      count: { type: 'integer', minimum: 0 },
      events: {
        type: 'array',
        items: {
          type: 'object',
          required: ['contentType', 'value'],
          properties: {
            contentType: { type: 'string', enum: ['application/json'] },
            value: { type: 'string', description: 'The event as JSON text.' },
          },
        },
      },
    },
  },
};

const GUARANTEES =
  'Events come in the order of the commits, without gaps, and not before their commit is on disk. The same cursor always gives the same events. A cursor that is older than the change log is answered with 410.';

export const pollEvents = route({
  method: 'get',
  path: '/openapi/v1/events/poll',
  operation: 'pollEvents',
  summary: 'Reads the change feed',
  description: `${GUARANTEES} At the end of the log the call waits for the next event, for \`pollTimeoutSeconds\` at most.`,
  parameters: {
    ...WHAT,
    limit: integer(`The most events of the answer; more than ${MAX_EVENTS} count as ${MAX_EVENTS}.`, {
      minimum: 1,
      default: DEFAULT_EVENTS,
    }),
    pollTimeoutSeconds: integer(
      `How long to wait for a first event; more than ${MAX_WAIT_SECONDS} seconds count as ${MAX_WAIT_SECONDS}.`,
      { default: MAX_WAIT_SECONDS },
    ),
  },
  required: ['topic'],
  answer: '{offsetId, count, events: [{contentType, value}]}',
  answers: () => ({ 200: EVENTS }),
  errors: [400, 404, 410, 429],
});

export const streamEvents = route({
  method: 'get',
  path: '/openapi/v1/events/stream',
  operation: 'streamEvents',
  summary: 'Follows the change feed as Server-Sent Events',
  description: `${GUARANTEES} Each event has its cursor as \`id\`; after a break the header \`Last-Event-ID\` goes on behind it. A line with the cursor alone comes every few seconds. The service ends a stream after an hour, unless it is configured otherwise.`,
  headers: {
    'Last-Event-ID': {
      description: 'The cursor: `id` of the last event; goes before `offsetId`.',
      schema: { type: 'string' },
    },
  },
  parameters: {
    ...WHAT,
    limit: example(
      10,
      integer('Ends the stream after so many events; without it the client ends it.', { minimum: 1 }),
    ),
  },
  required: ['topic'],
  answer: 'a stream of events: id, event (the topic), data (the event as JSON text)',
  answers: () => ({
    200: {
      description: 'The events, until the client ends it.',
      type: 'text/event-stream',
      // Of a stream readers take the schema for that of each event, an object.
      schema: {},
    },
  }),
  errors: [400, 404, 410, 429],
});

export const EVENT_ROUTES = [pollEvents, streamEvents];
