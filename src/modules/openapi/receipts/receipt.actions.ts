import { Inject, Injectable, Optional, type OnModuleInit } from '@nestjs/common';
import { authorize } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { RestliAction } from '../../../catalog/extension/documented.js';
import { OperationActions } from '../../../catalog/extension/operation-actions.js';
import { Meter } from '../../../catalog/metrics/index.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { ReceiptWorker } from './receipt-worker.js';
import type { ReceiptOutcome } from './stored-proposals.js';
import { WriteReceiptRepository, type FailedReceipt } from './write-receipt.repository.js';

const DEFAULT_COUNT = 20;
const MAX_COUNT = 1_000;

/** What administrators do about accepted writes that were put aside. */
@Injectable()
export class ReceiptActions extends OperationActions implements OnModuleInit {
  @RestliAction({
    resource: 'operations',
    action: 'failedWrites',
    summary:
      'Lists accepted writes that were put aside, because carrying them out failed or ended the process.',
    parameters: { count: `writes to answer, default ${DEFAULT_COUNT}, at most ${MAX_COUNT}` },
    answer:
      '{total, writes: [{traceId, actor, items: [{urn, aspect}], error, submitted, failed}]}, oldest first',
  })
  @RestliAction({
    resource: 'operations',
    action: 'retryWrites',
    summary: 'Carries out accepted writes that were put aside, over what was written since.',
    parameters: { traceId: 'only this one' },
    answer: '{retried: how many}',
  })
  readonly actions: OperationActions['actions'] = {
    failedWrites: async (principal, body) => {
      authorize(principal, 'manage');
      const count = Parameters.of(body, ['count']).integer('count', 0, MAX_COUNT) ?? DEFAULT_COUNT;
      const { failed: total } = await this.receipts.counts();
      return { total, writes: (await this.receipts.failed(count)).map(answer) };
    },
    retryWrites: async (principal, body) => {
      authorize(principal, 'manage');
      const trace = Parameters.of(body, ['traceId']).optionalText('traceId')?.toLowerCase();
      const retried = await this.receipts.retry(trace);
      if (retried === 0 && trace !== undefined)
        throw refuse('RECEIPT_NOT_FOUND', `no write with the trace ${trace} was put aside`, '/traceId');
      this.worker.ring();
      return { retried };
    },
  };

  constructor(
    private readonly receipts: WriteReceiptRepository,
    private readonly worker: ReceiptWorker,
    @Optional() @Inject(Meter) private readonly meter: Meter | undefined,
  ) {
    super();
  }

  onModuleInit(): void {
    const help = 'Accepted writes that wait, and those that were put aside';
    this.meter?.gauge({ name: 'catalog_accepted_writes', help, labels: ['state'] }, async () =>
      Object.entries(await this.receipts.counts()).map(([state, value]) => ({ value, labels: { state } })),
    );
  }
}

function answer({ trace, actor, outcome, submitted_at, settled_at }: FailedReceipt) {
  const { items, error } = JSON.parse(outcome) as ReceiptOutcome;
  return { traceId: trace, actor, items, error, submitted: Number(submitted_at), failed: Number(settled_at) };
}
