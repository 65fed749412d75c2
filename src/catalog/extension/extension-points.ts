import type { Steps } from '../schedule/index.js';
import type { Principal } from '../auth/index.js';
import type { ChangeProposal } from '../change/change-proposal.js';
import type { EntitySpec } from '../model/index.js';
import type { AspectState, EntityState } from '../store/entity-state.js';
import type { Urn } from '../urn/urn.js';

/** What a transaction knows of an entity before it looks at any aspect. */
export interface EntityHead {
  readonly urn: string;
  readonly exists: boolean;
  /** Soft-deleted. */
  readonly removed: boolean;
  /** +1 with every change, also by deletion. */
  readonly sequence: number;
  /** Since when it exists, epoch milliseconds; differs with each life of an entity that was deleted and came back. */
  readonly createdAt: number;
  /** Changed by this transaction itself, which may yet be undone: not to be remembered. */
  readonly changed: boolean;
}

/** The state as the running transaction sees it, earlier proposals included. What is looked at stays until its end. */
export interface TransactionView {
  entityExists(urn: string): Promise<boolean>;
  aspectOf(urn: string, aspect: string): Promise<Record<string, unknown> | undefined>;
  /** Many heads at once; URNs that the store has never seen are absent. */
  heads(urns: readonly string[]): Promise<Map<string, EntityHead>>;
  /** One aspect of many entities at once; those without it are absent. */
  aspectsOf(urns: readonly string[], aspect: string): Promise<Map<string, Record<string, unknown>>>;
}

/** What a policy may look at while it judges. */
export interface PolicyContext extends TransactionView {
  readonly principal: Principal;
  /** When the write happens, epoch milliseconds. */
  readonly now: number;
  /** The value that would be stored; undefined when the aspect would be deleted. */
  readonly next: Record<string, unknown> | undefined;
  /** The current value, as clients see it. */
  readonly current: AspectState | undefined;
  /** The current value, as the store keeps it: see {@link AspectCodec}. */
  readonly stored: Record<string, unknown> | undefined;
  /**
   * Names of the aspects by which the same request brings an entity into being, if it does not exist: those that it deletes or
   * only removes from are not among them, nor those that need the entity, see {@link ProposalPolicy.creates}.
   */
  requested(urn: string): ReadonlySet<string>;
  /**
   * Makes a name belong to the entity of the proposal, until it is released or the entity is deleted. Answers the URN
   * of another entity that has it already: the name stays with that one.
   */
  claim(name: string): Promise<string | undefined>;
  /** Gives up a name of the entity of the proposal. */
  release(name: string): Promise<void>;
}

/**
 * Extension point: may this change be? Runs inside the write's transaction on the result of every change type.
 * Throws a CatalogError to refuse.
 */
export abstract class ProposalPolicy {
  /** Names of the aspects it judges; start-up is refused when the model lacks one. */
  abstract readonly aspects: readonly string[];
  /** Whether other proposals of a submission may need its aspects: those of a new entity are carried out before all others. */
  readonly neededByOthers?: boolean;
  abstract judge(proposal: ChangeProposal, context: PolicyContext): Promise<void>;
  /** Whether a proposal can bring its entity into being by itself, so that others of the submission may count on it; absent: all can. */
  creates?(proposal: ChangeProposal): boolean;
  /** URNs that it will ask about, so that they can be read in one go with everything else. */
  mentions?(proposal: ChangeProposal): readonly string[];
}

/**
 * Extension point: an aspect of which the store keeps more than clients see. Writes are applied to what clients see,
 * and answered so; at most one codec for each aspect. Its {@link AspectReadFilter} must show the same outside of writes.
 */
export abstract class AspectCodec {
  /** Name of the aspect. */
  abstract readonly aspect: string;
  /** What clients see of what is stored. */
  abstract shown(stored: Record<string, unknown>, view: TransactionView): Promise<Record<string, unknown>>;
  /** What is stored when clients write `next` over `stored`. */
  abstract store(
    next: Record<string, unknown>,
    stored: Record<string, unknown> | undefined,
    view: TransactionView,
  ): Promise<Record<string, unknown>>;
}

/** Extension point: fields of an aspect that follow from its other fields. At most one for each aspect. */
export abstract class AspectCompletion {
  /** Name of the aspect. */
  abstract readonly aspect: string;
  /** Adds what follows to a valid value, before it is judged and stored. */
  abstract complete(value: Record<string, unknown>): void;
  /** {@link complete} of a large value, in steps. */
  completeInSteps?(value: Record<string, unknown>): Steps<void>;
}

/** What follows from a change: the next value of another aspect; undefined deletes it, and a key aspect with its entity. */
export interface FollowingChange {
  readonly urn: string;
  readonly aspect: string;
  readonly next: Record<string, unknown> | undefined;
  /** Whether the value stays what the run has written that wrote it before: the service only keeps a mark in it up to date. */
  readonly marks?: boolean;
}

/** What comes of a change. */
export interface Following {
  /** The next value of the aspect, with what follows from other entities. */
  readonly next: Record<string, unknown> | undefined;
  /** What changes besides. */
  readonly others: readonly FollowingChange[];
  /** Aspects of other entities that the change is a change of as well: who makes it must be allowed to edit them. */
  readonly edits: ReadonlyArray<Pick<FollowingChange, 'urn' | 'aspect'>>;
}

/** The change that a side effect follows: the values before and after it, undefined where there is none. */
export interface FollowedChange {
  readonly urn: string;
  readonly before: Record<string, unknown> | undefined;
  readonly next: Record<string, unknown> | undefined;
}

/** What a side effect may look at. */
export interface SideEffectView extends TransactionView {
  /** Entities whose aspect has referred to this one by a relationship, those that the transaction itself has changed included. */
  referring(urn: string, relationship: string, aspect: string): Promise<string[]>;
}

/** Extension point: aspects of other entities that change with an aspect, in one transaction. At most one for each aspect. */
export abstract class SideEffect {
  /** Name of the aspect. */
  abstract readonly aspect: string;
  /** Entities that will change as well, as far as the proposal says, so that they are locked with all others. */
  abstract alsoChanges(proposal: ChangeProposal): readonly string[];
  /** @throws CatalogError with a pointer into the value */
  abstract follow(change: FollowedChange, view: SideEffectView): Promise<Following>;
}

/** An entity that comes into being. */
export interface NewEntity {
  readonly entity: EntitySpec;
  readonly urn: Urn;
  /** The value of its key aspect. */
  readonly key: Readonly<Record<string, unknown>>;
  /** Any aspect as the running transaction sees it, and of this entity also what the same request will write. */
  aspectOf(urn: string, aspect: string): Promise<Record<string, unknown> | undefined>;
}

/** Extension point: an aspect that entities get with their first write when that write does not bring it. */
export abstract class DefaultAspect {
  /** Name of the aspect. */
  abstract readonly aspect: string;
  /** The value to begin with; undefined gives the entity none. Asked only for entities that may have the aspect. */
  abstract valueFor(created: NewEntity): Promise<Record<string, unknown> | undefined>;
}

/** Extension point: may this value be seen? Runs on every read of the aspect, on every surface. */
export abstract class AspectReadFilter {
  abstract readonly aspects: readonly string[];
  /** The values to show, in the order given; undefined hides the aspect. */
  abstract filter(
    values: ReadonlyArray<{ urn: string; value: Record<string, unknown> }>,
  ): Promise<Array<Record<string, unknown> | undefined>>;
  /** The parts of a stored value that are hidden for now: the store keeps them, and they may be shown again. Absent: there are none. */
  hidden?(value: Record<string, unknown>): Promise<readonly unknown[]>;
}

/** An entity on its way into the index. */
export interface FieldsOfEntity {
  readonly entity: EntitySpec;
  readonly state: EntityState;
  /** Field name to values. */
  readonly fields: Map<string, unknown[]>;
}

/** Extension point: search fields beyond the marks of the model. */
export abstract class SearchFieldProvider {
  /** Adds to the fields of each entity what it should also be found by. Called with many at once. */
  abstract addFields(entities: readonly FieldsOfEntity[]): Promise<void>;
}

/** Extension point: a log whose entries retention removes by age. */
export abstract class RetainedLog {
  /** As the answer of a dry run names it. */
  abstract readonly log: string;
  /** How many entries would be removed now, epoch milliseconds. */
  abstract due(now: number): Promise<number>;
}
