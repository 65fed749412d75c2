import { currentOrigin } from '../../catalog/audit/index.js';
import { authorize, SYSTEM_PRINCIPAL, type Principal } from '../../catalog/auth/index.js';
import type { ChangeProposal, ProposalOutcome } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { isLarge } from '../../catalog/json/index.js';
import { refuseBadKey, type Model } from '../../catalog/model/index.js';
import { inSlices, inTurns } from '../../catalog/schedule/index.js';
import { readPatchDocument, type PatchDocument } from './patch/patch-document.js';
import { authorizeManaged } from './write/authorize-change.js';
import { belowValue } from './write/decide-step.js';
import { refuseConditionsOfEvents } from './write/preconditions.js';
import type { ProposalProcessor } from './write/proposal-processor.js';
import type { Submission } from './write/submission.js';
import type { GroupCommit } from './write/group-commit.js';

/** The most proposals of one submission; more do not fit a body of the largest size either. */
const MAX_PROPOSALS = 50_000;

/**
 * The entry point of every write, whatever surface it came in by:
 * authorise, validate, one transaction, answer. See docs/life-of-a-change.md.
 */
export class IngestService {
  constructor(
    private readonly model: Model,
    private readonly processor: ProposalProcessor,
    private readonly groupCommit: GroupCommit,
  ) {}

  /**
   * Carries out all proposals in order, or none of them. What others need is carried out before them, wherever it stands: the
   * definition of a new structured property.
   * @returns one outcome for each proposal; when it resolves, the writes are durable.
   * @throws CatalogError with pointers below each proposal's own: NOT_ALLOWED, ASPECT_INVALID, PATCH_MALFORMED,
   *   PATCH_NOT_APPLICABLE, ASPECT_EXISTS, ENTITY_EXISTS, ASPECT_NOT_FOUND, ENTITY_NOT_FOUND,
   *   PRECONDITION_FAILED, BATCH_TOO_LARGE, and what policies refuse.
   * @param options see {@link Submission}; nothing is settled for no proposals. `origin` is that of the current request where it is
   *   left out.
   */
  async submit(
    principal: Principal,
    proposals: readonly ChangeProposal[],
    options: Pick<Submission, 'settle' | 'refused' | 'survives' | 'trace' | 'origin'> = {},
  ): Promise<ProposalOutcome[]> {
    await this.check(principal, proposals);
    if (proposals.length === 0) return [];
    // Background work runs in the context of the request that woke it, which is not its origin.
    const own = principal === SYSTEM_PRINCIPAL || 'origin' in options;
    const origin = own ? options.origin : currentOrigin();
    return this.groupCommit.submit({ ...options, origin, principal, proposals });
  }

  /**
   * Everything that can be judged without looking at the store, for callers that submit later: whether the caller
   * may, whether values and patches are well-formed. Fills in the defaults of the values. Rejects as {@link submit}.
   */
  async check(principal: Principal, proposals: readonly ChangeProposal[]): Promise<void> {
    authorize(principal, proposals.every((p) => p.ofCaller) ? 'read' : 'write');
    if (proposals.some((p) => p.changeType === 'DELETE')) authorize(principal, 'delete');
    if (proposals.length > MAX_PROPOSALS) {
      throw refuse('BATCH_TOO_LARGE', `at most ${MAX_PROPOSALS} proposals can be submitted together`);
    }
    // A batch mostly holds several aspects of one entity in a row: its URN is judged once.
    let urn: string | undefined;
    await inSlices(proposals, (proposal) => {
      if (proposal.urn.text !== urn)
        refuseBadKey(`${proposal.pointer}/entityUrn`, () => this.model.keyFromUrn(proposal.urn));
      urn = proposal.urn.text;
      refuseConditionsOfEvents(proposal);
      if (proposal.aspect.managed) authorizeManaged(principal, proposal);
      return this.validate(proposal);
    });
  }

  /** Returns a promise for a large value: other requests are served in between. */
  private validate(proposal: ChangeProposal): void | Promise<void> {
    if (proposal.changeType === 'DELETE' || proposal.edit !== undefined) return;
    if (proposal.changeType === 'PATCH') {
      return belowValue(proposal, () => {
        const patch = readPatchDocument(proposal.value);
        if (proposal.aspect.secret) refuseTests(patch);
      });
    }
    if (isLarge(proposal.value)) return inTurns(this.processor.checkInSteps(proposal));
    this.processor.check(proposal);
  }
}

/** A `test` operation would tell a caller whether a guess of a secret is right. */
function refuseTests({ operations }: PatchDocument): void {
  const at = operations.findIndex(({ op }) => op === 'test');
  if (at >= 0) throw refuse('RULE_VIOLATED', 'a secret aspect cannot be tested by a patch', `/patch/${at}`);
}
