import { Injectable } from '@nestjs/common';
import { currentOrigin } from '../../catalog/audit/index.js';
import type { Principal } from '../../catalog/auth/index.js';
import { newTraceId, type ChangeProposal } from '../../catalog/change/index.js';
import type { Transaction } from '../../catalog/store/index.js';
import { IngestService } from '../ingest/index.js';
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
   * @param answerBy makes the answer by the trace id, under which the receipt is found
   * @param remember stores the answer in the transaction that accepts the write
   * @throws CatalogError for everything that can be judged without looking at the store
   */
  async accept<Answer>(
    principal: Principal,
    proposals: readonly ChangeProposal[],
    answerBy: (trace: string) => Answer,
    remember: ((tx: Transaction, answer: Answer) => Promise<void>) | undefined,
  ): Promise<Answer> {
    await this.ingest.check(principal, proposals);
    const trace = newTraceId();
    const answer = answerBy(trace);
    const items = itemsOf(proposals);
    const before = remember && ((tx: Transaction) => remember(tx, answer));
    await this.receipts.add(trace, principal, storeProposals(proposals), { items }, currentOrigin(), before);
    this.worker.wake();
    return answer;
  }
}

/** The path of the receipt of a write. */
export const receiptPath = (trace: string): string => `/openapi/v1/trace/write/${trace}`;
