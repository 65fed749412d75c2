import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long requests that are under way may take at a stop, before their connections are closed: milliseconds. */
const DRAIN_MS = 5_000;

/**
 * Connection draining: requests that are under way at a stop are answered, and their connections close after the
 * answer. Node closes only what is idle at the moment of the stop, so a kept-alive connection whose answer comes later,
 * or one that never sent a request, would hold the process until it is killed. Costs nothing before the stop.
 * @returns says whether the stop has begun: requests that come then on connections that are kept are to be refused
 */
export function drainConnections(server: FastifyInstance, drainMs = DRAIN_MS): () => boolean {
  const connections = new Set<Socket>();
  let draining = false;
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  const closeAfterAnswer = (response: ServerResponse): void => {
    // Node says `Connection: close` then, and closes it.
    if (!response.headersSent) response.shouldKeepAlive = false;
    else response.once('close', () => setImmediate(() => server.server.closeIdleConnections()));
  };
  server.addHook('preClose', (done) => {
    draining = true;
    for (const socket of connections) {
      const response = underWay(socket);
      if (response !== undefined) closeAfterAnswer(response);
      else if (socket.bytesRead === 0) socket.destroy();
    }
    const late = setTimeout(() => server.server.closeAllConnections(), drainMs).unref();
    server.server.once('close', () => clearTimeout(late));
    done();
  });
  return () => draining;
}

/** The answer that a connection waits for; the server of Node keeps it there. */
function underWay(socket: Socket): ServerResponse | undefined {
  return (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined;
}
