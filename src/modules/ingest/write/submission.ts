import type { Principal } from '../../../catalog/auth/index.js';
import type { CatalogError } from '../../../catalog/errors/index.js';
import type { RequestOrigin } from '../../../catalog/schedule/index.js';
import { patchOperations, type ChangeProposal, type ProposalOutcome } from '../../../catalog/change/index.js';
import { isRecord } from '../../../catalog/model/index.js';
import type { Transaction, TransactionOptions } from '../../../catalog/store/index.js';

/** The proposals of one request: all of them are committed, or none. */
export interface Submission {
  principal: Principal;
  /** Where the request came from, for the audit log; undefined of writes of the service itself. */
  origin?: RequestOrigin | undefined;
  proposals: readonly ChangeProposal[];
  /**
   * Writes what must be committed together with the proposals, such as a receipt. Runs in their transaction after they were
   * processed and before they are flushed; throws a CatalogError to refuse them all, before its first statement that
   * writes. May run again when the transaction is retried.
   */
  settle?(tx: Transaction, outcomes: readonly ProposalOutcome[]): Promise<void>;
  /** Records a refusal, in the transaction that refused the proposals. May run again like {@link settle}. */
  refused?(tx: Transaction, error: CatalogError): Promise<void>;
  /** `process`: these writes were not promised to a client; after a power loss they are repeated. Default `power`. */
  survives?: TransactionOptions['survives'];
  /** The trace of the request; made where one is needed. */
  trace?: string;
}

const GIVEN = new WeakMap<Submission, Map<string, Map<string, ChangeProposal>>>();

/** The aspects of an entity that a submission writes, each with its first proposal. */
export function givenAspects(submission: Submission, urn: string): ReadonlyMap<string, ChangeProposal> {
  let given = GIVEN.get(submission);
  if (given === undefined) {
    given = new Map<string, Map<string, ChangeProposal>>();
    GIVEN.set(submission, given);
    for (const proposal of submission.proposals) {
      if (proposal.changeType === 'DELETE') continue;
      let aspects = given.get(proposal.urn.text);
      if (aspects === undefined) given.set(proposal.urn.text, (aspects = new Map<string, ChangeProposal>()));
      if (!aspects.has(proposal.aspect.name)) aspects.set(proposal.aspect.name, proposal);
    }
  }
  return given.get(urn) ?? NONE;
}

const NONE: ReadonlyMap<string, ChangeProposal> = new Map();

/**
 * The aspects by which a submission brings an entity into being, if it does not exist. They are gathered when they are first asked for.
 * @param creates whether a proposal may do that by itself
 */
export function creatingAspects(
  { proposals }: Pick<Submission, 'proposals'>,
  creates: (proposal: ChangeProposal) => boolean,
): (urn: string) => ReadonlySet<string> {
  let found: Map<string, Set<string>> | undefined;
  return (urn) => {
    if (found === undefined) {
      found = new Map();
      for (const proposal of proposals) {
        if (proposal.changeType === 'DELETE' || onlyRemoves(proposal) || !creates(proposal)) continue;
        const { text } = proposal.urn;
        const aspects = found.get(text);
        if (aspects) aspects.add(proposal.aspect.name);
        else found.set(text, new Set([proposal.aspect.name]));
      }
    }
    return found.get(urn) ?? NOTHING;
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** A patch that does nothing where there is no value. */
function onlyRemoves({ changeType, edit, value }: ChangeProposal): boolean {
  if (changeType !== 'PATCH' || edit !== undefined) return false;
  return patchOperations(value).every((operation) => isRecord(operation) && operation['op'] === 'remove');
}
