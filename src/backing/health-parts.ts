import type { HealthPart } from '../catalog/extension/health-part.js';
import type { JobQueue } from '../catalog/queue/index.js';
import type { SearchIndex } from '../catalog/search/index.js';
import type { IndexBinding } from './index-binding.js';

/** What the service can do without for a while: writes are accepted, and what follows from them comes later. */
export function healthParts(
  queue: JobQueue,
  index: SearchIndex,
  holder: Pick<IndexBinding, 'check'>,
): HealthPart[] {
  return [
    { name: 'queue', required: false, check: () => queue.stats() },
    { name: 'search', required: false, check: () => checked(index, holder) },
  ];
}

async function checked(index: SearchIndex, holder: Pick<IndexBinding, 'check'>): Promise<void> {
  holder.check();
  await index.check();
}
