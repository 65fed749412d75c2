import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { refuseOtherKind, toUrn } from '../../catalog/restli/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { beginOf } from './time-ranges.js';
import { MAX_EVENTS } from './timeseries.routes.js';
import { TimeseriesService } from './timeseries.service.js';
import { Counts } from './usage.js';
import { DURATIONS, queryRange } from './usage.routes.js';

type Usage = AspectValues['datasetUsageStatistics'];
type Duration = (typeof DURATIONS)[number];

const ASPECT = 'datasetUsageStatistics';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Weeks begin on Monday, as the first day of the epoch was a Thursday. */
const FIRST_MONDAY = 4 * DAY;

/** `POST /usageStats?action=queryRange`. */
@Injectable()
export class UsageActions extends Actions {
  readonly actions = [
    serve(queryRange, async (principal, { resource, duration, rangeFromEnd, startTime, maxBuckets }) => {
      const urn = toUrn(resource, '/resource');
      refuseOtherKind(urn, 'dataset', '/resource');
      const reports = await this.reports(principal, urn.text, startTime ?? beginOf(rangeFromEnd));
      const buckets = bucketsOf(reports, duration).map(([bucket, own]) => ({
        ...{ bucket, duration, resource: urn.text },
        metrics: { ...sumOf(own), topSqlQueries: own[0]?.topSqlQueries ?? [] },
      }));
      return {
        buckets: maxBuckets === undefined ? buckets : buckets.slice(-maxBuckets),
        aggregations: sumOf(reports),
      };
    }),
  ];

  constructor(private readonly service: TimeseriesService) {
    super();
  }

  /** The newest first. */
  private async reports(principal: Principal, urn: string, from: number | undefined): Promise<Usage[]> {
    const query = { urn, aspect: ASPECT, from, newestFirst: true, limit: MAX_EVENTS };
    const events = await this.service.events(principal, query);
    return events.map(({ value }) => JSON.parse(value) as Usage);
  }
}

/** The reports of each span in which there are any, the earliest span first. */
function bucketsOf(reports: readonly Usage[], duration: Duration): Array<[bucket: number, reports: Usage[]]> {
  const spans = Map.groupBy(reports, ({ timestampMillis }) => beginningOf(timestampMillis, duration));
  return [...spans].sort(([a], [b]) => a - b);
}

/** When the span of a time begins. */
function beginningOf(time: number, duration: Duration): number {
  if (duration === 'HOUR') return time - (time % HOUR);
  if (duration === 'DAY') return time - (time % DAY);
  if (duration === 'WEEK') return time - ((((time - FIRST_MONDAY) % (7 * DAY)) + 7 * DAY) % (7 * DAY));
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), duration === 'YEAR' ? 0 : date.getUTCMonth());
}

/** All reports together. A single one may know more users than it names. */
function sumOf(reports: readonly Usage[]) {
  const users = new Counts();
  const fields = new Counts();
  const emails = new Map<string, string>();
  let totalSqlQueries = 0;
  for (const report of reports) {
    totalSqlQueries += report.totalSqlQueries ?? 0;
    for (const { user, count, userEmail } of report.userCounts ?? []) {
      users.add(user, count);
      if (userEmail !== undefined && !emails.has(user)) emails.set(user, userEmail);
    }
    for (const { fieldPath, count } of report.fieldCounts ?? []) fields.add(fieldPath, count);
  }
  const counted = reports.length === 1 ? reports[0]?.uniqueUserCount : undefined;
  return {
    uniqueUserCount: counted ?? users.size,
    users: users.sorted().map(([user, count]) => {
      const userEmail = emails.get(user);
      return { user, count, ...(userEmail !== undefined && { userEmail }) };
    }),
    totalSqlQueries,
    fields: fields.sorted().map(([fieldName, count]) => ({ fieldName, count })),
  };
}
