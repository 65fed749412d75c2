import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance, type InjectOptions } from 'fastify';
import { QuickRead, type PlainRequest, type QuickAnswer } from '../catalog/extension/quick-read.js';
import { answerQuickReads } from './quick-reads.js';

const ANN = { actor: 'urn:li:corpuser:ann', role: 'READER' } as const;

class Thing extends QuickRead {
  override readsQuery = false;
  next: () => ReturnType<QuickRead['answer']> = () => undefined;
  readonly asked: unknown[] = [];

  override answer(_principal: unknown, { params, query }: PlainRequest): ReturnType<QuickRead['answer']> {
    this.asked.push({ ...(params as object), ...(query as object) });
    return this.next();
  }
}

const ANSWER: QuickAnswer = { body: Buffer.from('{"quick":true}'), headers: { etag: '"7"' } };

describe('reads that were answered recently', () => {
  let server: FastifyInstance;
  let thing: Thing;

  beforeEach(() => {
    server = fastify();
    thing = new Thing();
    server.addHook('onRequest', (request, _reply, done) => {
      if (request.headers.authorization !== undefined) Object.assign(request, { principal: ANN });
      done();
    });
    answerQuickReads(server, (type) => (type === Thing ? thing : undefined));
    server.get('/things/:id', { config: { quick: Thing } }, async () => ({ quick: false }));
    server.get('/others/:id', async () => ({ quick: false }));
  });
  afterEach(() => server.close());

  const get = (url: string, more: InjectOptions = {}) =>
    server.inject({ method: 'GET', url, headers: { authorization: 'Bearer x' }, ...more });

  it.each([
    ['at once', () => ANSWER],
    ['when the store has said that it is true', () => Promise.resolve(ANSWER)],
  ])('are answered again %s', async (_when, next) => {
    thing.next = next;
    const { statusCode, headers, body } = await get('/things/a%20b');
    expect([statusCode, body]).toEqual([200, '{"quick":true}']);
    expect(headers).toMatchObject({
      etag: '"7"',
      'content-type': 'application/json',
      'content-length': '14',
    });
    expect(thing.asked).toEqual([{ id: 'a b' }]);
  });

  it.each([
    ['at once', () => undefined],
    ['later', () => Promise.resolve(undefined)],
  ])('are left to the route when that is not possible, %s', async (_when, next) => {
    thing.next = next;
    expect((await get('/things/1')).json()).toEqual({ quick: false });
    expect(thing.asked).toHaveLength(1);
  });

  it.each([
    [
      'at once',
      () => {
        throw new Error('broken');
      },
    ],
    ['later', () => Promise.reject(new Error('broken'))],
  ])('fail as the route would, %s', async (_when, next) => {
    thing.next = next;
    expect((await get('/things/1')).statusCode).toBe(500);
  });

  it('are asked with the query where they read it, and say what they send and when it is sent', async () => {
    let sent = 0;
    thing.readsQuery = true;
    thing.next = () => ({ ...ANSWER, contentType: 'text/csv', sent: () => (sent += 1) });
    const { headers, body } = await get('/things/1?a=b%20c');
    expect([headers['content-type'], body, sent]).toEqual(['text/csv', '{"quick":true}', 1]);
    expect(thing.asked).toEqual([{ id: '1', a: 'b c' }]);
  });

  it('are not asked for what is not plain, for callers that are not known, and on other routes', async () => {
    thing.next = () => ANSWER;
    expect((await get('/things/1?a=b')).json()).toEqual({ quick: false });
    expect((await get('/things/1', { method: 'HEAD' })).headers['content-length']).toBe('15');
    expect((await get('/things/1', { headers: {} })).json()).toEqual({ quick: false });
    expect((await get('/others/1')).json()).toEqual({ quick: false });
    expect(thing.asked).toEqual([]);
  });
});
