export { AcceptedWritesModule } from './accepted-writes.module.js';
export { AcceptedWrites, receiptPath } from './accepted-writes.service.js';
export { WriteReceiptRow } from './entities/write-receipt.row.js';
