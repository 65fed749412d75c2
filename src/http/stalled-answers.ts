import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/**
 * How long a client may take nothing of the answer that waits for it: milliseconds. The systems of both sides pass on a megabyte
 * or so at a time, so one that reads ten kilobytes a second shows it.
 */
const STALLED_MS = 120_000;

/** What has left for a client, and since when it has been that. */
interface Taken {
  readonly bytes: number;
  readonly since: number;
}

/** What Node counts of a connection in all, and what the system has not taken of that; both in bytes. */
interface Counts {
  readonly bytesWritten: number;
  readonly writeQueueSize: number;
}

/**
 * Closes connections whose clients have stopped reading an answer. The system keeps such a connection open for ever, and with it
 * everything the answer is made of: the place of its caller, a reader of the change feed, the snapshot of an export, behind which
 * the log of the database grows. A client that reads slowly takes something now and then, and is left alone.
 * @returns looks at all of them at a moment, as it does by itself now and then
 */
export function closeStalledAnswers(server: FastifyInstance, limitMs = STALLED_MS): (now: number) => void {
  const connections = new Set<Socket>();
  const waiting = new WeakMap<Socket, Taken>();
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const look = (now: number): void => {
    for (const socket of connections) {
      if (socket.writableLength === 0) {
        waiting.delete(socket);
        continue;
      }
      const bytes = takenOf(socket);
      const before = waiting.get(socket);
      if (before?.bytes !== bytes) waiting.set(socket, { bytes, since: now });
      else if (now - before.since >= limitMs) socket.destroy();
    }
  };
  const timer = setInterval(() => look(performance.now()), limitMs / 4).unref();
  server.server.once('close', () => clearInterval(timer));
  return look;
}

/** Also a part of a chunk counts: the largest answers are one. */
function takenOf(socket: Socket): number {
  const counts = (socket as Socket & { _handle?: Counts | null })._handle;
  return counts ? counts.bytesWritten - counts.writeQueueSize : 0;
}
