import type { Principal } from '../auth/index.js';
import type { ChangeProposal } from '../change/change-proposal.js';
import type { EntitySpec } from '../model/index.js';
import type { AspectState, EntityState } from '../store/entity-state.js';

/** What a policy may look at while it judges: the state as this transaction sees it, earlier proposals included. */
export interface PolicyContext {
  readonly principal: Principal;
  /** The value that would be stored; undefined when the aspect would be deleted. */
  readonly next: Record<string, unknown> | undefined;
  /** The value that stands there now. */
  readonly current: AspectState | undefined;
  entityExists(urn: string): Promise<boolean>;
  aspectOf(urn: string, aspect: string): Promise<Record<string, unknown> | undefined>;
}

/**
 * Extension point: may this change be? Runs inside the write's transaction on the result of every change type.
 * Throws a CatalogError to refuse.
 */
export abstract class ProposalPolicy {
  /** Names of the aspects it judges; start-up is refused when the model lacks one. */
  abstract readonly aspects: readonly string[];
  abstract judge(proposal: ChangeProposal, context: PolicyContext): Promise<void>;
}

/** Extension point: may this value be seen? Runs on every read of the aspect, on every surface. */
export abstract class AspectReadFilter {
  abstract readonly aspects: readonly string[];
  /** The values to show, in the order given; undefined hides the aspect. */
  abstract filter(
    values: ReadonlyArray<{ urn: string; value: Record<string, unknown> }>,
  ): Promise<Array<Record<string, unknown> | undefined>>;
}

/** Extension point: search fields beyond the marks of the model. */
export abstract class SearchFieldProvider {
  /** Adds to `fields` (field name to values) what `state` should also be found by. */
  abstract addFields(entity: EntitySpec, state: EntityState, fields: Map<string, unknown[]>): Promise<void>;
}
