import { afterEach, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { pino } from 'pino';
import { head, RawRequest, type RawAnswer } from '../../../test/harness/raw-request.js';
import { until } from '../../../test/harness/until.js';
import { Marked } from '../../modules/auth/index.js';
import { createApplication, type HttpConfiguration } from '../create-application.js';

let release: () => void = () => undefined;
let released = Promise.resolve();
let reached: () => void = () => undefined;
let underWay = Promise.resolve();

@Controller()
class ProbeController {
  @Get('things')
  things() {
    return { ok: true };
  }
  @Get('page')
  @Marked({ pageFile: true })
  page() {
    return 'a page';
  }
  @Get('health/live')
  live() {
    return { status: 'UP' };
  }
  @Get('slow')
  async slow() {
    reached();
    await released;
    return { done: true };
  }
  @Post('echo')
  echo(@Body() body: unknown) {
    return { body };
  }
}

/** As the resources of the aspect API do, they share the method that answers their actions. */
abstract class ProbeActions {
  @Post()
  @Marked({ writes: new Set(['/written?action=go']) })
  go() {
    return { gone: true };
  }
}
@Controller('written')
class WrittenActions extends ProbeActions {}
@Controller('read')
class ReadActions extends ProbeActions {}

@Module({ controllers: [ProbeController, WrittenActions, ReadActions] })
class ProbeModule {}

let app: NestFastifyApplication;
let url: string;
const open: RawRequest[] = [];

async function start(more: Partial<HttpConfiguration> = {}): Promise<void> {
  released = new Promise((resolve) => (release = resolve));
  underWay = new Promise((resolve) => (reached = resolve));
  const configuration = {
    auth: 'on',
    bodyLimit: 4096,
    logLevel: 'silent',
    recordNamespace: 'com.acme',
    ...more,
  } as const;
  app = await createApplication(ProbeModule, configuration, pino({ level: 'silent' }));
  await app.listen(0, '127.0.0.1');
  url = await app.getUrl();
}
afterEach(async () => {
  for (const request of open.splice(0)) request.close();
  release();
  await app.close();
});

async function send(...parts: string[]): Promise<RawRequest> {
  const request = await RawRequest.send(url, ...parts);
  open.push(request);
  return request;
}
const get = async (path: string): Promise<RawAnswer> => (await send(head('GET', path))).answer();

const PROBLEM = {
  headers: { connection: 'close', 'x-request-id': expect.any(String) as unknown },
  body: { type: 'about:blank', requestId: expect.any(String) as unknown },
};

describe('what is no request', () => {
  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['a header that is none', 'GET /things HTTP/1.1\r\nHost x\r\n\r\n'],
    ['two lengths', 'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
  ])('is told so in our words: %s', async (_name, text) => {
    await start();
    const answer = await (await send(text)).answer();
    expect(answer).toMatchObject({ status: 400, ...PROBLEM });
    expect(answer.body.code).toBe('REQUEST_MALFORMED');
  });

  it('is told so in the words of its surface', async () => {
    await start();
    const answer = await (await send('POST /entities?action=search HTTP/1.1\r\nbad\r\n\r\n')).answer();
    expect(answer).toMatchObject({
      status: 400,
      body: { exceptionClass: 'com.acme.restli.server.RestLiServiceException', code: 'REQUEST_MALFORMED' },
    });
  });

  it('is told that its headers are too long', async () => {
    await start();
    const answer = await (await send(head('GET', '/things', { 'x-long': 'x'.repeat(20_000) }))).answer();
    expect(answer).toMatchObject({ status: 431, body: { code: 'HEADERS_TOO_LARGE', status: 431 } });
  });

  it('has an end when it never becomes whole', async () => {
    await start();
    const server: Server = app.getHttpServer();
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
      15_000, 60_000, 30_000,
    ]);
    server.headersTimeout = 100;
    server.requestTimeout = 200;
    const half = await send('GET /things HTTP/1.1\r\nHost: x\r\n');
    const body = await send(
      head('POST', '/echo', { 'Content-Type': 'application/json', 'Content-Length': 9 }),
    );
    const silent = await send();
    expect(await half.answer()).toMatchObject({ status: 408, body: { code: 'REQUEST_TIMEOUT' } });
    expect(await body.answer()).toMatchObject({ status: 408, body: { code: 'REQUEST_TIMEOUT' } });
    if (!silent.socket.closed) await once(silent.socket, 'close');
    expect(silent.received).toBe('');
  });
});

describe('connections', () => {
  it('are counted by address', async () => {
    await start({ connectionsPerAddress: 2 });
    const first = await send(head('GET', '/things'));
    const second = await send(head('GET', '/things'));
    expect([(await first.answer()).status, (await second.answer()).status]).toEqual([200, 200]);
    const third = await (await send()).answer();
    expect(third).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { code: 'TOO_MANY_REQUESTS', message: expect.stringContaining('2 connections') as unknown },
    });
    first.close();
    await until(async () => (await get('/things')).status === 200);
  });
});

describe('a stop', () => {
  it('answers what comes meanwhile in our words, with the time to try again', async () => {
    await start();
    const slow = await send(head('GET', '/slow'));
    const late = await send('GET /things HTTP/1.1\r\n');
    await underWay;
    // A whole round trip: what was sent before has been read.
    await get('/things');
    const stopping = new Promise((resolve) => app.getHttpServer().once('close', resolve));
    const closed = app.close();
    // Nothing is accepted any more: the stop has begun.
    await until(async () => !app.getHttpServer().listening);
    late.write('Host: x\r\n\r\n');
    expect(await late.answer()).toMatchObject({
      status: 503,
      headers: { 'retry-after': '5', connection: 'close' },
      body: {
        type: 'about:blank',
        code: 'SERVICE_UNAVAILABLE',
        message: 'this process is stopping: try again',
      },
    });
    release();
    expect((await slow.answer()).body).toEqual({ done: true });
    await closed;
    await stopping;
  });
});

describe('an action', () => {
  it.each([
    ['/written?action=go', 201],
    ['/written?action=other', 413],
    ['/read?action=go', 413],
  ])('has large bodies where it writes, not where one of its name does: %s', async (path, status) => {
    await start({ queryBodyLimit: 1024 });
    const body = JSON.stringify({ text: 'x'.repeat(2000) });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
    expect((await (await send(head('POST', path, headers), body)).answer()).status).toBe(status);
  });
});

describe('under pressure', () => {
  it('sheds load, answers health checks, sends files of pages, and comes back', async () => {
    await start({ shedDelayMs: 50 });
    const slow = await send(head('GET', '/slow'));
    await underWay;
    const burning = setInterval(() => {
      const end = performance.now() + 150;
      while (performance.now() < end);
    }, 1);
    let shed: RawAnswer | undefined;
    try {
      await until(async () => {
        shed = await get('/things');
        return shed.status === 503;
      });
      expect(shed).toMatchObject({
        headers: { 'retry-after': '5' },
        body: {
          code: 'SERVICE_UNAVAILABLE',
          message: expect.stringMatching(/for the event loop, and the limit is 50 ms/),
        },
      });
      expect((await get('/health/live')).status).toBe(200);
      const both = await Promise.all([get('/page'), get('/things')]);
      expect(both.map(({ status }) => status)).toEqual([200, 503]);
    } finally {
      clearInterval(burning);
    }
    await until(async () => (await get('/things')).status === 200);
    release();
    expect((await slow.answer()).status).toBe(200);
  });
});
