import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  Delete,
  Get,
  Head,
  HttpCode,
  Module,
  Param,
  Patch,
  Post,
  Query,
} from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { CatalogError, refuse, type ErrorCode } from '../catalog/errors/index.js';
import { createApplication } from './create-application.js';

@Controller()
class ProbeController {
  @Get('echo/:urn')
  echo(@Param('urn') urn: string, @Query() query: unknown) {
    return { urn, query };
  }
  @Head('things/:urn')
  @HttpCode(204)
  exists(): void {}
  @Get('things/:urn')
  thing() {
    return { ok: true };
  }
  @Delete('things/:urn')
  remove(@Body() body: unknown) {
    return { body: body ?? null };
  }
  @Post('aspects')
  aspects(@Body() body: unknown, @Query('action') action: string) {
    return { action, body: body ?? null };
  }
  @Patch('patch')
  patch(@Body() body: unknown) {
    return { body };
  }
  @Get('fail/:code')
  fail(@Param('code') code: ErrorCode) {
    throw refuse(code, `it is ${code}`, '/a/b');
  }
  @Get('entitiesV2/:code')
  failAspectApi(@Param('code') code: ErrorCode) {
    throw refuse(code, `it is ${code}`, '/a/b');
  }
  @Get('broken')
  broken() {
    throw new Error('SQLITE_ERROR: no such table secret at /home/me/db.sqlite');
  }
  @Get('entities/broken')
  brokenAspectApi() {
    throw new CatalogError('INTERNAL', 'the pool of db.internal is gone');
  }
}

@Module({ controllers: [ProbeController] })
class ProbeModule {}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: any;
}

let app: NestFastifyApplication;
let port: number;
const log: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
const configuration = {
  auth: 'on',
  bodyLimit: 4096,
  logLevel: 'debug',
  recordNamespace: 'com.acme',
} as const;

/** The path goes over the wire as it is written here. */
function call(
  method: string,
  path: string,
  body?: string | Buffer,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Node sends a body with DELETE, but not its length.
    const length =
      body !== undefined && !headers['transfer-encoding']
        ? { 'content-length': Buffer.byteLength(body) }
        : {};
    const request = httpRequest(
      { port, method, path, headers: { ...length, ...headers }, host: '127.0.0.1' },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const json: unknown =
            response.headers['content-type']?.includes('json') && text ? JSON.parse(text) : undefined;
          resolve({ status: response.statusCode!, headers: response.headers, text, json });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
const JSON_TYPE = { 'content-type': 'application/json' };

beforeAll(async () => {
  app = await createApplication(ProbeModule, configuration, logger);
  await app.listen(0, '127.0.0.1');
  port = (app.getHttpServer().address() as AddressInfo).port;
});
afterAll(() => app.close());

describe('paths', () => {
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:s3,a/b c%2F🙂,PROD)';

  it('decodes a percent-encoded URN exactly once and keeps it one parameter', async () => {
    expect((await call('GET', `/echo/${encodeURIComponent(dataset)}`)).json.urn).toBe(dataset);
    expect((await call('GET', '/echo/a%252Fb%2525')).json.urn).toBe('a%2Fb%25');
    expect((await call('GET', '/echo/a%2F%2Fb%2F')).json.urn).toBe('a//b/');
    expect((await call('GET', '/echo/a+b')).json.urn).toBe('a+b');
  });

  it('takes raw parentheses, commas and colons', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:kafka,db.t,PROD)';
    expect((await call('GET', `/echo/${urn}`)).json.urn).toBe(urn);
  });

  it('takes a URN far beyond the length of a valid one, so that its reader can refuse it', async () => {
    expect((await call('GET', `/echo/${'%C3%BC'.repeat(2000)}`)).json.urn).toBe('ü'.repeat(2000));
  });

  it('takes trailing and double slashes, and minds upper and lower case', async () => {
    for (const path of ['/aspects?action=x', '/aspects/?action=x', '//aspects?action=x']) {
      expect((await call('POST', path, '{}', JSON_TYPE)).json).toEqual({ action: 'x', body: {} });
    }
    expect((await call('POST', '/Aspects?action=x', '{}', JSON_TYPE)).status).toBe(404);
  });

  it('hands Rest.li lists over as they came, and repeated parameters as a list', async () => {
    expect((await call('GET', '/echo/u?aspects=List(a,b)')).json.query).toEqual({ aspects: 'List(a,b)' });
    expect((await call('GET', '/echo/u?aspects=a&aspects=b')).json.query).toEqual({ aspects: ['a', 'b'] });
  });

  it.each(['/echo/%zz', '/echo/%', '/echo/%ff', '/echo/u?urn=%zz', '/echo/u?urn=%ff', '/entities/%zz'])(
    'refuses the malformed encoding of %s',
    async (path) => {
      const { status, json, headers } = await call('GET', path);
      expect(status).toBe(400);
      expect(json).toMatchObject({ status: 400, code: 'PARAMETER_INVALID' });
      expect(json.message).toMatch(/percent-encoded/);
      expect(json.requestId).toBe(headers['x-request-id']);
    },
  );
});

describe('bodies', () => {
  it('parses JSON and media types based on it', async () => {
    for (const type of [
      'application/json',
      'Application/JSON; charset=UTF-8',
      'application/json-patch+json',
    ]) {
      expect((await call('PATCH', '/patch', '[{"ü":1}]', { 'content-type': type })).json).toEqual({
        body: [{ ü: 1 }],
      });
    }
  });

  it('takes an empty body with a JSON content type, also on GET', async () => {
    expect((await call('GET', '/echo/u', undefined, JSON_TYPE)).status).toBe(200);
    expect((await call('POST', '/aspects?action=x', '', JSON_TYPE)).json).toEqual({
      action: 'x',
      body: null,
    });
    expect((await call('POST', '/aspects?action=x')).json).toEqual({ action: 'x', body: null });
    expect((await call('DELETE', '/things/u', '[]', JSON_TYPE)).json).toEqual({ body: [] });
    expect((await call('DELETE', '/things/u', undefined, JSON_TYPE)).json).toEqual({ body: null });
  });

  it.each([
    ['{"a":', 'JSON_MALFORMED'],
    ['{"__proto__":{}}', 'JSON_FORBIDDEN_KEY'],
    ['[12345678901234567890]', 'NUMBER_OUT_OF_RANGE'],
    ['['.repeat(70) + ']'.repeat(70), 'JSON_TOO_DEEP'],
    [Buffer.from([0x22, 0xff, 0x22]), 'TEXT_MALFORMED'],
  ])('refuses %s with 400', async (body, code) => {
    const { status, json } = await call('POST', '/aspects?action=x', body, JSON_TYPE);
    expect([status, json.code]).toEqual([400, code]);
    expect(json.exceptionClass).toBe('com.acme.restli.server.RestLiServiceException');
  });

  it.each([
    [{ 'content-type': 'text/plain' }],
    [{ 'content-type': 'application/x-www-form-urlencoded' }],
    [{ 'content-type': 'application/jsonp' }],
    [{ 'content-type': 'application/json; charset=latin1' }],
    [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }],
    [{}],
  ] as Array<[Record<string, string>]>)('refuses a body with %j', async (headers) => {
    const { status, json } = await call('PATCH', '/patch', '{}', headers);
    expect([status, json.code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
  });

  it('refuses a body beyond the limit, announced or not', async () => {
    const big = JSON.stringify('x'.repeat(5000));
    expect((await call('PATCH', '/patch', big, JSON_TYPE)).status).toBe(413);
    const chunked = await call('PATCH', '/patch', big, { ...JSON_TYPE, 'transfer-encoding': 'chunked' });
    expect([chunked.status, chunked.json.code]).toEqual([413, 'BODY_TOO_LARGE']);
  });
});

describe('errors', () => {
  it('answers problem+json, with what existing clients read beside it', async () => {
    const { status, json, headers } = await call('GET', '/fail/ASPECT_INVALID', undefined, {
      'x-request-id': 'abc-1',
    });
    expect(status).toBe(400);
    expect(headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(headers['x-request-id']).toBe('abc-1');
    expect(json).toEqual({
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      detail: 'it is ASPECT_INVALID',
      code: 'ASPECT_INVALID',
      requestId: 'abc-1',
      errors: [{ pointer: '/a/b', message: 'it is ASPECT_INVALID' }],
      error: 'Validation Error',
      message: 'it is ASPECT_INVALID',
    });
  });

  it('answers the aspect API in its own shape, with its own statuses', async () => {
    const { status, json, headers } = await call('GET', '/entitiesV2/ASPECT_INVALID');
    expect(status).toBe(422);
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(json).toEqual({
      exceptionClass: 'com.acme.restli.server.RestLiServiceException',
      message: 'it is ASPECT_INVALID',
      status: 422,
      code: 'ASPECT_INVALID',
      requestId: headers['x-request-id'],
      errors: [{ pointer: '/a/b', message: 'it is ASPECT_INVALID' }],
    });
  });

  it.each([
    ['URN_MALFORMED', 400, {}],
    ['TOKEN_MISSING', 401, { 'www-authenticate': 'Bearer' }],
    ['TOKEN_EXPIRED', 401, { 'www-authenticate': 'Bearer error="invalid_token"' }],
    ['NOT_ALLOWED', 403, {}],
    ['ENTITY_NOT_FOUND', 404, { 'not-found-reason': 'ENTITY' }],
    ['ASPECT_EXISTS', 409, {}],
    ['PRECONDITION_FAILED', 412, {}],
    ['BATCH_TOO_LARGE', 413, {}],
    ['TOO_MANY_REQUESTS', 429, { 'retry-after': '1' }],
    ['SEARCH_UNAVAILABLE', 503, { 'retry-after': '5' }],
  ])('answers %s with %i', async (code, status, headers) => {
    const answer = await call('GET', `/fail/${code}`);
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject(headers);
  });

  it.each(['/broken', '/entities/broken'])(
    'tells nothing about our own faults on %s, and logs them',
    async (path) => {
      const { status, json, text } = await call('GET', path, undefined, {
        'x-request-id': `id-of${path.replaceAll('/', '-')}`,
      });
      expect([status, json.code]).toEqual([500, 'INTERNAL']);
      expect(text).not.toMatch(/SQLITE|secret|home|db\.internal|stack|\.ts/);
      const line = log.find((entry) => entry.includes('"level":50') && entry.includes(json.requestId));
      expect(line).toMatch(/no such table|db\.internal/);
    },
  );

  it('answers 404 for unknown paths and 405 for unknown methods', async () => {
    const unknown = await call('GET', '/nowhere?secret=1');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'ROUTE_UNKNOWN']);
    expect(unknown.json.message).toBe('there is no endpoint GET /nowhere');
    const restli = await call('PUT', '/entities/broken');
    expect([restli.status, restli.headers['allow'], restli.json.status]).toEqual([405, 'GET, HEAD', 405]);
    expect((await call('GET', '/aspects')).headers['allow']).toBe('POST');
    expect((await call('HEAD', '/nowhere')).status).toBe(404);
    expect((await call('GET', '/echo/')).status).toBe(404);
  });
});

describe('every request', () => {
  it('has an id: a harmless one of the caller, or a new one', async () => {
    for (const bad of ['a b', 'x'.repeat(65), '<script>', '"']) {
      const id = (await call('GET', '/things/u', undefined, { 'x-request-id': bad })).headers['x-request-id'];
      expect(id).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(
      (await call('HEAD', '/things/u', undefined, { 'x-request-id': 'me.1' })).headers['x-request-id'],
    ).toBe('me.1');
  });

  it('has security headers', async () => {
    expect((await call('GET', '/things/u')).headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
  });

  it('keeps tokens, queries and bodies out of the log', async () => {
    log.length = 0;
    await call('POST', '/aspects?action=x&token=hush1', '{"a":"hush2"}', {
      ...JSON_TYPE,
      authorization: 'Bearer hush3',
    });
    await call('GET', '/aspects?token=hush1');
    expect(log.filter((line) => line.includes('"path":"/aspects"'))).toHaveLength(2);
    expect(log.join('')).not.toContain('hush');
  });

  it('survives request targets that are no paths', async () => {
    for (const target of ['*', 'http://127.0.0.1/things/u', 'things', '/\u0001']) {
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
        );
        let text = '';
        socket.on('data', (chunk) => (text += chunk.toString()));
        socket.on('end', () => resolve(text));
        socket.on('error', reject);
      });
      expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404)/);
    }
    expect((await call('GET', '/things/u')).status).toBe(200);
  });
});

describe('without authentication', () => {
  it('answers to names of this machine only', async () => {
    const open = await createApplication(ProbeModule, { ...configuration, auth: 'off' }, logger);
    await open.listen(0, '127.0.0.1');
    const before = port;
    port = (open.getHttpServer().address() as AddressInfo).port;
    try {
      for (const host of ['localhost:1', '127.0.0.1', '[::1]:80']) {
        expect((await call('GET', '/things/u', undefined, { host })).status).toBe(200);
      }
      expect((await call('GET', '/things/u', undefined, { host: 'evil.example' })).status).toBe(403);
    } finally {
      port = before;
      await open.close();
    }
  });
});
