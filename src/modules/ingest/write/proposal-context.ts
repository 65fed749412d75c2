import type { AuditStamp, ChangeProposal, ProposalOutcome } from '../../../catalog/change/index.js';
import type { CatalogError } from '../../../catalog/errors/index.js';
import type { AspectCodec, TransactionView } from '../../../catalog/extension/index.js';
import type { TimeSlices } from '../../../catalog/schedule/index.js';
import type { PatchBudget } from '../patch/patch-budget.js';
import { valueOf, type Head, type AspectVersion } from './head.js';
import type { Submission } from './submission.js';
import type { SubmissionResources } from './submission-resources.js';
import { shownMetadata } from './system-metadata.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What the processor knows while it processes one proposal. */
export interface ProposalContext {
  readonly work: UnitOfWork;
  readonly submission: Submission;
  readonly proposal: ChangeProposal;
  readonly stamp: AuditStamp;
  /** What the patches of the submission may still cost. */
  readonly budget: PatchBudget;
  /** Of the submission: a large value, or many of them, are not written in one go. */
  readonly slices: TimeSlices;
  /** The locked entity. Where it is hidden from the caller, one that does not exist. */
  readonly head: Head;
  /** Set where policies hide an entity that exists: the error of a write that would create it. */
  readonly hidden?: CatalogError | undefined;
  /** The entities as policies look at them. */
  readonly resources: SubmissionResources;
  /** URNs of the entities that a CREATE_ENTITY of this submission has made: others of it add to them. */
  readonly made: Set<string>;
  /** Of the submission: the aspects by which it brings an entity into being, if that does not exist. */
  readonly creating: (urn: string) => ReadonlySet<string>;
  /** What other modules may see of the transaction. */
  readonly view: TransactionView;
}

/** Of a value: characters. Parsed, it takes many times that much. */
const LONG = 64 * 1024;

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
  // Every surface answers writes with this outcome, which must not show secrets.
  if (spec.secret || aspect === undefined) return base;
  const systemMetadata = shownMetadata(aspect);
  if (aspect.text.length < LONG) return { ...base, value: valueOf(aspect), systemMetadata };
  // A submission may have many of those: each is parsed when it is looked at.
  return {
    ...base,
    get value() {
      return valueOf(aspect);
    },
    systemMetadata,
  };
}

/** The answer to a deletion. */
export function deletionOf(
  proposal: ChangeProposal,
  changed: boolean,
  { rows = 0, events = 0 } = {},
): ProposalOutcome {
  return { ...outcomeOf(proposal, undefined, changed), removed: { rows, events } };
}

/** An entry of the change log; versions are 0 where there is no value. */
export function entryOf({ proposal, head, stamp }: ProposalContext, before: number, after: number) {
  return {
    head,
    aspect: proposal.aspect.name,
    changeType: proposal.changeType,
    before,
    after,
    actor: stamp.actor,
    time: stamp.time,
    runId: proposal.systemMetadata.runId ?? '',
  };
}
