import { Injectable } from '@nestjs/common';
import { HealthPart } from '../../catalog/extension/health-part.js';
import { WriteReceiptRepository } from './write-receipt.repository.js';

/** How many accepted writes wait, and how many are suspended. */
@Injectable()
export class AcceptedWritesHealth extends HealthPart {
  readonly name = 'accepted writes';
  readonly required = false;

  constructor(private readonly receipts: WriteReceiptRepository) {
    super();
  }

  check(): Promise<object> {
    return this.receipts.counts();
  }
}
