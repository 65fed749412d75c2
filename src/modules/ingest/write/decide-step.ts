import type { ChangeProposal } from '../../../catalog/change/index.js';
import { compatibilityWith } from '../../../catalog/compatibility/index.js';
import { CatalogError, refuse, type ErrorCode } from '../../../catalog/errors/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';
import type { AspectSpec, Model } from '../../../catalog/model/index.js';
import { applyPatch } from '../patch/apply-patch.js';
import { withBothAlike } from '../patch/parallel-lists.js';
import { readPatchDocument } from '../patch/patch-document.js';
import { aspectTemplate, withEmptyLists } from './aspect-template.js';
import { valueOf, type Head } from './head.js';
import type { VersionedContext } from './proposal-context.js';
import type { WriteExtensions } from './write-extensions.js';

/** The value of an aspect. */
type Value = Record<string, unknown>;

/** Step 1 of {@link ProposalProcessor}: the next value of the aspect, by the change type and what is stored. */
export class DecideStep {
  constructor(
    private readonly model: Model,
    private readonly extensions: Pick<WriteExtensions, 'complete'>,
    private readonly compatibility = compatibilityWith('specification'),
  ) {}

  /**
   * The next value of the aspect; undefined when nothing changes.
   * @throws CatalogError ASPECT_EXISTS, ENTITY_EXISTS, ASPECT_NOT_FOUND, PATCH_NOT_APPLICABLE, ASPECT_INVALID
   */
  async decide(context: VersionedContext): Promise<Value | undefined> {
    refuseWrongState(context);
    const { proposal } = context;
    let next = proposal.value as Value | undefined;
    if (proposal.edit !== undefined) next = await this.edited(context);
    else if (proposal.changeType === 'PATCH') next = this.patched(context);
    return next && this.alike(context, next);
  }

  /**
   * Validates and completes a value.
   * @throws CatalogError ASPECT_INVALID with a pointer to each violation; RULE_VIOLATED for a key that is not the URN's
   */
  check(proposal: ChangeProposal, aspect: AspectSpec, value: unknown, when = ''): void {
    const violations = this.model.validate(aspect, value);
    const place = proposal.pointer + proposal.valuePointer;
    if (violations.length > 0) {
      const first = violations[0];
      throw new CatalogError(
        'ASPECT_INVALID',
        `${aspect.name} of ${proposal.urn.text} is not valid${when}: ${first?.pointer} ${first?.message}`.trim(),
        violations.map((v) => ({ pointer: place + v.pointer, message: v.message })),
      );
    }
    if (aspect === proposal.entity.key && !sameJson(value, this.model.keyFromUrn(proposal.urn).key)) {
      const message = `the key aspect of ${proposal.urn.text} must say what the URN says`;
      throw refuse('RULE_VIOLATED', message, place);
    }
    this.extensions.complete(aspect.name, value as Value);
  }

  /** The value after a change that the service makes itself, such as a mutation of GraphQL. */
  private async edited({
    work,
    proposal,
    head,
    current,
    stamp,
    resources,
  }: VersionedContext): Promise<Value | undefined> {
    const value = current && structuredClone(valueOf(current));
    const next = await proposal.edit?.apply(value, {
      stamp: { ...stamp },
      exists: head.live,
      entityExists: (urn) => resources.exists(urn),
      aspectOf: (urn, aspect) => work.lookUp(urn, aspect),
    });
    if (next !== undefined) this.check(proposal, proposal.aspect, next, ' after the change');
    return next;
  }

  /** The patched value; undefined when a patch only removes, and there is nothing to remove from. */
  private patched({ proposal, current, stamp, budget }: VersionedContext): Value | undefined {
    const { aspect } = proposal;
    const base = current ? valueOf(current) : aspectTemplate(this.model, aspect, stamp);
    const next = belowValue(proposal, () => {
      const patch = readPatchDocument(proposal.value);
      if (current === undefined && patch.operations.every((o) => o.op === 'remove')) return undefined;
      return withEmptyLists(this.model, aspect, applyPatch(aspect, base, patch, stamp, budget));
    });
    if (next !== undefined) this.check(proposal, aspect, next, ' after the patch');
    return next;
  }

  /** Lists that say the same go on doing so, whichever of them was written. */
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
  if (updates && current === undefined) throw refuseAbsent('ASPECT_NOT_FOUND', proposal, head);
}

/** An update of what is not there. */
export function refuseAbsent(code: ErrorCode, proposal: ChangeProposal, { live }: Head): CatalogError {
  const { urn, aspect } = proposal;
  const absence = live ? `${urn.text} has no ${aspect.name}` : `${urn.text} does not exist`;
  return refuseAs(code, proposal, absence, 'updates');
}

/** A refusal that names what in the request asks for it. */
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
