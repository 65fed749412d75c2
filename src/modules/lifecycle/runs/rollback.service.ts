import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { authorizeWhole, type Principal } from '../../../catalog/auth/index.js';
import type { ProposalOutcome } from '../../../catalog/change/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import { Model } from '../../../catalog/model/index.js';
import { turn } from '../../../catalog/schedule/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { IngestService, NO_RUN_ID } from '../../ingest/index.js';
import { deletionOf } from '../proposals.js';
import { RollbackPlanner, type EntityPlan } from './rollback-planner.js';
import { HeadRepository, RunRepository, type RunPosition } from '../../entities/index.js';

/** Rows of a run looked at a time. */
const PAGE = 200;
/** What one transaction takes at most. */
const MAX_PROPOSALS = 500;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** Entities, and rows, named in the answer. */
const NAMED = 1_000;
const SAMPLE = 100;
/** How often an entity is planned that changes all the time. */
const ATTEMPTS = 5;

interface Rollback {
  runId: string;
  /** Writes nothing, answers what would be. */
  dryRun: boolean;
  /** Deletes the entities that came with the run also where they carry something of others. */
  nuke: boolean;
}

/** Proposals that are refused together. */
type Part = Pick<EntityPlan, 'urn' | 'proposals'>;

interface RollbackReport {
  /** The first of what the run wrote and is gone. */
  aspectRowSummaries: Array<{ runId: string; urn: string; aspectName: string; timestamp: number }>;
  /** Aspects of others on entities that came with the run. */
  aspectsAffected: number;
  /** Entities that came with the run and are deleted or hidden. */
  entitiesAffected: number;
  /** Those of them that are deleted. */
  entitiesDeleted: number;
  /** Aspects that went back to what they were, and events that are gone. */
  aspectsReverted: number;
  unsafeEntitiesCount: number;
  /** The first entities that carry something of others, or that could not be rolled back. */
  unsafeEntities: Array<{ urn: string; reason?: string }>;
}

/**
 * Undoes what a run wrote, as ordinary changes in bounded transactions: see docs/adr/0006. It can be repeated, and goes
 * on where it was interrupted.
 */
@Injectable()
export class RollbackService {
  constructor(
    private readonly model: Model,
    private readonly repository: RunRepository,
    private readonly heads: HeadRepository,
    private readonly planner: RollbackPlanner,
    private readonly ingest: IngestService,
  ) {}

  async rollback(principal: Principal, rollback: Rollback): Promise<RollbackReport> {
    authorizeWhole(principal, rollback.dryRun ? 'read' : 'delete');
    if (rollback.runId === NO_RUN_ID) {
      throw refuse('PARAMETER_INVALID', 'writes that named no run are not one run to roll back', '/runId');
    }
    const report: RollbackReport = {
      aspectRowSummaries: [],
      aspectsAffected: 0,
      entitiesAffected: 0,
      entitiesDeleted: 0,
      aspectsReverted: 0,
      unsafeEntitiesCount: 0,
      unsafeEntities: [],
    };
    // Events first: an entity that is deleted takes its own along, and they should be counted.
    await this.events(principal, rollback, report);
    await this.entities(principal, rollback, report);
    return report;
  }

  private async events(
    principal: Principal,
    { runId, dryRun }: Rollback,
    report: RollbackReport,
  ): Promise<void> {
    if (dryRun) {
      const sample = { start: 0, count: SAMPLE, includeSoft: true, includeAspect: false };
      for (const row of await this.repository.rows('timeseries_aspect', runId, sample)) {
        summarize(report, runId, row.urn, row);
      }
      report.aspectsReverted += await this.repository.count('timeseries_aspect', runId, true);
      return;
    }
    let last: RunPosition | undefined;
    for (;;) {
      const page = await this.repository.page('timeseries_aspect', runId, PAGE, last);
      const urns = await this.heads.urnsOf(page.map((row) => row.entity_id));
      const series = new Map(page.map((row) => [seriesOf(row), row]));
      const parts = new Map<string, Part>();
      for (const [key, { entity_id, aspect: name }] of series) {
        const urn = parseUrn(urns.get(entity_id) ?? '');
        const entity = this.model.entities.get(urn.type);
        const aspect = entity?.aspects.get(name);
        if (!entity || !aspect) {
          unsafe(report, urn.text, `the model no longer has ${name}`);
          continue;
        }
        const proposal = deletionOf({ entity, urn, aspect }, { events: { runId } });
        parts.set(key, { urn: urn.text, proposals: [proposal] });
      }
      // What will be gone cannot be read afterwards, and what was refused is known only then.
      const room = SAMPLE - report.aspectRowSummaries.length;
      const rows = room === 0 ? [] : await this.repository.eventsOf(runId, [...series.values()], SAMPLE);
      const refused = new Set<Part>();
      const outcomes = await this.submit(principal, [...parts.values()], report, refused);
      for (const { removed } of outcomes) report.aspectsReverted += removed?.events ?? 0;
      for (const row of rows) {
        const part = parts.get(seriesOf(row));
        if (part !== undefined && !refused.has(part)) summarize(report, runId, part.urn, row);
      }
      last = page.at(-1);
      if (page.length < PAGE) return;
    }
  }

  private async entities(principal: Principal, rollback: Rollback, report: RollbackReport): Promise<void> {
    const { runId, nuke } = rollback;
    let last: RunPosition | undefined;
    let before = new Set<number>();
    for (;;) {
      const page = await this.repository.page('aspect', runId, PAGE, last);
      const ids = [...new Set(page.map((row) => row.entity_id))];
      const batch = new Batch();
      for (const entity of await this.repository.entities(runId, ids)) {
        // An entity's turn is where its first row stands; what it has left from its turn may come by again.
        if (before.has(entity.id) || entity.own.some((row) => last && comesBefore(row, last))) continue;
        // It reads the versions of the run, of which there may be many.
        await turn();
        batch.add(await this.planner.plan(runId, entity, nuke));
        if (batch.isFull()) await this.carryOut(principal, rollback, batch.take(), report);
      }
      await this.carryOut(principal, rollback, batch.take(), report);
      before = new Set(ids);
      last = page.at(-1);
      if (page.length < PAGE) return;
      await setImmediate();
    }
  }

  private async carryOut(
    principal: Principal,
    rollback: Rollback,
    plans: readonly EntityPlan[],
    report: RollbackReport,
    attempts = ATTEMPTS,
  ): Promise<void> {
    const { runId, dryRun, nuke } = rollback;
    const refused = new Set<Part>();
    const overtaken = new Set<Part>();
    if (!dryRun) await this.submit(principal, plans, report, refused, attempts > 1 ? overtaken : undefined);
    for (const plan of plans) {
      if (refused.has(plan)) continue;
      report.aspectsReverted += plan.reverted;
      for (const row of plan.rows) summarize(report, runId, plan.urn, row);
      if (plan.fate !== 'kept') report.entitiesAffected += 1;
      if (plan.fate === 'deleted') report.entitiesDeleted += 1;
      // An entity that has been hidden, and stripped of what the run wrote, is nothing to warn of again.
      const idle = plan.proposals.length === 0 && plan.reason === undefined;
      if (idle) continue;
      report.aspectsAffected += plan.affected;
      if (plan.unsafe || plan.reason !== undefined) unsafe(report, plan.urn, plan.reason);
    }
    // Others wrote to them, or the rollback itself did by what follows from its changes.
    const anew = plans.filter((plan) => overtaken.has(plan)).map(({ id }) => id);
    for (const id of anew) {
      for (const entity of await this.repository.entities(runId, [id])) {
        const plan = await this.planner.plan(runId, entity, nuke);
        await this.carryOut(principal, rollback, [plan], report, attempts - 1);
      }
    }
  }

  /**
   * All in one transaction; when something is refused, entity by entity, so that one blocks no other.
   * @param overtaken takes, where it is given, what has changed since it was planned, instead of the report
   */
  private async submit(
    principal: Principal,
    parts: readonly Part[],
    report: RollbackReport,
    refused: Set<Part>,
    overtaken?: Set<Part>,
  ): Promise<ProposalOutcome[]> {
    try {
      return await this.ingest.submit(
        principal,
        parts.flatMap(({ proposals }) => proposals),
      );
    } catch (error) {
      // Whether the caller may roll back is settled: what is forbidden here is one entity, such as membership of groups.
      if (!(error instanceof CatalogError)) throw error;
      const [only] = parts;
      if (parts.length === 1 && only) {
        refused.add(only);
        if (error.kind === 'precondition' && overtaken) overtaken.add(only);
        else unsafe(report, only.urn, error.message);
        return [];
      }
    }
    const outcomes: ProposalOutcome[] = [];
    for (const part of parts)
      outcomes.push(...(await this.submit(principal, [part], report, refused, overtaken)));
    return outcomes;
  }
}

/** Plans that wait for their transaction. */
class Batch {
  private plans: EntityPlan[] = [];
  private proposals = 0;
  private characters = 0;

  add(plan: EntityPlan): void {
    this.plans.push(plan);
    this.proposals += plan.proposals.length;
    this.characters += plan.size;
  }

  isFull(): boolean {
    return this.proposals >= MAX_PROPOSALS || this.characters >= MAX_CHARACTERS;
  }

  take(): EntityPlan[] {
    const { plans } = this;
    [this.plans, this.proposals, this.characters] = [[], 0, 0];
    return plans;
  }
}

/** Events of one aspect of one entity: they go together. */
const seriesOf = ({ entity_id, aspect }: RunPosition): string => `${entity_id}\n${aspect}`;

function comesBefore(row: RunPosition, other: RunPosition): boolean {
  if (row.created_at !== other.created_at) return row.created_at < other.created_at;
  if (row.entity_id !== other.entity_id) return row.entity_id < other.entity_id;
  return row.aspect <= other.aspect;
}

function summarize(
  report: RollbackReport,
  runId: string,
  urn: string,
  { aspect, created_at }: Pick<RunPosition, 'aspect' | 'created_at'>,
): void {
  if (report.aspectRowSummaries.length === SAMPLE) return;
  report.aspectRowSummaries.push({ runId, urn, aspectName: aspect, timestamp: created_at });
}

function unsafe(report: RollbackReport, urn: string, reason?: string): void {
  report.unsafeEntitiesCount += 1;
  if (report.unsafeEntities.length < NAMED) {
    report.unsafeEntities.push({ urn, ...(reason !== undefined && { reason }) });
  }
}
