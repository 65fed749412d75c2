import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { DirectRoute, type DirectReply, type DirectRequest } from '../catalog/extension/direct-route.js';
import { serveDirectRoutes } from './direct-routes.js';

class Echo extends DirectRoute {
  override async serve({ query, body }: DirectRequest, reply: DirectReply): Promise<unknown> {
    if (body === null) throw Object.assign(new Error('nothing'), { statusCode: 418 });
    if (body === 0) return undefined;
    if (body === 1) return { sent: 'as JSON' };
    reply.header('content-type', 'text/plain');
    return JSON.stringify({ query, body });
  }
}

class Absent extends Echo {}

describe('routes that are served without the framework', () => {
  let server: FastifyInstance;

  beforeEach(() => {
    server = fastify();
    serveDirectRoutes(server, (type) => (type === Echo ? new Echo() : undefined));
    const declared = async () => 'by the method';
    server.post('/echo', { config: { direct: Echo } }, declared);
    server.post('/absent', { config: { direct: Absent } }, declared);
    server.post('/other', declared);
  });
  afterEach(() => server.close());

  const post = async (url: string, payload: string) => {
    const headers = { 'content-type': 'application/json' };
    const {
      statusCode,
      headers: sent,
      body,
    } = await server.inject({ method: 'POST', url, payload, headers });
    return [statusCode, sent['content-type'], body];
  };

  it('are those that name who serves them', async () => {
    expect(await post('/echo?a=1', '{"b":2}')).toEqual([
      200,
      'text/plain',
      '{"query":{"a":"1"},"body":{"b":2}}',
    ]);
    for (const url of ['/absent', '/other'])
      expect(await post(url, '{}')).toEqual([200, 'text/plain; charset=utf-8', 'by the method']);
  });

  it('send objects as JSON, and nothing where there is nothing', async () => {
    expect(await post('/echo', '1')).toEqual([200, 'application/json; charset=utf-8', '{"sent":"as JSON"}']);
    expect(await post('/echo', '0')).toEqual([200, undefined, '']);
  });

  it('fail as others do', async () => {
    expect((await post('/echo', 'null'))[0]).toBe(418);
  });
});
