import { Injectable } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ChangeProposal } from '../../catalog/change/index.js';
import { CatalogError } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { refuseOtherKind, toUrn } from '../../catalog/restli/index.js';
import { Actions, check, serve, type ValuesOf } from '../../catalog/route/index.js';
import { EntityNames } from '../entities/index.js';
import { IngestService } from '../ingest/index.js';
import { beginOf } from './time-ranges.js';
import { beginningOf } from './time-spans.js';
import { MAX_EVENTS } from './timeseries.routes.js';
import { TimeseriesService } from './timeseries.service.js';
import { Counts } from './usage.js';
import { batchIngest, DURATIONS, query, queryRange, USAGE_BUCKET } from './usage.routes.js';

type Usage = AspectValues['datasetUsageStatistics'];
type Duration = (typeof DURATIONS)[number];
type Asked = Pick<ValuesOf<typeof query>, 'resource' | 'duration' | 'maxBuckets'>;

const ASPECT = 'datasetUsageStatistics';

/** `POST /usageStats?action=query | queryRange | batchIngest`. */
@Injectable()
export class UsageActions extends Actions {
  readonly actions = [
    serve(queryRange, (principal, { rangeFromEnd, startTime, ...asked }) =>
      this.usage(principal, asked, startTime ?? beginOf(rangeFromEnd)),
    ),
    serve(query, (principal, { startTime, endTime, ...asked }) =>
      this.usage(principal, asked, startTime, endTime),
    ),
    serve(batchIngest, async (principal, { buckets }) => {
      await this.ingest.submit(
        principal,
        buckets.map((bucket, i) => this.report(bucket, `/buckets/${i}`)),
      );
    }),
  ];

  constructor(
    private readonly service: TimeseriesService,
    private readonly ingest: IngestService,
    private readonly names: EntityNames,
  ) {
    super();
  }

  private async usage(
    principal: Principal,
    { resource, duration, maxBuckets }: Asked,
    from?: number,
    to?: number,
  ) {
    const urn = toUrn(resource, '/resource');
    refuseOtherKind(urn, 'dataset', '/resource');
    const reports = await this.reports(principal, urn.text, from, to);
    const buckets = bucketsOf(reports, duration).map(([bucket, own]) => ({
      ...{ bucket, duration, resource: urn.text },
      metrics: { ...sumOf(own), topSqlQueries: own[0]?.topSqlQueries ?? [] },
    }));
    return {
      buckets: maxBuckets === undefined ? buckets : buckets.slice(-maxBuckets),
      aggregations: sumOf(reports),
    };
  }

  /** The event that one element of `buckets` is. */
  private report(raw: unknown, pointer: string): ChangeProposal {
    try {
      const values = check(USAGE_BUCKET, raw) as ValuesOf<typeof USAGE_BUCKET>;
      const entity = this.names.entity('dataset');
      return {
        entity,
        urn: this.names.urn(values.resource, entity, '/resource'),
        aspect: this.names.aspect(entity, ASPECT),
        changeType: 'UPSERT',
        value: eventOf(values),
        systemMetadata: {},
        pointer,
        valuePointer: '/metrics',
      };
    } catch (error) {
      throw error instanceof CatalogError ? error.below(pointer) : error;
    }
  }

  /** The newest first. */
  private async reports(
    principal: Principal,
    urn: string,
    from: number | undefined,
    to: number | undefined,
  ): Promise<Usage[]> {
    const asked = { urn, aspect: ASPECT, from, to, newestFirst: true, limit: MAX_EVENTS };
    const reports: Usage[] = [];
    for await (const events of this.service.portions(principal, asked))
      for (const { value } of events) reports.push(readJson(value) as Usage);
    return reports;
  }
}

/** The reports of each span in which there are any, the earliest span first. */
function bucketsOf(reports: readonly Usage[], duration: Duration): Array<[bucket: number, reports: Usage[]]> {
  const spans = Map.groupBy(reports, ({ timestampMillis }) => beginningOf(timestampMillis, duration));
  return [...spans].sort(([a], [b]) => a - b);
}

/** What is counted under other names here than in the aspect. */
function eventOf({ bucket, duration, metrics }: ValuesOf<typeof USAGE_BUCKET>) {
  const { users, fields, ...more } = metrics;
  return {
    timestampMillis: bucket,
    eventGranularity: { unit: duration, multiple: 1 },
    ...more,
    ...(users && { userCounts: users.map(withoutNulls) }),
    ...(fields && {
      fieldCounts: fields.map((field) => {
        const { fieldName: fieldPath, ...rest } = withoutNulls(field);
        return { fieldPath, ...rest };
      }),
    }),
  };
}

/** Clients of the field send what they do not know as null. */
function withoutNulls(counted: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(counted).filter(([, value]) => value !== null));
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
