import type { ChangeProposal } from '../../../catalog/change/index.js';
import { compatibilityWith } from '../../../catalog/compatibility/index.js';
import { CatalogError, refuse, type ErrorCode } from '../../../catalog/errors/index.js';
import { isLarge, LARGE_TEXT, readJsonInSteps } from '../../../catalog/json/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';
import type { AspectSpec, Model, Violation } from '../../../catalog/model/index.js';
import { atOnce, type Steps, type TimeSlices } from '../../../catalog/schedule/index.js';
import { applyInSteps } from '../patch/apply-patch.js';
import { withBothAlike } from '../patch/parallel-lists.js';
import { readPatchDocument } from '../patch/patch-document.js';
import { aspectTemplate, withEmptyLists } from './aspect-template.js';
import { valueOf, type Head, type Value } from './head.js';
import type { VersionedContext } from './proposal-context.js';
import type { WriteExtensions } from './write-extensions.js';

/** Step 1 of {@link ProposalProcessor}: the next value of the aspect, by the change type and what is stored. */
export class DecideStep {
  constructor(
    private readonly model: Model,
    private readonly extensions: Pick<WriteExtensions, 'complete' | 'completeInSteps'>,
    private readonly compatibility = compatibilityWith('specification'),
  ) {}

  /**
   * The next value of the aspect; undefined when nothing changes.
   * @throws CatalogError ASPECT_EXISTS, ENTITY_EXISTS, ENTITY_NOT_FOUND, ASPECT_NOT_FOUND, PATCH_NOT_APPLICABLE, ASPECT_INVALID
   */
  async decide(context: VersionedContext): Promise<Value | undefined> {
    refuseWrongState(context);
    const { proposal } = context;
    let next = proposal.value as Value | undefined;
    if (proposal.edit !== undefined) next = await this.edited(context);
    else if (proposal.changeType === 'PATCH') next = await this.patched(context);
    return next && this.alike(context, next);
  }

  /**
   * Validates and completes a value.
   * @throws CatalogError ASPECT_INVALID with a pointer to each violation; RULE_VIOLATED for a key that is not the URN's
   */
  check(proposal: ChangeProposal, aspect: AspectSpec, value: unknown, when = ''): void {
    refuseViolations(proposal, aspect, this.model.validate(aspect, value), when);
    this.refuseOtherKey(proposal, aspect, value);
    this.extensions.complete(aspect.name, value as Value);
  }

  /** {@link check} of a large value, in steps. */
  *checkInSteps(proposal: ChangeProposal, aspect: AspectSpec, value: unknown, when = ''): Steps<void> {
    refuseViolations(proposal, aspect, yield* this.model.validateInSteps(aspect, value), when);
    this.refuseOtherKey(proposal, aspect, value);
    yield* this.extensions.completeInSteps(aspect.name, value as Value);
  }

  /** Checks the value that a change made. */
  private async checkChanged(
    { proposal, slices }: VersionedContext,
    value: unknown,
    when: string,
    large = isLarge(value),
  ): Promise<void> {
    if (large) await slices.run(this.checkInSteps(proposal, proposal.aspect, value, when));
    else this.check(proposal, proposal.aspect, value, when);
  }

  private refuseOtherKey(proposal: ChangeProposal, aspect: AspectSpec, value: unknown): void {
    if (aspect !== proposal.entity.key || sameJson(value, this.model.keyFromUrn(proposal.urn).key)) return;
    const message = `the key aspect of ${proposal.urn.text} must say what the URN says`;
    throw refuse('RULE_VIOLATED', message, proposal.pointer + proposal.valuePointer);
  }

  /** The value after a change that the service makes itself, such as a mutation of GraphQL. */
  private async edited(context: VersionedContext): Promise<Value | undefined> {
    const { work, proposal, head, stamp, resources } = context;
    const value = await copyOf(context);
    const next = await proposal.edit?.apply(value, {
      stamp: { ...stamp },
      exists: head.live,
      entityExists: (urn) => resources.exists(urn),
      aspectOf: (urn, aspect) => work.lookUp(urn, aspect),
    });
    if (next !== undefined) await this.checkChanged(context, next, ' after the change');
    return next;
  }

  /** The patched value; undefined when a patch only removes, and there is nothing to remove from. */
  private async patched(context: VersionedContext): Promise<Value | undefined> {
    const { proposal, current, slices } = context;
    const steps = this.patchedInSteps(context);
    const large = (current?.text.length ?? 0) >= LARGE_TEXT || isLarge(proposal.value);
    const next = large
      ? await belowValueInSlices(proposal, slices, steps)
      : belowValue(proposal, () => atOnce(steps));
    if (next !== undefined) await this.checkChanged(context, next, ' after the patch', large);
    return next;
  }

  private *patchedInSteps({ proposal, current, stamp, budget }: VersionedContext): Steps<Value | undefined> {
    const { aspect } = proposal;
    const base = current ? valueOf(current) : aspectTemplate(this.model, aspect, stamp);
    const patch = readPatchDocument(proposal.value);
    if (current === undefined && patch.operations.every((o) => o.op === 'remove')) return undefined;
    return withEmptyLists(this.model, aspect, yield* applyInSteps(aspect, base, patch, stamp, budget));
  }

  /** Keeps parallel lists equal, whichever of them was written. */
  private alike({ proposal, current }: VersionedContext, decided: Value): Value {
    const { parallelLists } = proposal.aspect;
    if (parallelLists.length === 0) return decided;
    const before = current && valueOf(current);
    const { parallelListsFilled } = this.compatibility;
    return belowValue(proposal, () =>
      parallelLists.reduce((next, lists) => withBothAlike(next, before, lists, parallelListsFilled), decided),
    );
  }
}

/** @throws CatalogError ASPECT_INVALID */
function refuseViolations(
  { pointer, valuePointer, urn }: ChangeProposal,
  aspect: AspectSpec,
  violations: readonly Violation[],
  when: string,
): void {
  const [first] = violations;
  if (first === undefined) return;
  throw new CatalogError(
    'ASPECT_INVALID',
    `${aspect.name} of ${urn.text} is not valid${when}: ${`${first.pointer} ${first.message}`.trim()}`,
    violations.map((v) => ({ pointer: pointer + valuePointer + v.pointer, message: v.message })),
  );
}

/** The present value, for an edit to change; a large one is parsed anew, which can be divided. */
async function copyOf({ current, codec, slices }: VersionedContext): Promise<Value | undefined> {
  if (current === undefined) return undefined;
  if (codec !== undefined || current.text.length < LARGE_TEXT) return structuredClone(valueOf(current));
  return (await slices.run(readJsonInSteps(current.text))) as Value;
}

/** Whether the change type suits what exists. */
function refuseWrongState({ proposal, head, current, made }: VersionedContext): void {
  const { changeType, urn, aspect, pointer } = proposal;
  if (changeType === 'CREATE' && current !== undefined) {
    const message = `${urn.text} has ${aspect.name} already: CREATE is refused`;
    throw refuse('ASPECT_EXISTS', message, `${pointer}/changeType`);
  }
  const isOld = made.has(urn.text) ? current !== undefined : head.live;
  if (changeType === 'CREATE_ENTITY' && isOld)
    throw refuseAs('ENTITY_EXISTS', proposal, `${urn.text} exists already`, 'creates entities');
  const updates = changeType === 'UPDATE' || (changeType === 'PATCH' && proposal.mustExist === true);
  if (updates && current === undefined) throw refuseAbsent(proposal, head);
}

/** The refusal of an update of an entity or aspect that does not exist. */
export function refuseAbsent(proposal: ChangeProposal, { live }: Head): CatalogError {
  const { urn, aspect } = proposal;
  if (!live) return refuseAs('ENTITY_NOT_FOUND', proposal, `${urn.text} does not exist`, 'updates');
  return refuseAs('ASPECT_NOT_FOUND', proposal, `${urn.text} has no ${aspect.name}`, 'updates');
}

/** A refusal that points to the parameter that asked for the change type. */
function refuseAs(
  code: ErrorCode,
  { askedBy, changeType, pointer }: ChangeProposal,
  found: string,
  does: string,
): CatalogError {
  const message = `${found}, and ${askedBy ?? changeType} only ${does}`;
  return refuse(code, message, askedBy ? `/${askedBy.split('=')[0]}` : `${pointer}/changeType`);
}

/** Runs work on the value of a proposal, whose errors point into that value. */
export function belowValue<T>({ pointer, valuePointer }: ChangeProposal, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof CatalogError ? error.below(pointer + valuePointer) : error;
  }
}

/** The same for work in steps. */
async function belowValueInSlices<T>(
  { pointer, valuePointer }: ChangeProposal,
  slices: TimeSlices,
  steps: Steps<T>,
): Promise<T> {
  try {
    return await slices.run(steps);
  } catch (error) {
    throw error instanceof CatalogError ? error.below(pointer + valuePointer) : error;
  }
}
