import { AMOUNTS, SECONDS, type Meter } from '../../../catalog/metrics/index.js';
import type { WriteListener } from './group-commit.js';

/** Notes what the writer does. */
export function writeMetrics(meter: Meter): Required<Pick<WriteListener, 'wrote'>> {
  const seconds = meter.histogram(
    { name: 'catalog_write_transaction_seconds', help: 'Time of write transactions, retries included' },
    SECONDS,
  );
  const submissions = meter.histogram(
    { name: 'catalog_write_transaction_submissions', help: 'Submissions that shared a transaction' },
    AMOUNTS,
  );
  const retries = meter.counter({
    name: 'catalog_write_retries_total',
    help: 'Write transactions tried again: deadlocks, conflicts, lost connections',
  });
  return {
    wrote: (took, count, tries) => {
      seconds(took);
      submissions(count);
      if (tries > 1) retries(tries - 1);
    },
  };
}
