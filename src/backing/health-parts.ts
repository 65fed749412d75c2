import type { JobQueue } from '../catalog/queue/index.js';
import type { SearchIndex } from '../catalog/search/index.js';
import type { Database } from '../catalog/store/index.js';
import { ConsumerBacklog } from '../modules/ingest/index.js';
import { WriteReceiptRepository } from '../modules/openapi/index.js';
import type { IndexHolder } from './index-holder.js';
import type { HealthPart } from '../modules/operations/index.js';

/** What the service can do without for a while: writes are accepted, and what follows from them comes later. */
export function healthParts(
  queue: JobQueue,
  index: SearchIndex,
  holder: Pick<IndexHolder, 'check'>,
  database: Database,
): HealthPart[] {
  const backlog = new ConsumerBacklog(database);
  const receipts = new WriteReceiptRepository(database);
  return [
    { name: 'queue', required: false, check: () => queue.stats() },
    { name: 'search', required: false, check: () => checked(index, holder) },
    { name: 'consumers', required: false, check: async () => lagOf(backlog) },
    { name: 'accepted writes', required: false, check: () => receipts.counts() },
  ];
}

async function checked(index: SearchIndex, holder: Pick<IndexHolder, 'check'>): Promise<void> {
  holder.check();
  await index.check();
}

/** Shown, not judged: how far consumers may be behind depends on how much is written. */
async function lagOf(backlog: ConsumerBacklog) {
  const lags = await backlog.lag();
  const { changes, seconds } = await backlog.unpublished();
  return {
    unpublished: { changes, seconds: Math.round(seconds) },
    behind: lags.map((lag) => ({ ...lag, seconds: Math.round(lag.seconds) })),
  };
}
