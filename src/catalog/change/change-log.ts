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

/** What a consumer chooses its changes by. */
export type ChangeLogHeading = Pick<
  ChangeLogEntry,
  'id' | 'entityType' | 'aspect' | 'changeType' | 'versionBefore' | 'versionAfter' | 'runId'
>;

/**
 * Extension point: something that follows the change log. Found at boot; names are unique, and each consumer
 * has a queue of its own with its name. May see an entry more than once and must not mind.
 */
export abstract class ChangeLogConsumer {
  abstract readonly name: string;
  /**
   * Whether this consumer has to see a change. A change that no consumer wants makes no job; asked for every change, so it
   * looks at what it is given and nothing else.
   */
  wants(_entry: ChangeLogHeading): boolean {
    return true;
  }
  /** Entries that it wants, in the order of the log; several entries of one entity may come together. */
  abstract consume(entries: readonly ChangeLogEntry[]): Promise<void>;
  /**
   * Called instead, where it is there: for who wants every change and only has to know whose it is. Several changes of
   * an entity, which are the rule, then cost as much as one.
   */
  consumeUrns?(urns: readonly string[]): Promise<void>;
}
