import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { fastify, type FastifyInstance, type onSendHookHandler } from 'fastify';
import { compressAnswers } from './compression.js';

describe('compressAnswers', () => {
  let server: FastifyInstance | undefined;
  afterEach(() => server?.close());

  it('sends answers as they are while the library cannot be loaded, and loads it with a later one', async () => {
    const seen: string[] = [];
    const hook: onSendHookHandler = (_request, reply, payload, done) => {
      reply.header('content-encoding', 'none');
      done(null, payload);
    };
    server = fastify();
    const warn = jest.fn();
    compressAnswers(server, 10, { warn }, async () => {
      seen.push('load');
      if (seen.length === 1) throw new Error('EMFILE: too many open files');
      return hook;
    });
    server.get('/', () => 'a text that is long enough');
    const get = () => server?.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } });
    const first = await get();
    expect([first?.statusCode, first?.body]).toEqual([200, 'a text that is long enough']);
    expect(first?.headers['content-encoding']).toBeUndefined();
    expect(warn.mock.calls).toEqual([
      [
        { err: new Error('EMFILE: too many open files') },
        'the library that compresses answers cannot be loaded',
      ],
    ]);
    const second = await get();
    expect([second?.statusCode, second?.headers['content-encoding']]).toEqual([200, 'none']);
    expect(seen).toEqual(['load', 'load']);
  });
});
