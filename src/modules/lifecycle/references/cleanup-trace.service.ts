import { Injectable } from '@nestjs/common';
import { authorizeWhole, type Principal } from '../../../catalog/auth/index.js';
import { readTraceId } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { readJson } from '../../../catalog/json/index.js';
import { JobQueue } from '../../../catalog/queue/index.js';
import { PendingDeliveries } from '../../change-log/index.js';
import { CleanupRepository, type CleanupState, type ReferenceCleanupRow } from '../../ingest/index.js';
import { CLEANUP_CONSUMER, type CleanupReport } from './reference-cleanup.consumer.js';

/** FAILED: suspended, with the reason, until an administrator has it retried. */
type TraceState = CleanupState | 'FAILED';

export interface CleanupTrace {
  traceId: string;
  /** DONE once it is for all of them; FAILED when nothing else is to be waited for. */
  state: TraceState;
  entities: Array<
    {
      urn: string;
      state: TraceState;
      error?: { code: 'INTERNAL'; message: string };
      requestedAtMillis: number;
      finishedAtMillis?: number;
    } & CleanupReport
  >;
}

/** Tells how far the references to deleted entities are removed. */
@Injectable()
export class CleanupTraceService {
  constructor(
    private readonly cleanups: CleanupRepository,
    private readonly deliveries: PendingDeliveries,
    private readonly queue: JobQueue,
  ) {}

  /** @throws CatalogError NOT_ALLOWED, PARAMETER_INVALID, RECEIPT_NOT_FOUND */
  async of(principal: Principal, traceId: string): Promise<CleanupTrace> {
    const trace = readTraceId(traceId);
    // What is deleted cannot be judged any more, and what refers to it may be hidden.
    authorizeWhole(principal, 'read');
    const found = await this.cleanups.byTrace(trace);
    if (found.length === 0)
      throw refuse('RECEIPT_NOT_FOUND', `no deletion with the trace ${traceId} is known, or not any more`);
    const failures = await this.failures(found);
    const entities = found.map((cleanup) => shown(cleanup, failures.get(cleanup.urn)));
    const states = entities.map((entity) => entity.state);
    const state = (['PENDING', 'FAILED'] as const).find((each) => states.includes(each)) ?? 'DONE';
    return { traceId: trace, state, entities };
  }

  /** Reasons of the suspended clean-ups, by URN. */
  private async failures(cleanups: readonly ReferenceCleanupRow[]): Promise<Map<string, string>> {
    if (cleanups.every(({ state }) => state === 'DONE')) return new Map();
    const suspended = await this.deliveries.suspended(CLEANUP_CONSUMER);
    const jobs = suspended.map(({ job }) => job);
    const reasons =
      jobs.length === 0 ? new Map<string, string>() : await this.queue.failures(CLEANUP_CONSUMER, jobs);
    return new Map(
      suspended.map(({ job, urn }) => [urn, reasons.get(job) ?? 'processes ended while it ran']),
    );
  }
}

function shown(
  { urn, state, report, requested_at, finished_at }: ReferenceCleanupRow,
  failure: string | undefined,
): CleanupTrace['entities'][number] {
  const finished = Number(finished_at);
  const failed = state === 'PENDING' && failure !== undefined;
  return {
    urn,
    state: failed ? 'FAILED' : state,
    ...(failed && { error: { code: 'INTERNAL' as const, message: failure } }),
    ...(readJson(report) as CleanupReport),
    requestedAtMillis: Number(requested_at),
    ...(finished > 0 && { finishedAtMillis: finished }),
  };
}
