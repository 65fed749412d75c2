import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { RetainedLog } from '../../catalog/extension/index.js';
import { Meter, type Note } from '../../catalog/metrics/index.js';
import { PeriodicJob } from '../../catalog/schedule/index.js';
import { CATALOG_SETTINGS, type CatalogSettings } from '../../catalog/settings.js';
import { Database, EntityStateReader } from '../../catalog/store/index.js';
import { logBegin } from '../change-log/index.js';
import {
  discovered,
  HeadRepository,
  KEPT_TABLES,
  KeptVersionRepository,
  type EarlierVersion,
  type KeptGroup,
  type KeptTable,
} from '../entities/index.js';
import { RetentionRules, ruleOf, type RetentionPolicyValue, type RetentionRule } from './retention-rules.js';

const EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Rows of one transaction: writers wait no longer than for these. */
const SLICE = 500;
/** How long one call works, so that no caller waits for the end of a large store. */
const SPAN_MS = 5_000;

interface Place extends KeptGroup {
  readonly table: KeptTable;
}

/** What one call has removed, or would. */
interface RetentionReport {
  history: number;
  events: number;
  aspects: Array<{ entityType: string; aspect: string; count: number }>;
  /** Of a dry run that has looked at all else: entries of logs by log. */
  logs?: Record<string, number>;
  /** Where the next call goes on; absent when all was looked at. */
  next?: string;
}

/** What holds for one walk. */
interface Limits {
  readonly rules: RetentionRules;
  /** Values that were replaced since then may be named by the change log. */
  readonly named: number;
  readonly now: number;
  readonly dryRun: boolean;
}

const START: Place = { table: KEPT_TABLES[0], entity: 0, aspect: '' };

/** Removes earlier versions by policy, and events of time series by age: in the background, and when it is asked to. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(RetentionService.name);
  private readonly removed: Note;
  private readonly job = new PeriodicJob(
    () => this.sweep(),
    (error) => this.logger.warn(`what is no longer kept could not be removed: ${String(error)}`),
  );

  constructor(
    private readonly database: Database,
    private readonly repository: KeptVersionRepository,
    private readonly heads: HeadRepository,
    private readonly states: EntityStateReader,
    @Inject(CATALOG_SETTINGS)
    private readonly settings: Pick<
      CatalogSettings,
      'role' | 'historyVersions' | 'historyDays' | 'timeseriesDays'
    >,
    private readonly discovery: DiscoveryService,
    meter: Meter,
  ) {
    this.removed = meter.counter({
      name: 'catalog_retention_removed_total',
      help: 'Earlier versions and events that retention removed',
      labels: ['kind'],
    });
  }

  onApplicationBootstrap(): void {
    if (this.settings.role !== 'api') this.job.start(EVERY_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  /** Walks through everything once, unless nothing sets a limit. */
  async sweep(): Promise<void> {
    const limits = await this.limits(false);
    const walk = new Walk();
    let place: Place | undefined = this.first(limits);
    // Each step counts as one: the job pauses after it, and ends when there is none.
    await this.job.inSlices(1, async () => {
      if (place === undefined) return 0;
      place = await this.step(place, limits, walk);
      return 1;
    });
  }

  /**
   * Goes on from a place for some seconds.
   * @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID
   */
  async apply(
    principal: Principal,
    { dryRun, from }: { dryRun: boolean; from?: string | undefined },
  ): Promise<RetentionReport> {
    authorize(principal, 'manage');
    const asked = from === undefined ? undefined : readPlace(from);
    const limits = await this.limits(dryRun);
    let place: Place | undefined = asked ?? this.first(limits);
    const walk = new Walk();
    const until = performance.now() + SPAN_MS;
    while (place !== undefined && performance.now() < until) place = await this.step(place, limits, walk);
    if (place !== undefined) return { ...walk.report, next: writePlace(place) };
    return { ...walk.report, ...(dryRun && { logs: await this.dueOfLogs(limits.now) }) };
  }

  /** What the logs remove by themselves. */
  private async dueOfLogs(now: number): Promise<Record<string, number>> {
    const logs = discovered(this.discovery, RetainedLog).sort((a, b) => (a.log < b.log ? -1 : 1));
    const counts: Record<string, number> = {};
    for (const one of logs) counts[one.log] = await one.due(now);
    return counts;
  }

  private async limits(dryRun: boolean): Promise<Limits> {
    const { historyVersions, historyDays } = this.settings;
    const rules = new RetentionRules(await this.policies(), ruleOf(historyVersions, historyDays));
    const now = Date.now();
    return { rules, named: Math.min(now, await logBegin(this.database)), now, dryRun };
  }

  private async policies(): Promise<RetentionPolicyValue[]> {
    const entities = await this.states.ofType('dataHubRetention');
    return entities.flatMap(({ removed, aspects }) => {
      const key = aspects.get('dataHubRetentionKey');
      const config = aspects.get('dataHubRetentionConfig');
      if (removed || key === undefined || config === undefined) return [];
      return [
        {
          ...(key.value as Pick<RetentionPolicyValue, 'entityName' | 'aspectName'>),
          ...(config.value as Pick<RetentionPolicyValue, 'retention'>),
        },
      ];
    });
  }

  /** Where a walk begins: what has no limit is not looked at. */
  private first({ rules }: Limits): Place {
    return rules.any ? START : { ...START, table: 'timeseries_aspect' };
  }

  /** @returns the place that was reached; undefined behind all */
  private async step(place: Place, limits: Limits, walk: Walk): Promise<Place | undefined> {
    const { table } = place;
    if (table === 'timeseries_aspect' && this.settings.timeseriesDays === 0) return undefined;
    const group = await this.repository.next(table, place);
    if (group === undefined)
      return table === 'aspect_history' ? { ...START, table: 'timeseries_aspect' } : undefined;
    const more = await (table === 'aspect_history'
      ? this.history(group, limits, walk)
      : this.events(group, limits, walk));
    // What has more to remove is found again from the place before it.
    return more ? place : { table, ...group };
  }

  /** @returns whether there may be more to remove of the aspect */
  private async history(group: KeptGroup, limits: Limits, walk: Walk): Promise<boolean> {
    const latest = await this.repository.latest(group);
    const rule = latest && limits.rules.of(latest.type, group.aspect);
    if (latest === undefined || rule === undefined) return false;
    for (let behind = 0; ;) {
      // One more than are removed at a time: a value was replaced when the one after it was written.
      const rows = await this.repository.earlier(group, behind, SLICE + 1);
      const some = rows.slice(0, SLICE);
      const end = some.findIndex(
        (row, i) =>
          !goes(row, rule, latest.version, limits.now) ||
          (rows[i + 1]?.createdAt ?? latest.createdAt) >= limits.named,
      );
      // What is left has no gaps: the first that stays keeps the ones after it.
      const old = end < 0 ? some : some.slice(0, end);
      const last = old.at(-1);
      if (last === undefined) return false;
      walk.add('history', latest.type, group.aspect, old.length);
      if (!limits.dryRun) {
        await this.repository.removeEarlier(group, old);
        this.removed(old.length, { kind: 'history' });
      }
      if (old.length < SLICE) return false;
      if (!limits.dryRun) return true;
      behind = last.version;
    }
  }

  /** @returns whether there may be more to remove of the aspect */
  private async events(group: KeptGroup, limits: Limits, walk: Walk): Promise<boolean> {
    const newest = await this.repository.newestEvent(group);
    const type = await this.heads.typeOf(group.entity);
    if (newest === undefined || type === undefined) return false;
    const until = Math.min(limits.now - this.settings.timeseriesDays * DAY_MS, newest);
    if (limits.dryRun) {
      walk.add('events', type, group.aspect, await this.repository.countEvents(group, until));
      return false;
    }
    const old = await this.repository.events(group, until, SLICE);
    if (old.length === 0) return false;
    await this.repository.removeEvents(group, old);
    this.removed(old.length, { kind: 'events' });
    walk.add('events', type, group.aspect, old.length);
    return old.length === SLICE;
  }
}

/** What one walk has removed so far. */
class Walk {
  private readonly byAspect = new Map<string, RetentionReport['aspects'][number]>();
  private readonly counts = { history: 0, events: 0 };

  add(kind: 'history' | 'events', entityType: string, aspect: string, count: number): void {
    if (count === 0) return;
    this.counts[kind] += count;
    const key = `${entityType} ${aspect}`;
    const sum = this.byAspect.get(key)?.count ?? 0;
    this.byAspect.set(key, { entityType, aspect, count: sum + count });
  }

  get report(): RetentionReport {
    return { ...this.counts, aspects: [...this.byAspect.values()] };
  }
}

/** Whether a rule keeps a value no longer. */
function goes(
  { version, createdAt }: EarlierVersion,
  rule: RetentionRule,
  latest: number,
  now: number,
): boolean {
  const { versions = Infinity, ageMs = Infinity } = rule;
  return version <= latest - versions || createdAt < now - ageMs;
}

function writePlace({ table, entity, aspect }: Place): string {
  return JSON.stringify([table, entity, aspect]);
}

function readPlace(written: string): Place {
  const [, name, entity, aspect] = /^\["([a-z_]+)",(\d{1,15}),"([A-Za-z0-9]*)"\]$/.exec(written) ?? [];
  const table = KEPT_TABLES.find((known) => known === name);
  if (table === undefined || aspect === undefined)
    throw refuse('PARAMETER_INVALID', '"from" must be the "next" of an answer', '/from');
  return { table, entity: Number(entity), aspect };
}
