import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { AcceptedWritesHealth } from './accepted-writes.health.js';
import { AcceptedWrites } from './accepted-writes.service.js';
import { ReceiptWorker } from './receipt-worker.js';
import { ReceiptActions } from './receipt.actions.js';
import { TraceController } from './trace.controller.js';
import { TraceService } from './trace.service.js';
import { WriteReceiptRepository } from './write-receipt.repository.js';

/** Asynchronous writes: they are accepted with 202, carried out by a worker, and followed by their receipts. */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule],
  controllers: [TraceController],
  providers: [
    WriteReceiptRepository,
    ReceiptWorker,
    ReceiptActions,
    AcceptedWritesHealth,
    AcceptedWrites,
    TraceService,
  ],
  exports: [AcceptedWrites],
})
export class AcceptedWritesModule {}
