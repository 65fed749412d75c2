import type { JobQueue } from '../catalog/queue/index.js';
import type { SearchIndex } from '../catalog/search/index.js';
import type { Database } from '../catalog/store/index.js';
import type { SpanAttributes, SpanHeading, Tracing } from '../catalog/tracing/index.js';
import { TracedTransaction, statementSpan } from './traced-transaction.js';

/** What is asked of an index, and written to it. */
const INDEX_METHODS = ['search', 'scroll', 'autocomplete', 'browse', 'upsert', 'remove', 'settle'] as const;

/** The same database; its statements and transactions are spans. Left as it is while nothing is traced. */
export function tracedDatabase<D extends Database>(database: D, tracing: Tracing): D {
  if (!tracing.on) return database;
  const system = database.dialect.name;
  const transaction = database.transaction.bind(database);
  const traced: Database['transaction'] = (work, options) =>
    tracing.span({ name: 'transaction', kind: 'client', attributes: { 'db.system.name': system } }, () =>
      transaction((tx) => work(new TracedTransaction(tx, tracing)), options),
    );
  Reflect.set(database, 'transaction', traced);
  spanned(database, 'all', tracing, (sql) => statementSpan(system, sql as string));
  return database;
}

/** The same index; each question and each change is a span. */
export function tracedSearchIndex<I extends SearchIndex>(index: I, tracing: Tracing): I {
  if (!tracing.on) return index;
  for (const method of INDEX_METHODS)
    spanned(index, method, tracing, (argument) => ({
      name: `index ${method}`,
      kind: 'client',
      attributes: Array.isArray(argument) ? { 'catalog.documents': argument.length } : {},
    }));
  return index;
}

/** The same queue; to put jobs into it is a span. */
export function tracedJobQueue<Q extends JobQueue>(queue: Q, tracing: Tracing): Q {
  if (!tracing.on) return queue;
  for (const method of ['enqueue', 'notify'])
    spanned(queue, method, tracing, (name, jobs) => ({
      name: `publish ${String(name)}`,
      kind: 'producer',
      attributes: queueAttributes(String(name), (jobs as readonly unknown[]).length),
    }));
  return queue;
}

function queueAttributes(name: string, count: number): SpanAttributes {
  return { 'messaging.destination.name': name, 'messaging.batch.message_count': count };
}

/** Replaces a method of this one object by one whose calls are spans. */
function spanned(
  target: object,
  name: string,
  tracing: Tracing,
  heading: (...given: unknown[]) => SpanHeading,
): void {
  const method = (Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>).bind(target);
  Reflect.set(target, name, (...given: unknown[]) =>
    tracing.span(heading(...given), async () => method(...given)),
  );
}
