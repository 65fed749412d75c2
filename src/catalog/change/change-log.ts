import type { ChangeType } from './change-proposal.js';

/** One row of the change log: what a committed write did to one aspect. */
export interface ChangeLogEntry {
  id: number;
  urn: string;
  entityType: string;
  /** The sequence of the entity after this change. */
  sequence: number;
  aspect: string;
  changeType: ChangeType;
  /** Version of the aspect before (0 = there was none) and after (0 = there is none now). */
  versionBefore: number;
  versionAfter: number;
  actor: string;
  /** Epoch milliseconds. */
  time: number;
  runId: string;
}

/** What a consumer knows of a change when it chooses. */
export type ChangeLogHeading = Pick<
  ChangeLogEntry,
  'id' | 'entityType' | 'aspect' | 'changeType' | 'versionBefore' | 'versionAfter' | 'runId'
>;

/**
 * Extension point: a consumer of the change log. Found at start; its name is unique, and so is the queue of that name.
 * Delivery is at least once: a consumer may get an entry again, so it must be idempotent.
 */
export abstract class ChangeLogConsumer {
  abstract readonly name: string;
  /**
   * Whether this consumer needs a change. Asked for every change, so it must be cheap: it looks at its argument and
   * nothing else. A change that no consumer wants makes no job.
   */
  wants(_entry: ChangeLogHeading): boolean {
    return true;
  }
  /** Entries that it wants, in the order of the log; several entries of one entity may come together. */
  abstract consume(entries: readonly ChangeLogEntry[]): Promise<void>;
  /**
   * Called instead of {@link consume} where it is implemented: for a consumer that needs only the URNs. Several changes
   * of one entity, which are the rule, then cost as much as one.
   */
  consumeUrns?(urns: readonly string[]): Promise<void>;
}
