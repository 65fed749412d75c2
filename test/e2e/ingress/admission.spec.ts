import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { chunk, head, RawRequest } from '../../harness/raw-request.js';
import { until } from '../../harness/until.js';

const MIB = 1024 * 1024;
const JSON_BODY = { 'Content-Type': 'application/json', 'X-RestLi-Protocol-Version': '2.0.0' };
const SEARCH = '/entities?action=search';
const PROPOSE = '/aspects?action=ingestProposal';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

let catalog: TestCatalog;
const open: RawRequest[] = [];

beforeAll(async () => {
  catalog = await TestCatalog.start({
    CATALOG_BODY_LIMIT: '4MiB',
    CATALOG_BODY_MEMORY: '4MiB',
    CATALOG_QUERY_BODY_LIMIT: '2MiB',
    CATALOG_TOKEN_REQUESTS: '3',
  });
});
afterAll(() => catalog.stop());
afterEach(() => {
  for (const request of open.splice(0)) request.close();
});

/** Sends the head of a request, and what is given of its body. */
async function begin(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  ...body: string[]
): Promise<RawRequest> {
  const request = await RawRequest.send(
    catalog.url,
    head(method, path, { ...JSON_BODY, ...headers }),
    ...body,
  );
  open.push(request);
  return request;
}

const UNSENT = [
  ['announced', { 'Content-Length': MIB }],
  ['in chunks', { 'Transfer-Encoding': 'chunked' }],
] as const;

describe.each(UNSENT)('a body that is %s and never sent', (_name, announced) => {
  it.each([
    ['POST', SEARCH],
    ['POST', PROPOSE],
    ['POST', '/usageStats?action=batchIngest'],
    ['POST', '/api/graphql'],
    ['POST', '/openapi/v3/entity/dataset'],
    ['PATCH', '/openapi/v3/entity/dataset/urn:li:dataset:x/status'],
    ['PUT', '/entities'],
  ])('keeps nobody from answering %s %s without a token: 401', async (method, path) => {
    const answer = await (await begin(method, path, announced)).answer();
    expect({
      status: answer.status,
      asks: answer.headers['www-authenticate'],
      code: answer.body.code,
    }).toEqual({ status: 401, asks: 'Bearer', code: 'TOKEN_MISSING' });
  });

  it('is not waited for with a token that is not known', async () => {
    const answer = await (await begin('POST', SEARCH, { ...announced, ...bearer('cat_unknown') })).answer();
    expect([answer.status, answer.body.code]).toEqual([401, 'TOKEN_INVALID']);
  });

  it('is not waited for where the caller may not write', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    for (const path of [
      PROPOSE,
      '/entities?action=ingest',
      '/usageStats?action=batchIngest',
      '/openapi/v3/entity/dataset',
    ]) {
      const answer = await (await begin('POST', path, { ...announced, ...bearer(token) })).answer();
      expect([answer.status, answer.body.code]).toEqual([403, 'NOT_ALLOWED']);
    }
  });

  it('is not waited for where there is no route, or not for this method', async () => {
    const nowhere = await (await begin('POST', '/nowhere', announced)).answer();
    expect([nowhere.status, nowhere.body.code]).toEqual([404, 'ROUTE_UNKNOWN']);
    const method = await (await begin('PUT', '/entities', { ...announced, ...bearer(ADMIN_TOKEN) })).answer();
    expect([method.status, method.headers['allow']]).toEqual([405, 'GET, HEAD, POST']);
    const health = await (await begin('POST', '/health/live', announced)).answer();
    expect(health.status).toBe(405);
  });
});

describe('without a token', () => {
  it('sixteen large bodies are answered, and so are others meanwhile', async () => {
    const part = '{' + Array.from({ length: 60_000 }, (_, i) => `"${i}":{}`).join();
    const requests = await Promise.all(
      Array.from({ length: 16 }, () => begin('POST', SEARCH, { 'Content-Length': 4 * MIB }, part)),
    );
    expect((await catalog.get('/health/live', { token: null })).status).toBe(200);
    for (const request of requests) expect((await request.answer()).status).toBe(401);
  });

  it('a body that was sent all the same passes by, and the connection goes on', async () => {
    const body = JSON.stringify('x'.repeat(MIB));
    const request = await begin('POST', SEARCH, { 'Content-Length': body.length }, body);
    expect((await request.answer()).status).toBe(401);
    request.write(head('GET', '/health/live'));
    expect((await request.answer()).body).toEqual({ status: 'UP' });
  });

  it('nobody is asked to go on with a body', async () => {
    const request = await begin('POST', SEARCH, { 'Content-Length': MIB, Expect: '100-continue' });
    expect((await request.answer()).status).toBe(401);
    const body = JSON.stringify({ entity: 'dataset', input: '*', start: 0, count: 1 });
    const known = await begin('POST', SEARCH, {
      'Content-Length': body.length,
      Expect: '100-continue',
      ...bearer(ADMIN_TOKEN),
    });
    expect((await known.answer()).status).toBe(100);
    known.write(body);
    expect((await known.answer()).status).toBe(200);
  });
});

describe('the size of a body', () => {
  it.each([
    [SEARCH, 2 * MIB],
    ['/api/graphql', 2 * MIB],
    ['/openapi/v3/entity/dataset/batchGet', 2 * MIB],
    ['/entities?action=batchIngest', 4 * MIB],
    ['/usageStats?action=batchIngest', 4 * MIB],
    ['/usageStats?action=query', 2 * MIB],
    [PROPOSE, 4 * MIB],
  ])('is bounded for %s by %i bytes, before it is sent and while it is', async (path, limit) => {
    const request = await begin('POST', path, { 'Content-Length': limit + 1, ...bearer(ADMIN_TOKEN) });
    const answer = await request.answer();
    expect([answer.status, answer.body.code]).toEqual([413, 'BODY_TOO_LARGE']);
    expect(answer.body.message).toBe(`the body may have ${limit} bytes here, it has ${limit + 1} bytes`);
    const chunked = await begin(
      'POST',
      path,
      { 'Transfer-Encoding': 'chunked', ...bearer(ADMIN_TOKEN) },
      chunk('x'.repeat(limit)),
      chunk('xx'),
    );
    expect((await chunked.answer()).body.code).toBe('BODY_TOO_LARGE');
  });

  it('leaves room for thousands of proposals, and for thousands of columns', async () => {
    const urn = (i: number) => `urn:li:tag:many${i}`;
    await catalog.ingest(
      ...Array.from({ length: 4_000 }, (_, i): [string, string, unknown] => [
        urn(i),
        'tagProperties',
        { name: `many ${i}` },
      ]),
    );
    const fields = Array.from({ length: 6_000 }, (_, i) => ({
      fieldPath: `column_${i}`,
      nullable: false,
      type: { type: { 'com.linkedin.schema.StringType': {} } },
      nativeDataType: 'varchar(255)',
      description: 'one of many',
    }));
    const dataset = 'urn:li:dataset:(urn:li:dataPlatform:hive,wide,PROD)';
    const answer = await catalog.propose(dataset, 'schemaMetadata', {
      schemaName: 'wide',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields,
    });
    expect(answer.status).toBe(200);
  });

  it('is not all: what is in it is counted before it is parsed', async () => {
    const values = Array.from({ length: 200_001 }, () => 1);
    const answer = await catalog.post(SEARCH, { entity: 'dataset', input: values });
    expect([answer.status, answer.body.code]).toEqual([413, 'JSON_TOO_MANY_VALUES']);
    expect(answer.body.message).toMatch(/may hold 200000 values here, it holds about 20000\d/);
    // Also in the JSON text of an aspect.
    const inner = await catalog.propose(
      'urn:li:tag:a',
      'tagProperties',
      Array.from({ length: 1_100_000 }, () => 1),
    );
    expect([inner.status, inner.body.code]).toEqual([413, 'JSON_TOO_MANY_VALUES']);
  });
});

describe('bodies that are under way', () => {
  const large = `"${'x'.repeat(3 * MIB)}`;

  it.each([
    ['announced', { 'Content-Length': 4 * MIB }, large],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }, chunk(large)],
  ])('have a bound for the whole process (%s)', async (_name, announced, part) => {
    const { token } = await catalog.issueToken({ user: 'slow' });
    const slow = await begin('POST', PROPOSE, { ...announced, ...bearer(token) }, part);
    const further = { ...bearer(ADMIN_TOKEN), 'Content-Length': 2 * MIB };
    let refused: Awaited<ReturnType<RawRequest['answer']>> | undefined;
    await until(async () => {
      const request = await begin('POST', '/openapi/v3/entity/dataset', further, '[');
      const answer = await Promise.race([
        request.answer(),
        new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 200)),
      ]);
      refused = answer;
      request.close();
      return answer !== undefined;
    });
    expect(refused).toMatchObject({
      status: 503,
      headers: {
        'retry-after': '5',
        'content-type': expect.stringMatching(/^application\/problem\+json/) as unknown,
      },
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
    const chunked = await begin(
      'POST',
      PROPOSE,
      { ...bearer(ADMIN_TOKEN), 'Transfer-Encoding': 'chunked' },
      chunk('x'.repeat(2 * MIB)),
    );
    expect(await chunked.answer()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    // Small ones go on, and a large one does when there is room.
    expect((await catalog.search('dataset', '*')).numEntities).toBeGreaterThanOrEqual(0);
    slow.close();
    await until(async () => {
      const answer = await catalog.post('/openapi/v3/entity/tag?async=false', [
        { urn: 'urn:li:tag:b', tagProperties: { value: { name: 'b', description: 'x'.repeat(2 * MIB) } } },
      ]);
      return answer.status === 200;
    });
  });
});

describe('requests of one token', () => {
  it('wait for each other beyond a number, and not for those of other tokens', async () => {
    const { token } = await catalog.issueToken({ user: 'busy' });
    const stalled = await Promise.all(
      Array.from({ length: 3 }, () =>
        begin('POST', SEARCH, { 'Content-Length': 100, ...bearer(token) }, '{'),
      ),
    );
    // The fourth is not begun before one of them is over: what it is refused for is in its body.
    const body = '{"entity":"nope"}';
    let waiting: RawRequest | undefined;
    await until(async () => {
      waiting = await begin('POST', SEARCH, { 'Content-Length': body.length, ...bearer(token) }, body);
      expect((await catalog.search('dataset', '*')).numEntities).toBeGreaterThanOrEqual(0);
      // One that came before the three is answered by now.
      return waiting.received === '';
    });
    stalled[0]!.close();
    expect((await waiting!.answer()).body.code).toBe('PARAMETER_MISSING');
  });

  it('take each other nothing when clients become unavailable', async () => {
    const { token } = await catalog.issueToken({ user: 'gone' });
    for (let round = 0; round < 5; round++) {
      const requests = await Promise.all(
        Array.from({ length: 6 }, () =>
          begin('POST', SEARCH, { 'Content-Length': 9, ...bearer(token) }, '{'),
        ),
      );
      for (const request of requests) request.close();
    }
    const answer = await catalog.post(
      SEARCH,
      { entity: 'dataset', input: '*', start: 0, count: 1 },
      { token },
    );
    expect(answer.status).toBe(200);
  });
});
