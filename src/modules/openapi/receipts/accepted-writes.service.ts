import { Injectable } from '@nestjs/common';
import { currentOrigin } from '../../../catalog/audit/index.js';
import type { Principal } from '../../../catalog/auth/index.js';
import { newTraceId, traceHeaders, type ChangeProposal } from '../../../catalog/change/index.js';
import type { HttpAnswer } from '../answers/answer.js';
import type { Remember } from '../idempotency/idempotency.service.js';
import { IngestService } from '../../ingest/index.js';
import { ReceiptWorker } from './receipt-worker.js';
import { itemsOf, storeProposals } from './stored-proposals.js';
import { WriteReceiptRepository } from './write-receipt.repository.js';

/** Accepts writes to be carried out later: once this has answered, they are on disk and cannot be lost. */
@Injectable()
export class AcceptedWrites {
  constructor(
    private readonly ingest: IngestService,
    private readonly receipts: WriteReceiptRepository,
    private readonly worker: ReceiptWorker,
  ) {}

  /**
   * @param answer by the trace id under which the write can be followed
   * @throws CatalogError for everything that can be judged without looking at the store
   */
  async accept(
    principal: Principal,
    proposals: readonly ChangeProposal[],
    answer: (trace: string) => HttpAnswer,
    remember: Remember | undefined,
  ): Promise<HttpAnswer> {
    await this.ingest.check(principal, proposals);
    const trace = newTraceId();
    const { headers, ...rest } = answer(trace);
    const accepted: HttpAnswer = {
      ...rest,
      status: 202,
      headers: {
        ...headers,
        ...traceHeaders(trace, `/openapi/v1/trace/write/${trace}`),
      },
    };
    const items = itemsOf(proposals);
    const before = remember && ((tx: Parameters<Remember>[0]) => remember(tx, accepted));
    await this.receipts.add(trace, principal, storeProposals(proposals), { items }, currentOrigin(), before);
    this.worker.wake();
    return accepted;
  }
}
