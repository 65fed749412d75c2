import { AUDIT_EVENT_TYPES, type AuditEventType } from '../../catalog/audit/index.js';
import {
  action,
  example,
  flag,
  integer,
  listOf,
  route,
  text,
  type RouteAnswer,
} from '../../catalog/route/index.js';

/** The most events of a page, and the default. */
export const MAX_AUDIT_EVENTS = 1_000;

const texts = (description: string) => listOf(description, { type: 'string' as const });

const EVENT_TYPE: { type: 'string'; enum: AuditEventType[] } = {
  type: 'string',
  enum: [...AUDIT_EVENT_TYPES],
};

/** What the body of a search may say. */
export const AUDIT_FILTERS = {
  eventTypes: listOf('Only events of these types.', EVENT_TYPE),
  entityTypes: texts('Only events of entities of these types.'),
  aspectTypes: texts('Only events of these aspects.'),
  actorUrns: texts('Only what these users did.'),
};

const FOUND: RouteAnswer = {
  description: 'One page of events.',
  schema: {
    type: 'object',
    required: ['count', 'total', 'usageEvents'],
    properties: {
      nextScrollId: { type: 'string', description: 'For the next page; absent on the last one.' },
      count: { type: 'integer', minimum: 0 },
      total: { type: 'integer', minimum: 0 },
      usageEvents: {
        type: 'array',
        items: {
          type: 'object',
          required: ['eventType', 'timestamp', 'actorUrn'],
          properties: {
            eventType: { type: 'string' },
            timestamp: { type: 'integer', description: 'Epoch milliseconds.' },
            actorUrn: { type: 'string' },
            sourceIP: { type: 'string', description: 'The peer that sent the request.' },
            eventSource: { type: 'string', enum: ['RESTLI', 'OPENAPI', 'GRAPHQL'] },
            userAgent: { type: 'string' },
            telemetryTraceId: { type: 'string', description: 'The id of the request.' },
            entityUrn: { type: 'string' },
            entityType: { type: 'string' },
            aspectName: { type: 'string' },
            loginSource: { type: 'string' },
            rawUsageEvent: { type: 'object' },
          },
        },
      },
    },
  },
};

export const searchAudit = route({
  method: 'post',
  path: '/openapi/v1/events/audit/search',
  needs: 'manage',
  operation: 'searchAudit',
  summary: 'Searches the audit log',
  description:
    'Who did what, when and from where, newest first: writes, deletions, tokens that were made, used for the first time, revoked, expired or refused, and changes of webhooks. Needs the privilege to manage.',
  parameters: {
    startTime: integer('Epoch milliseconds, included; a day back when left out.'),
    endTime: integer('Epoch milliseconds, included; now when left out.'),
    size: example(
      10,
      integer(`The most events of the page; more than ${MAX_AUDIT_EVENTS} count as ${MAX_AUDIT_EVENTS}.`, {
        minimum: 1,
        default: 10,
      }),
    ),
    scrollId: text('`nextScrollId` of the page before, with the same body and times.'),
    includeRaw: flag('Whether each event comes with all that is recorded of it.', false),
  },
  body: () => ({
    schema: {
      type: 'object',
      additionalProperties: false,
      // Null counts as absent.
      properties: Object.fromEntries(
        Object.entries(AUDIT_FILTERS).map(([name, schema]) => [
          name,
          { ...schema, type: ['array' as const, 'null' as const] },
        ]),
      ),
    },
    example: { eventTypes: ['UpdateAspectEvent'], entityTypes: [], aspectTypes: [], actorUrns: [] },
    optional: true,
  }),
  answers: () => ({ 200: FOUND }),
  errors: [400, 413],
});

export const verifyAudit = action({
  resource: 'operations',
  action: 'verifyAudit',
  needs: 'manage',
  summary: 'Checks by their hashes that no record of the audit log was changed or removed',
  parameters: {},
  answer:
    '{records, chains, faultCount, faults: [{kind, chain, from, to, time}], removed, removedUntil, ends: [{chain, number, hash}]}',
  example: {},
});

export const AUDIT_ROUTES = [searchAudit];
export const AUDIT_ACTIONS = [verifyAudit];
