import type { IncomingMessage } from 'node:http';

/**
 * Lets what a refused client still sends pass by, unread, so that it reads its answer: a connection that is closed
 * under a client that sends is reset, and the answer is lost. Only so many bytes; the time that a request may take ends
 * it in any case.
 */
export function discardBody(request: IncomingMessage, bytes: number): void {
  if (request.complete || request.destroyed) return;
  let left = bytes;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
  // A client that becomes unavailable meanwhile is none of our faults.
  request.on('error', () => undefined);
  request.resume();
}
