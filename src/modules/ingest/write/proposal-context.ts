import type { Resource } from '../../../catalog/auth/index.js';
import type { AuditStamp, ChangeProposal, ProposalOutcome } from '../../../catalog/change/index.js';
import { refuse, type CatalogError, type ErrorCode } from '../../../catalog/errors/index.js';
import type { AspectCodec, TransactionView } from '../../../catalog/extension/index.js';
import type { PatchBudget } from '../patch/patch-budget.js';
import { valueOf, type Head, type AspectVersion } from './head.js';
import type { Submission } from './submission.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What the processor knows while it processes one proposal. */
export interface ProposalContext {
  readonly work: UnitOfWork;
  readonly submission: Submission;
  readonly proposal: ChangeProposal;
  readonly stamp: AuditStamp;
  /** What the patches of the submission may still cost. */
  readonly budget: PatchBudget;
  /** The entity, locked; of one that is hidden from the caller, one that does not exist. */
  readonly head: Head;
  /** Whether the entity exists and policies hide that from the caller. */
  readonly hidden: boolean;
  /** The entities of the submission as policies look at them, by URN: what they were before it. */
  readonly resources: Map<string, Resource>;
  /** What other modules may see of the transaction. */
  readonly view: TransactionView;
}

/** The context of a proposal for a versioned aspect. */
export interface VersionedContext extends ProposalContext {
  /** How the aspect is stored, where that differs from how clients see it. */
  readonly codec: AspectCodec | undefined;
  /** The latest value as it is stored. */
  readonly stored: AspectVersion | undefined;
  /** The latest value as clients see it; the same object where there is no codec. */
  readonly current: AspectVersion | undefined;
}

/** The answer to a proposal: `aspect` is the value that clients see afterwards. */
export function outcomeOf(
  { urn, entity, aspect: spec }: ChangeProposal,
  aspect: AspectVersion | undefined,
  changed: boolean,
): ProposalOutcome {
  const version = aspect?.version ?? 0;
  const base = { urn: urn.text, entityType: entity.name, aspect: spec.name, changed, version };
  // Every surface answers writes with what is said here.
  if (spec.secret || aspect === undefined) return base;
  return { ...base, value: valueOf(aspect), systemMetadata: aspect.systemMetadata };
}

/** The answer to a deletion. */
export function deletionOf(
  proposal: ChangeProposal,
  changed: boolean,
  { rows = 0, events = 0 } = {},
): ProposalOutcome {
  return { ...outcomeOf(proposal, undefined, changed), removed: { rows, events } };
}

/** A refusal that names what in the request asks for it. */
export function refuseAs(
  code: ErrorCode,
  { askedBy, changeType, pointer }: ChangeProposal,
  found: string,
  does: string,
): CatalogError {
  const message = `${found}, and ${askedBy ?? changeType} only ${does}`;
  return refuse(code, message, askedBy ? `/${askedBy.split('=')[0]}` : `${pointer}/changeType`);
}

/** What is missing of an aspect that must exist. */
export function absenceOf({ urn, aspect }: ChangeProposal, { live }: Head): string {
  return live ? `${urn.text} has no ${aspect.name}` : `${urn.text} does not exist`;
}
