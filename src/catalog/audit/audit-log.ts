import { currentRequest, type RequestOrigin } from '../schedule/index.js';
import type { Transaction, TransactionOptions } from '../store/index.js';

/** What kinds of events there are. Most are the field's. Source: events specification, audit search. */
export const AUDIT_EVENT_TYPES = [
  'EntityEvent',
  'UpdateAspectEvent',
  'DeleteEntityEvent',
  'CreateUserEvent',
  'UpdateUserEvent',
  'CreateAccessTokenEvent',
  'RevokeAccessTokenEvent',
  'CreatePolicyEvent',
  'UpdatePolicyEvent',
  'DeletePolicyEvent',
  'LogInEvent',
  'FailedLogInEvent',
  'LogOutEvent',
  'ExpireAccessTokenEvent',
  'ReadEntityEvent',
  'CreateWebhookEvent',
  'UpdateWebhookEvent',
  'DeleteWebhookEvent',
  'RemoveAuditRecordsEvent',
] as const;
export type AuditEventType = (typeof AUDIT_EVENT_TYPES)[number];

/** One thing that happened. Details are names, numbers and times: never values of aspects, never secrets. */
export interface AuditEvent {
  readonly type: AuditEventType;
  /** The entity that it happened to. */
  readonly urn?: string;
  readonly aspect?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** What one caller did by one request. */
export interface AuditRecord {
  readonly actor: string;
  /** Undefined for what the service or its command line did. */
  readonly origin: RequestOrigin | undefined;
  readonly events: readonly AuditEvent[];
}

/** A record that was committed: nothing before it in its chain may be missing. */
export interface AuditEnd {
  readonly chain: string;
  readonly number: number;
  readonly hash: string;
}

/** Where the request came from that the code is running for. */
export const currentOrigin = (): RequestOrigin | undefined => currentRequest()?.origin;

/**
 * The audit log: who did what, when and from where. What is recorded cannot be changed or removed without
 * {@link AuditLog} noticing it later.
 */
export abstract class AuditLog {
  /** False where nothing is recorded: what a record would be made of need not be put together then. */
  abstract readonly records: boolean;
  /**
   * Runs `work` in one transaction, as `Database.transaction` does, and writes what it records in the same one. Of a
   * transaction that is repeated, the last run counts.
   */
  abstract transaction<T>(
    work: (tx: Transaction, record: (record: AuditRecord) => void) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Records what is in no transaction of its own. Records that wait at the same moment share one. */
  abstract record(record: AuditRecord): Promise<void>;
  /** Where this process has come in chains of records; there may be more of them. */
  abstract ends(): readonly AuditEnd[];
  /** To be called before the database is closed. */
  abstract close(): Promise<void>;
}
