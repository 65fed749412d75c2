import { refuse, type CatalogError } from '../../../catalog/errors/index.js';
import type { RequestContext } from '../request-context.js';

/** Gives up after the time: nothing more is read, and what was read is not shown. */
export function withinTime<T>(work: Promise<T>, context: RequestContext, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const error = refuse(
        'GRAPHQL_TIMEOUT',
        `the operation took longer than ${ms} ms and was aborted; what it has written stays written`,
      );
      context.end(error);
      reject(error);
    }, ms);
    // What comes after the time is up, a failure too, is not waited for any more.
    work.then(
      (answer) => {
        clearTimeout(timer);
        resolve(answer);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}

/** Gives up as soon as the fields of an answer that are counted are too many. */
export function unlessAborted<T>(work: Promise<T>, context: RequestContext): Promise<T> {
  if (!context.counts) return work;
  const { signal } = context;
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as CatalogError), { once: true });
    work.then(resolve, reject);
  });
}
