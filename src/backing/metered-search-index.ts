import { AMOUNTS, SECONDS, type Meter } from '../catalog/metrics/index.js';
import type { SearchIndex } from '../catalog/search/index.js';

const QUESTIONS = ['search', 'scroll', 'autocomplete', 'browse'] as const;
const CHANGES = ['upsert', 'remove'] as const;

/** The same index; what is asked of it and written to it is measured on the way. */
export function meteredSearchIndex(index: SearchIndex, meter: Meter): SearchIndex {
  const asked = meter.histogram(
    { name: 'catalog_search_seconds', help: 'Time of the search engine, by question', labels: ['question'] },
    SECONDS,
  );
  const written = meter.histogram(
    { name: 'catalog_index_write_seconds', help: 'Time to write a batch of documents to the index' },
    SECONDS,
  );
  const batch = meter.histogram(
    { name: 'catalog_index_write_documents', help: 'Documents written to the index at once' },
    AMOUNTS,
  );
  for (const name of QUESTIONS) {
    const labels = { question: name };
    timed(index, name, (seconds) => asked(seconds, labels));
  }
  for (const name of CHANGES) {
    timed(index, name, (seconds, documents) => {
      written(seconds);
      batch((documents as readonly unknown[]).length);
    });
  }
  return index;
}

/** Replaces a method of this one object by one that reports the time of each call that succeeds. */
function timed(target: object, name: string, note: (seconds: number, argument: unknown) => void): void {
  const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
  Reflect.set(target, name, async (...given: unknown[]) => {
    const start = performance.now();
    const answer = await method.apply(target, given);
    note((performance.now() - start) / 1000, given[0]);
    return answer;
  });
}
