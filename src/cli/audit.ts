import { parseArgs } from 'node:util';
import { UsageError, type Command } from './command.js';
import { parseDuration } from './duration.js';
import { SERVICE_OPTIONS, SERVICE_USAGE, ServiceClient } from './service-client.js';

/** Events of one request to the service. */
const PAGE = 1_000;

interface Found {
  nextScrollId?: string;
  total: number;
  usageEvents: AuditedEvent[];
}

interface AuditedEvent {
  eventType: string;
  timestamp: number;
  actorUrn: string;
  sourceIP?: string;
  eventSource?: string;
  entityUrn?: string;
  aspectName?: string;
  rawUsageEvent?: Record<string, unknown>;
}

/** Shows what the audit log has. */
export const audit: Command = {
  usage: `Usage: npm run catalog -- audit [--since 1d] [--until <time>] [--actor <URN>] [--event <type>] [--entity <type>]
                               [--aspect <name>] [--count 100] [--json]

Prints who did what, when and from where, newest first. Options that name something may be repeated.

  --since   how far back: 90m, 12h, 30d, 2w, or a time as in 2026-06-01T00:00:00Z (default 1d)
  --until   a time (default now)
  --actor   only what this user did: a user name, or urn:li:corpuser:<name>
  --event   only events of this type, such as DeleteEntityEvent
  --entity  only events of entities of this type
  --aspect  only events of this aspect
  --count   most events to print, 0 for all (default 100)
  --json    print each event as a line of JSON, with all that is recorded of it
${SERVICE_USAGE}`,

  async run(words, terminal) {
    const many = { type: 'string', multiple: true, default: [] as string[] } as const;
    const { values } = parseArgs({
      args: [...words],
      options: {
        ...SERVICE_OPTIONS,
        since: { type: 'string', default: '1d' },
        until: { type: 'string' },
        actor: many,
        event: many,
        entity: many,
        aspect: many,
        count: { type: 'string', default: '100' },
        json: { type: 'boolean', default: false },
      },
    });
    if (!/^\d{1,9}$/.test(values.count)) throw new UsageError('--count must be a whole number');
    const filters = {
      eventTypes: values.event,
      entityTypes: values.entity,
      aspectTypes: values.aspect,
      actorUrns: values.actor.map((name) => (name.startsWith('urn:') ? name : `urn:li:corpuser:${name}`)),
    };
    const endTime = values.until === undefined ? Date.now() : timeOf('--until', values.until);
    const times = `startTime=${sinceOf(values.since)}&endTime=${endTime}`;
    const client = await ServiceClient.from(values);
    const most = Number(values.count) || Infinity;
    let shown = 0;
    let total = 0;
    for (let scrollId: string | undefined = ''; scrollId !== undefined && shown < most;) {
      const size = Math.min(most - shown, PAGE);
      const path = `/openapi/v1/events/audit/search?${times}&size=${size}&includeRaw=true&scrollId=${scrollId}`;
      const found: Found = await client.call<Found>(path, filters);
      for (const event of found.usageEvents)
        terminal.out(values.json ? JSON.stringify(event) : lineOf(event));
      shown += found.usageEvents.length;
      ({ nextScrollId: scrollId, total } = found);
    }
    if (total > shown) terminal.err(`${total - shown} older events are not shown`);
    return 0;
  },
};

function sinceOf(text: string): number {
  if (!/^\d+[a-z]+$/.test(text)) return timeOf('--since', text);
  const back = parseDuration(text);
  if (back === 'never') throw new UsageError('--since must be a time or a duration');
  return Date.now() - back;
}

function timeOf(option: string, text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new UsageError(`${option} must be a time, such as 2026-06-01T00:00:00Z`);
  return time;
}

function lineOf({ timestamp, actorUrn, eventType, entityUrn, aspectName, ...rest }: AuditedEvent): string {
  const { sourceIP, eventSource, rawUsageEvent: raw = {} } = rest;
  const kind = [raw['changeType'], raw['reason'], raw['operation']].find((word) => typeof word === 'string');
  const what = [eventType, kind, entityUrn, aspectName];
  const from = sourceIP === undefined ? 'in the service' : `from ${sourceIP} by ${eventSource}`;
  const said = what.filter((part) => part !== undefined).join(' ');
  return `${new Date(timestamp).toISOString()} ${actorUrn} ${said} ${from}`;
}
