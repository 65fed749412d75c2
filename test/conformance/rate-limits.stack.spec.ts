import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import { RedisRateCounts } from '../../src/adapters/rate-limit/index.js';
import { CatalogError } from '../../src/catalog/errors/index.js';
import { RateLimits } from '../../src/http/ingress/rate-limits.js';
import { Gateway } from '../harness/gateway.js';
import { until } from '../harness/until.js';

let gateway: Gateway;
const servers: FastifyInstance[] = [];
const counts: RedisRateCounts[] = [];

beforeAll(async () => {
  const { host } = new URL(process.env['STACK_REDIS_URL']!);
  gateway = await Gateway.to(new URL(`http://${host}`));
  await gateway.open();
  const prefix = `test-${randomBytes(4).toString('hex')}:rate:`;
  for (let i = 0; i < 2; i++) {
    const server = fastify();
    counts.push(new RedisRateCounts(gateway.url.replace('http:', 'redis:'), prefix));
    const rates = await RateLimits.on(server, { requests: 4, windowMs: 3_600_000 }, counts[i]);
    server.addHook('onRequest', (request, reply) => rates.check(request, reply));
    server.setErrorHandler((error, _request, reply) =>
      reply.code(error instanceof CatalogError ? 429 : 500).send({ message: (error as Error).message }),
    );
    server.get('/', () => 'served');
    await server.ready();
    servers.push(server);
  }
});
afterAll(async () => {
  for (const one of counts) one.close();
  for (const server of servers) await server.close();
  await gateway.close();
});

const statusesOf = async (count: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await servers[i % 2]!.inject('/')).statusCode);
  return statuses;
};

it('processes on one Redis count together, and refuse nothing while it is unavailable', async () => {
  await until(async () => counts.every(({ redis }) => redis.status === 'ready'));
  expect(await statusesOf(6)).toEqual([200, 200, 200, 200, 429, 429]);
  await gateway.close();
  expect(await statusesOf(6)).toEqual(Array(6).fill(200));
  await gateway.open();
  // It goes on counting where it was.
  await until(async () => (await statusesOf(2)).every((status) => status === 429));
});
