import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { authorize } from '../../catalog/auth/index.js';
import { readTraceId } from '../../catalog/change/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { readJson } from '../../catalog/json/index.js';
import { Meter } from '../../catalog/metrics/index.js';
import { Actions, serve } from '../../catalog/route/index.js';
import { DEFAULT_COUNT, failedWrites, retryWrites } from './receipt.routes.js';
import { ReceiptWorker } from './receipt-worker.js';
import type { ReceiptOutcome } from './stored-proposals.js';
import { WriteReceiptRepository, type FailedReceipt } from './write-receipt.repository.js';

/** What administrators do about suspended writes. */
@Injectable()
export class ReceiptActions extends Actions implements OnModuleInit {
  readonly actions = [
    serve(failedWrites, async (principal, { count = DEFAULT_COUNT }) => {
      authorize(principal, 'manage');
      const { failed: total } = await this.receipts.counts();
      return { total, writes: (await this.receipts.failed(count)).map(answer) };
    }),
    serve(retryWrites, async (principal, { traceId }) => {
      authorize(principal, 'manage');
      const trace = traceId === undefined ? undefined : readTraceId(traceId);
      const retried = await this.receipts.retry(trace);
      if (retried === 0 && trace !== undefined)
        throw refuse('RECEIPT_NOT_FOUND', `no suspended write has the trace ${trace}`, '/traceId');
      this.worker.wake();
      return { retried };
    }),
  ];

  constructor(
    private readonly receipts: WriteReceiptRepository,
    private readonly worker: ReceiptWorker,
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
  ) {
    super();
  }

  onModuleInit(): void {
    const help = 'Accepted writes that wait, and those that are suspended';
    this.meter?.gauge({ name: 'catalog_accepted_writes', help, labels: ['state'] }, async () =>
      Object.entries(await this.receipts.counts()).map(([state, value]) => ({ value, labels: { state } })),
    );
  }
}

function answer({ trace, actor, outcome, submitted_at, settled_at }: FailedReceipt) {
  const { items, error } = readJson(outcome) as ReceiptOutcome;
  return { traceId: trace, actor, items, error, submitted: Number(submitted_at), failed: Number(settled_at) };
}
