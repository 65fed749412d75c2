import type { Principal } from '../../../catalog/auth/index.js';
import {
  newTraceId,
  type AuditStamp,
  type ChangeProposal,
  type ProposalOutcome,
} from '../../../catalog/change/index.js';
import { CatalogError, refuse, type ErrorCode } from '../../../catalog/errors/index.js';
import type { PolicyContext, NewEntity } from '../../../catalog/extension/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';
import type { AspectSpec, Model } from '../../../catalog/model/index.js';
import type { AspectState, Transaction, TransactionOptions } from '../../../catalog/store/index.js';
import { applyPatch } from '../patch/apply-patch.js';
import { PatchBudget } from '../patch/patch-budget.js';
import { readPatchDocument } from '../patch/patch-document.js';
import { aspectTemplate } from './aspect-template.js';
import { valueOf, type Head, type StoredAspect } from './head.js';
import { meetsPreconditions } from './preconditions.js';
import { nextSystemMetadata } from './system-metadata.js';
import { timeseriesEvent } from './timeseries-event.js';
import { shown, viewOf } from './transaction-view.js';
import { WriteExtensions, type WriteExtension } from './write-extensions.js';
import type { WriteSession } from './write-session.js';

/** What one submission brings into the transaction. */
export interface WriteUnit {
  principal: Principal;
  proposals: readonly ChangeProposal[];
  /**
   * What must be written together with the proposals or not at all, such as a receipt. Runs inside their transaction
   * after they were carried out and before they are flushed; refuses them all by throwing a CatalogError, which it
   * must do before its first statement that writes. May run again when the transaction is repeated.
   */
  settle?(tx: Transaction, outcomes: readonly ProposalOutcome[]): Promise<void>;
  /** `process`: nobody was promised these writes; what is lost of them with the power is done again. Default `power`. */
  survives?: TransactionOptions['survives'];
  /** The trace of the request; made where one is needed. */
  trace?: string;
}

/** What an aspect may not grow beyond, characters of JSON, unless the configuration says otherwise. */
const MAX_ASPECT = 16 * 1024 * 1024;

/**
 * Applies the proposals of one unit to a session, in order: the heart of the write engine.
 * Source: specification, "States and transitions"; change types of the aspect API.
 */
export class ProposalWriter {
  private readonly extensions: WriteExtensions;

  constructor(
    private readonly model: Model,
    private readonly maxAspect = MAX_ASPECT,
  ) {
    this.extensions = new WriteExtensions(model);
  }

  /** Adds a rule of another module. @throws Error when it does not fit: start-up is refused then. */
  extendBy(extension: WriteExtension): void {
    this.extensions.add(extension);
  }

  /** URNs that policies will ask about. */
  mentions(proposals: readonly ChangeProposal[]): string[] {
    return proposals.flatMap((proposal) =>
      (this.extensions.policies(proposal.aspect.name) ?? []).flatMap(
        (policy) => policy.mentions?.(proposal) ?? [],
      ),
    );
  }

  async write(session: WriteSession, unit: WriteUnit, now: number): Promise<ProposalOutcome[]> {
    const stamp: AuditStamp = { time: now, actor: unit.principal.actor };
    const outcomes: ProposalOutcome[] = [];
    const budget = new PatchBudget();
    for (const proposal of unit.proposals) {
      outcomes.push(await this.writeOne(session, unit, proposal, stamp, budget));
    }
    return outcomes;
  }

  private async writeOne(
    session: WriteSession,
    unit: WriteUnit,
    proposal: ChangeProposal,
    stamp: AuditStamp,
    budget: PatchBudget,
  ): Promise<ProposalOutcome> {
    const head = session.head(proposal.urn.text);
    if (proposal.aspect.kind === 'timeseries') {
      return proposal.changeType === 'DELETE'
        ? this.removeEvents(session, unit, proposal, head, stamp)
        : this.writeEvent(session, unit, proposal, head, stamp);
    }
    const stored = await session.current(head, proposal.aspect.name);
    const form = this.extensions.form(proposal.aspect.name);
    const view = viewOf(session);
    const current = form && stored ? await shown(form, stored, view) : stored;
    const at = `${proposal.pointer}/changeType`;
    if (!meetsPreconditions(proposal, current)) return outcome(proposal, current, false);
    switch (proposal.changeType) {
      case 'DELETE':
        return this.remove(session, unit, proposal, head, current, stamp, stored);
      case 'CREATE':
        if (current !== undefined) {
          throw refuse(
            'ASPECT_EXISTS',
            `${proposal.urn.text} has ${proposal.aspect.name} already: CREATE is refused`,
            at,
          );
        }
        break;
      case 'CREATE_ENTITY':
        if (head.live)
          throw refuseAs(
            'ENTITY_EXISTS',
            proposal,
            `${proposal.urn.text} exists already`,
            'creates entities',
          );
        break;
      case 'UPDATE':
        if (current === undefined)
          throw refuseAs('ASPECT_NOT_FOUND', proposal, absence(proposal, head), 'updates');
        break;
      case 'PATCH':
        if (current === undefined && proposal.mustExist === true)
          throw refuseAs('ASPECT_NOT_FOUND', proposal, absence(proposal, head), 'updates');
        break;
      case 'UPSERT':
      case 'RESTATE':
        break;
    }
    const next = proposal.edit
      ? await this.edited(session, proposal, head, current, stamp)
      : this.nextValue(proposal, current, stamp, budget);
    if (next === undefined) return outcome(proposal, current, false);
    await this.judge(session, unit, proposal, stamp, next, current, stored);
    const kept = form ? await form.store(next, stored && valueOf(stored), view) : next;
    const text = JSON.stringify(kept);
    this.refuseGrowth(proposal, text.length, stored?.text.length ?? 0);
    if (current && stored && (stored.text === text || sameJson(valueOf(stored), kept))) {
      if (proposal.changeType === 'RESTATE')
        this.log(session, proposal, head, current.version, current.version, stamp);
      return outcome(proposal, current, false);
    }
    if (!head.live) await this.bringToLife(session, unit, proposal, head, stamp);
    const version = (current?.version ?? head.deleted.get(proposal.aspect.name) ?? 0) + 1;
    const written: StoredAspect = {
      text,
      parsed: kept,
      version,
      systemMetadata: nextSystemMetadata(proposal.systemMetadata, current, stamp, version),
      createdAt: stamp.time,
      createdBy: stamp.actor,
    };
    session.put(head, proposal.aspect, written);
    this.log(session, proposal, head, current?.version ?? 0, written.version, stamp);
    return outcome(proposal, form ? await shown(form, written, view) : written, true);
  }

  /** What came with a body fits; changes of what stands there can add up to more. */
  private refuseGrowth({ urn, aspect, pointer }: ChangeProposal, size: number, before: number): void {
    if (size <= this.maxAspect || size <= before) return;
    const message = `${aspect.name} of ${urn.text} may have ${this.maxAspect} characters, it would have ${size}`;
    throw refuse('ASPECT_TOO_LARGE', message, pointer);
  }

  /** The value that would stand there; undefined when a patch has nothing to take from what is not there. */
  private nextValue(
    proposal: ChangeProposal,
    current: StoredAspect | undefined,
    stamp: AuditStamp,
    budget: PatchBudget,
  ): Record<string, unknown> | undefined {
    if (proposal.changeType !== 'PATCH') return proposal.value as Record<string, unknown>;
    const { aspect } = proposal;
    const base = current ? valueOf(current) : aspectTemplate(this.model, aspect, stamp);
    const place = proposal.pointer + proposal.valuePointer;
    let next: Record<string, unknown>;
    try {
      const patch = readPatchDocument(proposal.value);
      if (current === undefined && patch.operations.every((o) => o.op === 'remove')) return undefined;
      next = applyPatch(aspect, base, patch, stamp, budget);
    } catch (error) {
      throw error instanceof CatalogError ? error.below(place) : error;
    }
    this.check(proposal, aspect, next, ' after the patch');
    return next;
  }

  private async edited(
    session: WriteSession,
    proposal: ChangeProposal,
    head: Head,
    current: StoredAspect | undefined,
    stamp: AuditStamp,
  ): Promise<Record<string, unknown> | undefined> {
    const value = current && structuredClone(valueOf(current));
    const next = await proposal.edit?.apply(value, {
      stamp: { ...stamp },
      exists: head.live,
      entityExists: (urn) => session.exists(urn),
      aspectOf: (urn, aspect) => session.lookUp(urn, aspect),
    });
    if (next !== undefined) this.check(proposal, proposal.aspect, next, ' after the change');
    return next;
  }

  /** Validates and completes a value. Throws ASPECT_INVALID with a pointer to each violation. */
  check(proposal: ChangeProposal, aspect: AspectSpec, value: unknown, when = ''): void {
    const violations = this.model.validate(aspect, value);
    if (violations.length > 0) {
      const place = proposal.pointer + proposal.valuePointer;
      const first = violations[0];
      throw new CatalogError(
        'ASPECT_INVALID',
        `${aspect.name} of ${proposal.urn.text} is not valid${when}: ${first?.pointer} ${first?.message}`.trim(),
        violations.map((v) => ({ pointer: place + v.pointer, message: v.message })),
      );
    }
    this.extensions.complete(aspect.name, value as Record<string, unknown>);
  }

  private async judge(
    session: WriteSession,
    unit: WriteUnit,
    proposal: ChangeProposal,
    stamp: AuditStamp,
    next: Record<string, unknown> | undefined,
    current: StoredAspect | undefined,
    stored: StoredAspect | undefined = current,
  ): Promise<void> {
    const policies = this.extensions.policies(proposal.aspect.name);
    if (policies === undefined) return;
    const head = session.head(proposal.urn.text);
    const context: PolicyContext = {
      principal: unit.principal,
      now: stamp.time,
      next,
      current: current && asState(proposal.aspect.name, current),
      stored: stored && valueOf(stored),
      requested: (urn) => new Set(givenAspects(unit).get(urn)?.keys()),
      claim: (name) => session.claims.claim(name, head),
      release: (name) => session.claims.release(name, head),
      ...viewOf(session),
    };
    for (const policy of policies) await policy.judge(proposal, context);
  }

  private async remove(
    session: WriteSession,
    unit: WriteUnit,
    proposal: ChangeProposal,
    head: Head,
    current: StoredAspect | undefined,
    stamp: AuditStamp,
    stored: StoredAspect | undefined,
  ): Promise<ProposalOutcome> {
    const isKey = proposal.aspect === proposal.entity.key;
    if (isKey ? !head.live : current === undefined) {
      return { ...outcome(proposal, undefined, false), removed: { rows: 0, events: 0 } };
    }
    if (proposal.ifSequence !== undefined && proposal.ifSequence !== head.sequence) {
      throw refuse(
        'PRECONDITION_FAILED',
        `${head.urn} has changed in the meantime: it is at sequence ${head.sequence} now`,
        proposal.pointer,
      );
    }
    await this.judge(session, unit, proposal, stamp, undefined, current, stored);
    const removed = await session.stored(head, isKey ? undefined : proposal.aspect.name);
    if (isKey) session.dropEntity(head);
    else session.drop(head, proposal.aspect);
    this.log(session, proposal, head, current?.version ?? 0, 0, stamp);
    const gone = { ...outcome(proposal, undefined, true), removed };
    if (!isKey || !proposal.entity.clearReferences || proposal.keepReferences === true) return gone;
    const clearing = (unit.trace ??= newTraceId());
    session.clearReferences({ trace: clearing, urn: head.urn, actor: stamp.actor, time: stamp.time });
    return { ...gone, clearing };
  }

  private async removeEvents(
    session: WriteSession,
    unit: WriteUnit,
    proposal: ChangeProposal,
    head: Head,
    stamp: AuditStamp,
  ): Promise<ProposalOutcome> {
    await this.judge(session, unit, proposal, stamp, undefined, undefined);
    const events = head.live
      ? await session.dropEvents(head, proposal.aspect.name, proposal.events ?? {})
      : 0;
    if (events > 0) this.log(session, proposal, head, 0, 0, stamp);
    return { ...outcome(proposal, undefined, events > 0), removed: { rows: 0, events } };
  }

  private async writeEvent(
    session: WriteSession,
    unit: WriteUnit,
    proposal: ChangeProposal,
    head: Head,
    stamp: AuditStamp,
  ): Promise<ProposalOutcome> {
    const value = proposal.value as Record<string, unknown>;
    await this.judge(session, unit, proposal, stamp, value, undefined);
    if (!head.live) await this.bringToLife(session, unit, proposal, head, stamp);
    const systemMetadata = nextSystemMetadata(proposal.systemMetadata, undefined, stamp);
    session.addEvent({
      head,
      aspect: proposal.aspect.name,
      ...timeseriesEvent(value),
      systemMetadata,
      createdAt: stamp.time,
      createdBy: stamp.actor,
    });
    return { ...outcome(proposal, undefined, true), value, version: 1, systemMetadata };
  }

  /**
   * The first write of an entity brings its key aspect, and default aspects that the request does not bring itself.
   */
  private async bringToLife(
    session: WriteSession,
    unit: WriteUnit,
    proposal: ChangeProposal,
    head: Head,
    stamp: AuditStamp,
  ): Promise<void> {
    const { entity, urn } = proposal;
    const { key } = this.model.keyFromUrn(urn);
    session.create(head, stamp.time, stamp.actor);
    const given = givenAspects(unit).get(urn.text) ?? new Map<string, ChangeProposal>();
    const systemMetadata = nextSystemMetadata(proposal.systemMetadata, undefined, stamp);
    const add = async (name: string, value: Record<string, unknown> | undefined): Promise<void> => {
      const aspect = entity.aspects.get(name);
      if (aspect === undefined || value === undefined || given.has(name)) return;
      const stored: StoredAspect = {
        text: JSON.stringify(value),
        parsed: value,
        version: 1,
        systemMetadata,
        createdAt: stamp.time,
        createdBy: stamp.actor,
      };
      session.put(head, aspect, stored);
      this.log(session, { ...proposal, aspect, changeType: 'CREATE' }, head, 0, 1, stamp);
    };
    await add(entity.key.name, key);
    const created: NewEntity = {
      entity,
      urn,
      key,
      aspectOf: async (of, aspect) => {
        const coming = of === urn.text ? given.get(aspect) : undefined;
        if (coming?.changeType === 'UPSERT') return coming.value as Record<string, unknown>;
        return session.lookUp(of, aspect);
      },
    };
    for (const start of this.extensions.defaults()) {
      const wanted = entity.has(start.aspect) && !given.has(start.aspect);
      if (wanted) await add(start.aspect, await start.valueFor(created));
    }
  }

  private log(
    session: WriteSession,
    proposal: ChangeProposal,
    head: Head,
    before: number,
    after: number,
    stamp: AuditStamp,
  ): void {
    session.logChange({
      head,
      aspect: proposal.aspect.name,
      changeType: proposal.changeType,
      before,
      after,
      actor: stamp.actor,
      time: stamp.time,
      runId: proposal.systemMetadata.runId ?? '',
    });
  }
}

const GIVEN = new WeakMap<WriteUnit, Map<string, Map<string, ChangeProposal>>>();

/** What a unit brings, by URN and aspect. */
function givenAspects(unit: WriteUnit): Map<string, Map<string, ChangeProposal>> {
  let given = GIVEN.get(unit);
  if (given !== undefined) return given;
  GIVEN.set(unit, (given = new Map<string, Map<string, ChangeProposal>>()));
  for (const proposal of unit.proposals) {
    if (proposal.changeType === 'DELETE') continue;
    let aspects = given.get(proposal.urn.text);
    if (aspects === undefined) given.set(proposal.urn.text, (aspects = new Map<string, ChangeProposal>()));
    if (!aspects.has(proposal.aspect.name)) aspects.set(proposal.aspect.name, proposal);
  }
  return given;
}

/** What is missing. */
function absence({ urn, aspect }: ChangeProposal, { live }: Head): string {
  return live ? `${urn.text} has no ${aspect.name}` : `${urn.text} does not exist`;
}

/** A refusal that names what in the request asks for it. */
function refuseAs(code: ErrorCode, proposal: ChangeProposal, found: string, does: string): CatalogError {
  const { askedBy, changeType, pointer } = proposal;
  const message = `${found}, and ${askedBy ?? changeType} only ${does}`;
  return refuse(code, message, askedBy ? `/${askedBy.split('=')[0]}` : `${pointer}/changeType`);
}

function outcome(
  proposal: ChangeProposal,
  stored: StoredAspect | undefined,
  changed: boolean,
): ProposalOutcome {
  const base = {
    urn: proposal.urn.text,
    entityType: proposal.entity.name,
    aspect: proposal.aspect.name,
    changed,
    version: stored?.version ?? 0,
  };
  // Writes are answered on every surface by what is said here.
  if (proposal.aspect.secret) return base;
  return stored ? { ...base, value: valueOf(stored), systemMetadata: stored.systemMetadata } : base;
}

function asState(name: string, stored: StoredAspect): AspectState {
  return {
    name,
    value: valueOf(stored),
    version: stored.version,
    systemMetadata: stored.systemMetadata,
    created: { time: stored.createdAt, actor: stored.createdBy },
  };
}
