import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { drainConnections } from './draining.js';

/** A server whose one route answers when `release` is called. */
async function startServer(drainMs?: number) {
  const server = fastify({ forceCloseConnections: 'idle' });
  drainConnections(server, drainMs);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let reached: () => void = () => undefined;
  const underWay = new Promise<void>((resolve) => (reached = resolve));
  server.get('/slow', async () => {
    reached();
    await released;
    return 'done';
  });
  server.get('/begun', async (_request, reply) => {
    reply.raw.writeHead(200).write('some');
    await released;
    reply.raw.end('more');
    return reply.hijack();
  });
  const stopping = new Promise<void>((resolve) => server.addHook('preClose', async () => resolve()));
  await server.listen({ port: 0, host: '127.0.0.1' });
  return { server, underWay, stopping, release, port: portOf(server) };
}

const portOf = (server: FastifyInstance) => (server.server.address() as AddressInfo).port;

describe('a stop', () => {
  it('answers what is under way, and closes a kept-alive connection after the answer', async () => {
    const { server, underWay, stopping, release, port } = await startServer();
    const agent = new Agent({ keepAlive: true });
    const call = request({ port, host: '127.0.0.1', path: '/slow', agent }).end();
    const answered = once(call, 'response');
    await underWay;
    const closed = server.close();
    await stopping;
    release();
    const [answer] = await answered;
    expect(answer.statusCode).toBe(200);
    expect(answer.headers.connection).toBe('close');
    answer.resume();
    await closed;
    agent.destroy();
  });

  it('closes the connection of an answer that had begun before it', async () => {
    const { server, release, port } = await startServer(3_600_000);
    const agent = new Agent({ keepAlive: true });
    const call = request({ port, host: '127.0.0.1', path: '/begun', agent }).end();
    const [answer] = await once(call, 'response');
    const closed = server.close();
    release();
    answer.resume();
    await once(answer, 'end');
    await closed;
    agent.destroy();
  });

  it('does not wait for a connection that sent nothing', async () => {
    const { server, port } = await startServer(3_600_000);
    const silent = connect(port, '127.0.0.1');
    await once(silent, 'connect');
    // The server has taken the connection when it answers a later one.
    await (await fetch(`http://127.0.0.1:${port}/nothing`)).text();
    const gone = once(silent, 'close');
    await server.close();
    await gone;
  });

  it('gives up a request that does not come to an end', async () => {
    const { server, underWay, port } = await startServer(50);
    const call = request({ port, host: '127.0.0.1', path: '/slow' }).end();
    const failed = once(call, 'error');
    await underWay;
    await server.close();
    await failed;
  });
});
