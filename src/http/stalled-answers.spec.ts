import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { fastify } from 'fastify';
import { until } from '../../test/harness/until.js';
import { closeStalledAnswers } from './stalled-answers.js';

/** The looks of a test are at moments of its own, and none come by themselves. */
const LIMIT_MS = 3_600_000;
/** More than the system keeps for a client that does not read. */
const LARGE = 64 * 1024 * 1024;
/** When this has been read, the system asks for more. */
const SOME = 8 * 1024 * 1024;

interface Asked {
  readonly look: (now: number) => void;
  /** On the side of the server. */
  readonly answer: ServerResponse;
  readonly client: Socket;
}

const closers: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function asked(path: string): Promise<Asked> {
  const server = fastify();
  const look = closeStalledAnswers(server, LIMIT_MS);
  const answered = new Promise<ServerResponse>((resolve) => {
    server.get('/large', (_request, reply) => {
      reply.hijack();
      reply.raw.end(Buffer.alloc(LARGE));
      resolve(reply.raw);
    });
    server.get('/later', (_request, reply) => {
      reply.hijack();
      resolve(reply.raw);
    });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  client.pause().on('error', () => undefined);
  closers.push(async () => {
    client.destroy();
    await server.close();
  });
  client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return { look, answer: await answered, client };
}

/** Bytes of the answer that have not left the process, once that is so many as stay: what the system takes, it takes at once. */
async function left({ socket }: ServerResponse): Promise<number> {
  const count = () => (socket as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
  let before = NaN;
  await until(async () => before === (before = count()));
  return before;
}

describe('a client that stops reading its answer', () => {
  it('loses its connection, whatever else it sends', async () => {
    const { look, answer, client } = await asked('/large');
    await left(answer);
    look(0);
    client.write('\r\n');
    look(LIMIT_MS - 1);
    expect(answer.destroyed).toBe(false);
    const closed = once(answer, 'close');
    look(LIMIT_MS);
    await closed;
    expect(answer.writableFinished).toBe(false);
  });

  it('keeps it as long as it takes a little now and then', async () => {
    const { look, answer, client } = await asked('/large');
    let before = await left(answer);
    look(0);
    for (let turn = 1; turn <= 3; turn += 1) {
      // Half of what the system keeps of it would not yet show.
      for (const end = client.bytesRead + SOME; client.bytesRead < end; client.pause()) {
        client.resume();
        await once(client, 'data');
      }
      const now = await left(answer);
      expect(now).toBeLessThan(before);
      before = now;
      look(turn * LIMIT_MS);
      expect(answer.destroyed).toBe(false);
    }
  });

  it('keeps it while the answer is not there yet', async () => {
    const { look, answer, client } = await asked('/later');
    look(0);
    look(LIMIT_MS);
    look(3 * LIMIT_MS);
    answer.end('at last');
    client.resume();
    expect(String((await once(client, 'data'))[0])).toContain('at last');
  });
});
