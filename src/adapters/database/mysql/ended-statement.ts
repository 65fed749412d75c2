import type { PoolConnection } from 'mysql2';
import type { RequestScope } from '../../../catalog/schedule/index.js';
import { connectBeside } from './statement-watch.js';

/**
 * Waits for a statement of a request. When the request is ended first, so is the statement, on the server as well, and its
 * connection with it.
 * @throws what the request was ended with
 */
export async function unlessEnded<T>(
  request: RequestScope,
  connection: PoolConnection,
  answer: Promise<T>,
): Promise<T> {
  let takeBack: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      takeBack = request.onEnd((reason) => {
        const beside = connectBeside(connection);
        beside.on('error', () => undefined);
        beside.query(`KILL ${connection.threadId}`, () => beside.destroy());
        // The driver tells nothing of a statement whose connection is destroyed.
        connection.destroy();
        reject(reason);
      });
      answer.then(resolve, reject);
    });
  } finally {
    takeBack?.();
  }
}
