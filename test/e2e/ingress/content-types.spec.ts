import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { head, RawRequest } from '../../harness/raw-request.js';

const SEARCH = '/entities?action=search';
const body = JSON.stringify({ entity: 'dataset', input: '*', start: 0, count: 1 });

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

async function send(type: string | undefined, text = body, path = SEARCH, url = catalog.url) {
  const request = await RawRequest.send(
    url,
    head('POST', path, {
      Host: 'localhost',
      Authorization: `Bearer ${ADMIN_TOKEN}`,
      'X-RestLi-Protocol-Version': '2.0.0',
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
    }),
    text,
  );
  const answer = await request.answer();
  request.close();
  return answer;
}

const TYPES = [
  undefined,
  '',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'nonsense',
  'application/octet-stream',
];

describe('an action of the aspect API', () => {
  it.each(TYPES)('takes JSON of the type %j', async (type) => {
    expect((await send(type)).status).toBe(200);
    const count = await send(type, '{"aspect":"status"}', '/aspects?action=getCount');
    expect(count.status).toBe(200);
    expect((await send(type, '{}', '/operations?action=nope')).body.code).toBe('ACTION_UNKNOWN');
    expect((await send(type, '{}', '/runs?action=nope')).body.code).toBe('ACTION_UNKNOWN');
  });

  it.each(TYPES)('refuses what is not JSON of the type %j with 415', async (type) => {
    const answer = await send(type, 'entity=dataset&input=*');
    expect([answer.status, answer.body.code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
    expect(answer.body.message).toMatch(/is read as JSON, and this one is not valid JSON at position 0/);
  });

  it('refuses what says JSON and is none with 400, and compressed bodies with 415', async () => {
    const answer = await send('application/json', 'entity=dataset');
    expect([answer.status, answer.body.code]).toEqual([400, 'JSON_MALFORMED']);
    const zipped = await catalog.request('POST', SEARCH, {
      raw: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect([zipped.status, zipped.body.code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
  });
});

describe('everything else', () => {
  it.each(['/api/graphql', '/openapi/v3/entity/dataset/scroll', '/openapi/v3/entity/scroll'])(
    'takes JSON that says so: POST %s',
    async (path) => {
      for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await send(type, '{}', path);
        if (answer.status !== 405) {
          expect([answer.status, answer.body.code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
        }
      }
    },
  );
});

describe('without authentication', () => {
  it('takes nothing that a page of another site could send without asking', async () => {
    const open = await TestCatalog.start({ CATALOG_AUTH: 'off', CATALOG_ADMIN_TOKEN: '' });
    try {
      for (const type of [undefined, 'text/plain', 'application/x-www-form-urlencoded']) {
        const answer = await send(type, body, SEARCH, open.url);
        expect([answer.status, answer.body.code]).toEqual([415, 'MEDIA_TYPE_UNSUPPORTED']);
      }
      expect((await send('application/json', body, SEARCH, open.url)).status).toBe(200);
    } finally {
      await open.stop();
    }
  });
});
