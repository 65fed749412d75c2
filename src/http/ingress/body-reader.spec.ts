import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers';
import { Worker } from 'node:worker_threads';
import { BodyBudget } from './body-budget.js';
import { readBody } from './body-reader.js';

const BYTES = 12 * 1024 * 1024;
/** Sends a body from a thread of its own, and tells the port of the test what was answered. */
const CLIENT = `
  const { parentPort, workerData: { port, bytes } } = require('node:worker_threads');
  const request = require('node:http').request({ port, host: '127.0.0.1', method: 'POST' }, async (answer) => {
    let text = '';
    for await (const part of answer) text += part;
    parentPort.postMessage(text);
  });
  request.end(Buffer.alloc(bytes, 'a'));
`;

describe('a large body', () => {
  it('is read in portions, between which others are served', async () => {
    let [round, most] = [0, 0];
    const nextRound = (): void => {
      most = Math.max(most, round);
      round = 0;
    };
    const server = createServer((raw, answer) => {
      raw.on('data', ({ length }: Buffer) => {
        // What comes while the thread is busy waits in the socket.
        if (round === 0) busy(5);
        round += length;
        setImmediate(nextRound);
      });
      readBody(requestOf(raw), { raw: answer } as FastifyReply, BYTES, new BodyBudget(BYTES), (error, body) =>
        answer.end(error?.message ?? String(body?.length)),
      );
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const client = new Worker(CLIENT, { eval: true, workerData: { port, bytes: BYTES } });
    expect(await once(client, 'message')).toEqual([String(BYTES)]);
    server.close();
    await client.terminate();
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(512 * 1024);
  });
});

const requestOf = (raw: IncomingMessage): FastifyRequest => ({ raw, headers: raw.headers }) as FastifyRequest;

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
