import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../catalog/errors/index.js';

/** How long requests that are under way may take at a stop, before their connections are closed: milliseconds. */
const DRAIN_MS = 5_000;

/**
 * Connection draining: requests that are under way at a stop are answered, those that come on their connections are
 * refused (503), and the connections close after the answer. Node closes only what is idle at the moment of the stop, so a kept-alive connection whose answer comes later,
 * or one that never sent a request, would hold the process until it is killed.
 */
export function drainConnections(server: FastifyInstance, drainMs = DRAIN_MS): void {
  const connections = new Set<Socket>();
  let draining = false;
  server.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.addHook('preClose', (done) => {
    draining = true;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    setTimeout(() => server.server.closeAllConnections(), drainMs).unref();
    done();
  });
  server.addHook('onRequest', (_request, _reply, done) => {
    if (draining) done(refuse('SERVICE_UNAVAILABLE', 'this process is stopping: try again'));
    else done();
  });
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining) reply.header('connection', 'close');
    done();
  });
  server.addHook('onResponse', (_request, _reply, done) => {
    // The headers of an answer may have been sent before the stop.
    if (draining) setImmediate(() => server.server.closeIdleConnections());
    done();
  });
}
