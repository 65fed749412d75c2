import { Injectable } from '@nestjs/common';
import type { ChangeProposal } from '../../../catalog/change/index.js';
import { readJson } from '../../../catalog/json/index.js';
import { Model, type AspectSpec, type EntitySpec } from '../../../catalog/model/index.js';
import { parseUrn, type Urn } from '../../../catalog/urn/index.js';
import {
  AspectValueRepository,
  ReadFilters,
  RunRepository,
  type RunPosition,
  type StoredVersion,
  type TouchedEntity,
} from '../../entities/index.js';
import { deletionOf, upsertOf, WHERE_IT_IS } from '../proposals.js';
import { restoringMetadata, valueBefore } from './value-before.js';

/** What a rollback does to one entity. */
export interface EntityPlan {
  id: number;
  urn: string;
  proposals: ChangeProposal[];
  /** Characters of JSON in the proposals. */
  size: number;
  /** Aspects that go back to what they were, the key aspect not counted. */
  reverted: number;
  /** What the run wrote and is gone afterwards. */
  rows: RunPosition[];
  /** Whether the entity came with the run: it is deleted, or hidden. */
  fate: 'kept' | 'hidden' | 'deleted';
  /** Aspects of others on an entity that came with the run. */
  affected: number;
  /** Whether the entity came with the run and carries something of others. */
  unsafe: boolean;
  /** Why something stays that should go. */
  reason?: string;
}

interface Revert {
  row: RunPosition;
  proposal: ChangeProposal;
  size: number;
  /** Whether a value of another writer comes back. */
  restores: boolean;
  /** What does not, and why. */
  reason?: string;
}

/** Works out how an entity gets rid of what a run wrote. Reads only. */
@Injectable()
export class RollbackPlanner {
  constructor(
    private readonly model: Model,
    private readonly repository: RunRepository,
    private readonly values: AspectValueRepository,
    private readonly filters: ReadFilters,
  ) {}

  /**
   * @param nuke whether an entity that came with the run is deleted although it carries something of others.
   */
  async plan(run: string, touched: TouchedEntity, nuke: boolean): Promise<EntityPlan> {
    const urn = parseUrn(touched.urn);
    const entity = this.model.entities.get(touched.type);
    if (entity === undefined) return this.stuck(touched, `the model no longer has ${touched.type}`);
    const created = touched.own.some(({ aspect }) => aspect === entity.key.name);
    const reverts: Revert[] = [];
    let reason: string | undefined;
    for (const row of touched.own) {
      if (row.aspect === entity.key.name) continue;
      const revert = await this.revert(run, entity, touched, row);
      if (typeof revert === 'string') reason ??= revert;
      else if (revert) {
        reverts.push(revert);
        reason ??= revert.reason;
      }
    }
    const base = { id: touched.id, urn: touched.urn, ...(reason !== undefined && { reason }) };
    if (!created) return { ...base, ...totals(reverts), fate: 'kept', affected: 0, unsafe: false };
    const carries =
      touched.others > 0 ||
      reason !== undefined ||
      reverts.some((revert) => revert.restores) ||
      (await this.repository.hasOtherEvents(touched.id, run));
    const affected = touched.others;
    if (!carries || nuke) {
      // What others refer to comes back with the next run.
      const guard = { keepReferences: true, ...(!nuke && { ifSequence: touched.sequence }) };
      const proposals = [deletionOf({ entity, urn, aspect: entity.key }, guard)];
      const rows = touched.own;
      const gone = { proposals, size: 0, rows, reverted: rows.length - 1 };
      return { id: touched.id, urn: touched.urn, ...gone, fate: 'deleted', affected, unsafe: carries };
    }
    const status = entity.aspects.get('status');
    const kept = { ...base, affected, unsafe: true };
    // What is hidden already stays as it is, its status included.
    const others = reverts.filter(({ proposal }) => proposal.aspect !== status);
    if (status === undefined) return { ...kept, ...totals(reverts), fate: 'kept' };
    const plan = totals(others);
    if (touched.removed) return { ...kept, ...plan, fate: 'kept' };
    plan.proposals.push(upsertOf({ entity, urn, aspect: status }, { removed: true }));
    return { ...kept, ...plan, fate: 'hidden' };
  }

  /** What brings an aspect back to what it was; nothing when it says the same; a text when it cannot be done. */
  private async revert(
    run: string,
    entity: EntitySpec,
    touched: TouchedEntity,
    row: RunPosition,
  ): Promise<Revert | string | undefined> {
    const { entity_id: id, aspect: name } = row;
    const urn = parseUrn(touched.urn);
    const aspect: AspectSpec | undefined = entity.aspects.get(name);
    if (aspect === undefined) return `the model no longer has ${name}`;
    const latest = await this.values.latest(id, name);
    if (latest === undefined) return undefined;
    const before = await valueBefore(
      run,
      latest,
      (version) => this.values.earlier(id, name, version),
      await this.values.deleted(id, name),
    );
    if (before === 'unknown') return `it is no longer known what ${name} was before`;
    const at = { entity, urn, aspect };
    // What follows from other changes of the rollback may write the aspect before.
    const guard = { ifSequence: touched.sequence };
    if (before === 'nothing') return { row, proposal: deletionOf(at, guard), size: 0, restores: false };
    // Like any writer, a rollback writes what can be seen: the store may keep more of a value, see AspectCodec.
    // Nothing of a secret is answered, so it is restored as it stands in the store.
    const visible = (stored: StoredVersion): string | undefined | Promise<string | undefined> =>
      aspect.secret ? stored.value : this.shown(urn, name, stored);
    const text = await visible(before);
    const reason = (await this.hidesOther(name, latest, before))
      ? `values of ${name} that are hidden now stay as they are`
      : undefined;
    if (text === (await visible(latest))) return reason;
    if (text === undefined) return `what ${name} was before can no longer be seen`;
    const value = readJson(text) as Record<string, unknown>;
    const proposal = upsertOf(at, value, {
      ...guard,
      ...WHERE_IT_IS,
      systemMetadata: restoringMetadata(before),
    });
    return { row, proposal, size: text.length, restores: true, ...(reason !== undefined && { reason }) };
  }

  private async shown(urn: Urn, name: string, stored: StoredVersion): Promise<string | undefined> {
    return (await this.filters.shown(urn.text, aspectOf(name, stored)))?.value;
  }

  /** Whether two versions differ in what is hidden, which a rollback does not touch. */
  private async hidesOther(name: string, latest: StoredVersion, before: StoredVersion): Promise<boolean> {
    const [now, then] = [
      await this.filters.hidden(aspectOf(name, latest)),
      await this.filters.hidden(aspectOf(name, before)),
    ];
    return now.size !== then.size || [...now].some((part) => !then.has(part));
  }

  private stuck(touched: TouchedEntity, reason: string): EntityPlan {
    return {
      id: touched.id,
      urn: touched.urn,
      proposals: [],
      size: 0,
      rows: [],
      reverted: 0,
      fate: 'kept',
      affected: 0,
      unsafe: true,
      reason,
    };
  }
}

function aspectOf(name: string, { value, version, system_metadata: systemMetadata }: StoredVersion) {
  return { name, value, version, systemMetadata, created: { time: 0, actor: '' } };
}

function totals(reverts: readonly Revert[]): Pick<EntityPlan, 'proposals' | 'size' | 'rows' | 'reverted'> {
  return {
    proposals: reverts.map(({ proposal }) => proposal),
    size: reverts.reduce((sum, { size }) => sum + size, 0),
    rows: reverts.map(({ row }) => row),
    reverted: reverts.length,
  };
}
