import { isRecord, type AspectSpec, type EntitySpec } from '../model/index.js';
import type { Urn } from '../urn/urn.js';

/** The change types, by the names that clients use (specification section B). */
export const CHANGE_TYPES = [
  'UPSERT',
  'CREATE',
  'CREATE_ENTITY',
  'UPDATE',
  'DELETE',
  'RESTATE',
  'PATCH',
] as const;
export type ChangeType = (typeof CHANGE_TYPES)[number];

/** Where a write came from. All fields are stored with the aspect and answered with it. */
export interface SystemMetadata {
  /** Epoch milliseconds at which the source saw the value. */
  lastObserved?: number;
  runId?: string;
  lastRunId?: string;
  pipelineName?: string;
  registryName?: string;
  registryVersion?: string;
  /** Version of the aspect, counted from "1". Set by the service. */
  version?: string;
  schemaVersion?: number;
  properties?: Record<string, string>;
  aspectCreated?: AuditStamp;
  aspectModified?: AuditStamp;
}

export interface AuditStamp {
  /** Epoch milliseconds. */
  time: number;
  /** URN of the user. */
  actor: string;
}

/** Some of the events of a time series; a bound that is absent leaves that side open. Both bounds are included. */
export interface EventSelection {
  /** Epoch milliseconds. */
  from?: number | undefined;
  to?: number | undefined;
  /** Only events that this run wrote. */
  runId?: string | undefined;
}

/** What an {@link Edit} may look at: the state as its transaction sees it, earlier proposals included. */
export interface EditContext {
  /** The moment of the write, and who is writing. */
  readonly stamp: AuditStamp;
  /** Whether the entity of the proposal exists. */
  readonly exists: boolean;
  entityExists(urn: string): Promise<boolean>;
  aspectOf(urn: string, aspect: string): Promise<Record<string, unknown> | undefined>;
}

/**
 * A read-modify-write of one aspect. The service computes the new value from the current one inside the transaction
 * that writes it, so that two edits at the same moment both take effect. May run more than once, as transactions are
 * retried.
 */
export interface Edit {
  /** Read ahead, with all that the transaction needs, so that looking at them costs no query. */
  readonly looksAt?: {
    readonly entities?: readonly string[];
    /** Further aspects of the same entity. */
    readonly aspects?: readonly string[];
  };
  /**
   * @param current a copy of the current value; undefined when there is none.
   * @returns the new value; undefined leaves the current one.
   * @throws CatalogError to refuse the whole submission, with pointers into the request.
   */
  apply(
    current: Record<string, unknown> | undefined,
    context: EditContext,
  ): Promise<Record<string, unknown> | undefined>;
}

/**
 * A precondition on the current aspect: the optimistic lock of clients. Tags are without quotes, and `*` is any.
 * Version -1 is none. Times are epoch milliseconds. `pointer` leads from the proposal to the condition, for errors.
 */
export type WriteCondition = { readonly pointer: string } & (
  | { readonly kind: 'match' | 'noneMatch'; readonly tags: '*' | readonly string[] }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'modifiedSince' | 'unmodifiedSince'; readonly time: number }
);

/** A proposed change to one aspect of one entity, parsed and resolved against the model, not yet judged. */
export interface ChangeProposal {
  entity: EntitySpec;
  urn: Urn;
  aspect: AspectSpec;
  changeType: ChangeType;
  /** The aspect, or for PATCH the patch document; absent for DELETE. */
  value?: unknown;
  /** Of a PATCH that the service makes itself: what it does, instead of a patch document. */
  edit?: Edit;
  /**
   * Of an edit that the service makes itself: whether it concerns only the caller, such as a setting. Every caller may do that,
   * whatever role and policies say of the entity.
   */
  ofCaller?: boolean;
  systemMetadata: SystemMetadata;
  /** Of a DELETE of a time-series aspect: which of its events. */
  events?: EventSelection;
  /** Optimistic lock: refused when another submission has changed the entity since this sequence. */
  ifSequence?: number;
  /** Of a DELETE of an entity: references to it stay, whatever the model says. */
  keepReferences?: boolean;
  /**
   * Of a PATCH: refused when the aspect is not there, instead of starting from an empty one. Of an event: refused when
   * the entity is not there.
   */
  mustExist?: boolean;
  /** For errors: the request parameter that chose the change type, with its value. Absent: `changeType` itself. */
  askedBy?: `${string}=${boolean}`;
  /** Preconditions on the current aspect. Where one fails, the proposal is refused, or a CREATE is skipped. */
  conditions?: readonly WriteCondition[];
  /** Whether to answer only when searches find the write. */
  waitForIndex?: boolean;
  /** JSON pointer of this proposal in the request, for errors ('' for a single one). */
  pointer: string;
  /** JSON pointer from the proposal to the aspect's value, for errors inside the value. */
  valuePointer: string;
}

/** The operations of a patch document that has not been checked yet; of one that is none, no operations. */
export function patchOperations(value: unknown): readonly unknown[] {
  const operations = isRecord(value) ? value['patch'] : value;
  return Array.isArray(operations) ? operations : [];
}

export interface ProposalOutcome {
  urn: string;
  entityType: string;
  aspect: string;
  /** False when the stored value was equal: nothing was written. */
  changed: boolean;
  /** The aspect as stored (after PATCH and defaults); absent after DELETE. */
  value?: unknown;
  /** Version of the aspect now; 0 when it is gone. */
  version: number;
  systemMetadata?: SystemMetadata;
  /** Of a DELETE: how many stored values, earlier versions included, and how many events it removed. */
  removed?: { rows: number; events: number };
  /** Of a DELETE that found nothing: whether the entity exists. */
  entityExists?: boolean;
  /** Of a DELETE of an entity to which references are removed: the trace id of that clean-up. */
  clearing?: string;
}
