import {
  newTraceId,
  type AuditStamp,
  type ChangeProposal,
  type ProposalOutcome,
} from '../../../catalog/change/index.js';
import type { compatibilityWith } from '../../../catalog/compatibility/index.js';
import { CatalogError, refuse } from '../../../catalog/errors/index.js';
import type {
  Following,
  FollowingChange,
  PolicyContext,
  SideEffect,
} from '../../../catalog/extension/index.js';
import type { Model } from '../../../catalog/model/index.js';
import { TimeSlices, type Steps } from '../../../catalog/schedule/index.js';
import type { AspectState } from '../../../catalog/store/index.js';
import { parseUrn } from '../../../catalog/urn/index.js';
import { PatchBudget } from '../patch/patch-budget.js';
import { authorized, authorizeDeletion } from './authorize-change.js';
import { DecideStep, refuseAbsent } from './decide-step.js';
import { parseAhead, valueOf, type AspectVersion, type Value } from './head.js';
import { meetsPreconditions } from './preconditions.js';
import {
  deletionOf,
  entryOf,
  outcomeOf,
  type ProposalContext,
  type VersionedContext,
} from './proposal-context.js';
import { StoreStep } from './store-step.js';
import { creatingAspects, type Submission } from './submission.js';
import { SubmissionResources } from './submission-resources.js';
import { nextSystemMetadata, shownMetadata } from './system-metadata.js';
import { timeseriesEvent } from './timeseries-event.js';
import { shown, viewOf } from './transaction-view.js';
import type { UnitOfWork } from './unit-of-work.js';
import { WriteExtensions, type WriteExtension } from './write-extensions.js';

/** The largest aspect, characters of JSON, unless the configuration says otherwise. */
const MAX_ASPECT = 16 * 1024 * 1024;

/**
 * Processes the proposals of a submission in a unit of work, in order. Each proposal takes three steps: {@link DecideStep}
 * finds the next value, {@link judge} asks the policies, {@link StoreStep} puts the value into the unit of work.
 * Source: specification, "States and transitions"; change types of the aspect API.
 */
export class ProposalProcessor {
  private readonly extensions: WriteExtensions;
  private readonly deciding: DecideStep;
  private readonly storing: StoreStep;

  constructor(
    private readonly model: Model,
    maxAspect = MAX_ASPECT,
    compatibility?: ReturnType<typeof compatibilityWith>,
  ) {
    this.extensions = new WriteExtensions(model);
    this.deciding = new DecideStep(model, this.extensions, compatibility);
    this.storing = new StoreStep(model, this.extensions, maxAspect);
  }

  /** Adds a rule of another module. @throws Error when it does not fit: the start fails then. */
  extendBy(extension: WriteExtension): void {
    this.extensions.add(extension);
  }

  /** The name of the key aspect of a type of entities. */
  readonly keyOf = (entityType: string): string | undefined => this.model.findEntity(entityType)?.key.name;

  /** URNs that policies will ask about. */
  mentions(proposals: readonly ChangeProposal[]): string[] {
    return proposals.flatMap((proposal) =>
      (this.extensions.policies(proposal.aspect.name) ?? []).flatMap(
        (policy) => policy.mentions?.(proposal) ?? [],
      ),
    );
  }

  /** Entities that side effects will change, as far as the proposals say, with their types. */
  alsoChanges(proposals: readonly ChangeProposal[]): Map<string, string> {
    const urns = proposals.flatMap(
      (proposal) => this.extensions.effect(proposal.aspect.name)?.alsoChanges(proposal) ?? [],
    );
    return new Map(urns.map((urn) => [urn, parseUrn(urn).type]));
  }

  /** Validates and completes a value. @throws CatalogError ASPECT_INVALID with a pointer to each violation */
  check(proposal: ChangeProposal): void {
    this.deciding.check(proposal, proposal.aspect, proposal.value);
  }

  /** {@link check} of a large value, in steps. */
  checkInSteps(proposal: ChangeProposal): Steps<void> {
    return this.deciding.checkInSteps(proposal, proposal.aspect, proposal.value);
  }

  /** @throws CatalogError when a proposal is refused; the caller rolls the submission back */
  async process(work: UnitOfWork, submission: Submission, now: number): Promise<ProposalOutcome[]> {
    const stamp: AuditStamp = { time: now, actor: submission.principal.actor };
    const resources = new SubmissionResources(work, submission, this.model);
    const made = new Set<string>();
    const shared = {
      work,
      submission,
      stamp,
      resources,
      made,
      budget: new PatchBudget(),
      slices: new TimeSlices(),
      creating: creatingAspects(submission, (proposal) => this.extensions.creates(proposal)),
      view: viewOf(work),
    };
    const carryOut = async (proposal: ChangeProposal): Promise<ProposalOutcome> => {
      await shared.slices.over();
      return this.processOne({ ...shared, proposal, head: work.head(proposal.urn.text) });
    };
    const early = new Map<number, ProposalOutcome>();
    for (const [at, proposal] of this.neededByOthers(work, submission))
      early.set(at, await carryOut(proposal));
    const outcomes: ProposalOutcome[] = [];
    for (const [at, proposal] of submission.proposals.entries())
      outcomes.push(early.get(at) ?? (await carryOut(proposal)));
    return outcomes;
  }

  /**
   * The proposals that go first, as others of the submission may need them: the first definition of a structured
   * property that does not exist. It keeps its place where a deletion of the property comes before it.
   */
  private neededByOthers(work: UnitOfWork, { proposals }: Submission): Array<[number, ChangeProposal]> {
    const needed = (proposal: ChangeProposal): boolean =>
      this.extensions.neededByOthers(proposal.aspect.name) && !work.head(proposal.urn.text).live;
    if (proposals.length === 1 || !proposals.some(needed)) return [];
    const seen = new Set<string>();
    return [...proposals.entries()].filter(([, proposal]) => {
      const { urn, changeType } = proposal;
      const chosen = !seen.has(urn.text) && changeType !== 'DELETE' && needed(proposal);
      if (chosen || changeType === 'DELETE') seen.add(urn.text);
      return chosen;
    });
  }

  private async processOne(asked: ProposalContext): Promise<ProposalOutcome> {
    const { proposal, submission } = asked;
    const { access } = submission.principal;
    const judged = access !== undefined && proposal.ofCaller !== true;
    const context = judged ? await authorized(asked, access) : asked;
    const deletes = proposal.changeType === 'DELETE';
    if (proposal.aspect.kind === 'timeseries')
      return deletes ? this.deleteEvents(context) : this.appendEvent(context);
    const versioned = await this.versioned(context);
    const met = meetsPreconditions(proposal, versioned.current);
    if (deletes) return this.delete(versioned);

    refuseChanged(versioned);
    const decided = met ? await this.deciding.decide(versioned) : undefined;
    if (decided === undefined) return outcomeOf(proposal, versioned.current, false);
    if (context.hidden) throw context.hidden;
    await context.slices.over();
    const effect = this.extensions.effect(proposal.aspect.name);
    const followed = effect && (await this.follow(effect, versioned, decided));
    const { next = decided, others = [], edits = [] } = followed ?? {};
    await this.authorizeEdits(context, edits);
    await this.judge(versioned, next);
    await context.slices.over();
    const outcome = await this.storing.store(versioned, next);
    for (const other of others) await this.carryOut(context, other);
    return outcome;
  }

  private async versioned(context: ProposalContext): Promise<VersionedContext> {
    const { work, head, proposal, view } = context;
    const stored = await work.current(head, proposal.aspect.name);
    const codec = this.extensions.codec(proposal.aspect.name);
    // An edit gets a copy of its own.
    if (proposal.changeType === 'PATCH' || codec) await parseAhead(stored, context.slices);
    const current = codec && stored ? await shown(codec, stored, view) : stored;
    return { ...context, codec, stored, current };
  }

  /** Step 2: asks the policies of the aspect. @throws CatalogError what a policy refuses */
  private async judge(
    context: ProposalContext & Partial<VersionedContext>,
    next: Value | undefined,
  ): Promise<void> {
    const { work, submission, proposal, stamp, head, view, resources, slices, creating, current, stored } =
      context;
    const policies = this.extensions.policies(proposal.aspect.name);
    if (policies === undefined) return;
    await parseAhead(current, slices);
    await parseAhead(stored, slices);
    const seen: PolicyContext = {
      principal: submission.principal,
      now: stamp.time,
      next,
      current: current && stateOf(proposal.aspect.name, current),
      stored: stored && valueOf(stored),
      requested: creating,
      claim: (name) => work.names.claim(name, head),
      release: (name) => work.names.release(name, head),
      ...view,
      entityExists: (urn) => resources.exists(urn),
    };
    for (const policy of policies) await policy.judge(proposal, seen);
  }

  // Side effects ------------------------------------------------------------------------------------------------------

  /** What follows from a value, or from its deletion. */
  private async follow(
    effect: SideEffect,
    { work, head, proposal, view, slices }: ProposalContext,
    next: Value | undefined,
  ): Promise<Following> {
    const stored = await work.current(head, effect.aspect);
    await parseAhead(stored, slices);
    const referring = work.referring.bind(work);
    try {
      return await effect.follow(
        { urn: head.urn, before: stored && valueOf(stored), next },
        { ...view, referring },
      );
    } catch (error) {
      throw error instanceof CatalogError ? error.below(proposal.pointer + proposal.valuePointer) : error;
    }
  }

  /** Stores a change that follows from another, with its actor. */
  private async carryOut(
    context: ProposalContext,
    { urn, aspect: name, next, marks = false }: FollowingChange,
  ): Promise<void> {
    const changed = await this.following(context, urn, name, next === undefined ? 'DELETE' : 'UPSERT');
    const versioned = await this.versioned(changed);
    const { stored, proposal } = versioned;
    if (next === undefined) await this.delete(versioned);
    else if (marks && stored) {
      const systemMetadata = shownMetadata(stored);
      await this.storing.store({ ...versioned, proposal: { ...proposal, systemMetadata } }, next);
    } else await this.storing.store(versioned, next);
  }

  /** The context of a change that follows from another. */
  private async following(
    context: ProposalContext,
    urn: string,
    name: string,
    changeType: 'DELETE' | 'UPSERT',
  ): Promise<ProposalContext> {
    const parsed = parseUrn(urn);
    const entity = this.model.findEntity(parsed.type);
    const aspect = entity?.aspects.get(name);
    if (entity === undefined || aspect === undefined) throw new Error(`${urn} has no ${name}`);
    const head = await context.work.hold(urn, entity.name, context.stamp);
    const { systemMetadata, pointer, valuePointer } = context.proposal;
    const proposal = { entity, urn: parsed, aspect, systemMetadata, pointer, valuePointer, changeType };
    return { ...context, proposal, head, hidden: undefined };
  }

  /**
   * Authorizes the edits of other entities that a change amounts to.
   * @throws CatalogError NOT_ALLOWED
   */
  private async authorizeEdits(context: ProposalContext, edits: Following['edits']): Promise<void> {
    const { submission, proposal } = context;
    const { access } = submission.principal;
    if (access === undefined || proposal.ofCaller === true) return;
    for (const { urn, aspect } of edits) {
      const { hidden } = await authorized(await this.following(context, urn, aspect, 'UPSERT'), access);
      if (hidden) throw hidden;
    }
  }

  // Deletions and events ----------------------------------------------------------------------------------------------

  /** Deletes an aspect; deletes the entity when the aspect is its key. */
  private async delete(context: VersionedContext): Promise<ProposalOutcome> {
    const { work, submission, proposal, head, current, stamp } = context;
    const isKey = proposal.aspect === proposal.entity.key;
    if (isKey ? !head.live : current === undefined)
      return { ...deletionOf(proposal, false), entityExists: head.live };
    refuseChanged(context);
    await this.judge(context, undefined);
    const removed = await work.stored(head, isKey ? undefined : proposal.aspect.name);
    const deleted = isKey ? await work.aspectsOf(head) : undefined;
    if (deleted !== undefined) authorizeDeletion(context, deleted);
    const others = await this.followDeletion(context, isKey);
    if (isKey) work.dropEntity(head, stamp.time);
    else work.drop(head, proposal.aspect, stamp.time);
    work.logChange({ ...entryOf(context, current?.version ?? 0, 0), ...(deleted && { deleted }) });
    for (const other of others) await this.carryOut(context, other);
    const deletion = deletionOf(proposal, true, removed);
    if (!isKey || !proposal.entity.clearReferences || proposal.keepReferences === true) return deletion;
    const clearing = (submission.trace ??= newTraceId());
    work.clearReferences({ trace: clearing, urn: head.urn, actor: stamp.actor, time: stamp.time });
    return { ...deletion, clearing };
  }

  /** What follows from the deletion of an aspect, or of all aspects of an entity. */
  private async followDeletion(context: VersionedContext, isKey: boolean): Promise<FollowingChange[]> {
    const { proposal } = context;
    const effect = this.extensions.effect(proposal.aspect.name);
    const effects = isKey ? this.extensions.effectsOf(proposal.entity) : effect ? [effect] : [];
    const others: FollowingChange[] = [];
    for (const each of effects) {
      const followed = await this.follow(each, context, undefined);
      // The right to delete an entity includes its removal from others.
      if (!isKey) await this.authorizeEdits(context, followed.edits);
      others.push(...followed.others);
    }
    // An entity that is deleted needs no changes of its other aspects.
    return isKey ? others.filter(({ urn }) => urn !== proposal.urn.text) : others;
  }

  private async deleteEvents(context: ProposalContext): Promise<ProposalOutcome> {
    const { work, proposal, head } = context;
    await this.judge(context, undefined);
    const selected = proposal.events ?? {};
    const events = head.live ? await work.dropEvents(head, proposal.aspect.name, selected) : 0;
    if (events > 0) work.logChange(entryOf(context, 0, 0));
    return deletionOf(proposal, events > 0, { events });
  }

  private async appendEvent(context: ProposalContext): Promise<ProposalOutcome> {
    const { work, proposal, head, stamp } = context;
    const value = proposal.value as Value;
    if (proposal.mustExist === true && !head.live) throw refuseAbsent(proposal, head);
    if (context.hidden) throw context.hidden;
    await this.judge(context, value);
    if (!head.live) await this.storing.create(context);
    const systemMetadata = nextSystemMetadata(proposal.systemMetadata, undefined, stamp);
    const event = timeseriesEvent(value);
    work.addEvent(
      {
        head,
        aspect: proposal.aspect.name,
        ...event,
        systemMetadata,
        createdAt: stamp.time,
        createdBy: stamp.actor,
      },
      {
        ...entryOf(context, 0, 0),
        event: `{"value":${event.text},"systemMetadata":${JSON.stringify(systemMetadata)}}`,
      },
    );
    return { ...outcomeOf(proposal, undefined, true), value, version: 1, systemMetadata };
  }
}

/**
 * Checks the optimistic lock on the entity.
 * @throws CatalogError PRECONDITION_FAILED when another submission has changed it since `ifSequence`
 */
function refuseChanged({ work, head, proposal: { ifSequence, pointer } }: ProposalContext): void {
  const sequence = work.sequenceBefore(head);
  if (ifSequence === undefined || ifSequence === sequence) return;
  const message = `${head.urn} has changed in the meantime: it is at sequence ${sequence} now`;
  throw refuse('PRECONDITION_FAILED', message, pointer);
}

function stateOf(name: string, stored: AspectVersion): AspectState {
  return {
    name,
    value: valueOf(stored),
    version: stored.version,
    systemMetadata: stored.systemMetadata,
    created: { time: stored.createdAt, actor: stored.createdBy },
  };
}
