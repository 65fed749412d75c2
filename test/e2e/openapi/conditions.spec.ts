import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, expectRefusal } from '../aspect-api/support.js';
import { path, valueOf } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const named = (name: string) => ({ value: { name } });
let counter = 0;
/** A dataset with one version of its properties, and the tag of that version. */
async function fresh(): Promise<{ urn: string; tag: string }> {
  const urn = dataset(`cond.${counter++}`);
  const written = await catalog.post(path(urn, 'datasetProperties'), named('one'));
  expect(written.status).toBe(200);
  return { urn, tag: written.headers.get('etag')! };
}

/** Every way to write an aspect under a condition that stands in the body of the item or of the aspect. */
const WAYS: Array<
  [string, (urn: string, headers: Record<string, string>) => ReturnType<TestCatalog['post']>]
> = [
  [
    'the aspect',
    (urn, headers) => catalog.post(path(urn, 'datasetProperties'), { ...named('two'), headers }),
  ],
  [
    'a batch',
    (urn, headers) =>
      catalog.post('/openapi/v3/entity/dataset?async=false', [
        { urn, datasetProperties: { ...named('two'), headers } },
      ]),
  ],
  [
    'a generic batch',
    (urn, headers) =>
      catalog.post('/openapi/v3/entity/generic?async=false', {
        dataset: [{ urn, datasetProperties: { ...named('two'), headers } }],
      }),
  ],
  [
    'a batch of version 2',
    (urn, headers) =>
      catalog.post('/openapi/v2/entity/dataset?async=false', [
        { urn, aspects: { datasetProperties: { ...named('two'), headers } } },
      ]),
  ],
  [
    'a batch of patches',
    (urn, headers) =>
      catalog.request('PATCH', '/openapi/v3/entity/dataset?async=false', {
        body: [
          {
            urn,
            datasetProperties: { value: { patch: [{ op: 'add', path: '/name', value: 'two' }] }, headers },
          },
        ],
      }),
  ],
];

describe.each(WAYS)('conditions in the body of %s', (_, write) => {
  it.each<[name: string, good: (tag: string) => string, bad: (tag: string) => string, broken: string]>([
    ['If-Version-Match', () => '1', () => '2', 'one'],
    ['If-Match', (tag) => tag, () => '"7.abc"', 'no-quotes'],
    ['If-Match', (tag) => `"a,b", ${tag}`, () => 'W/"7",\t"a,b"', '"7.abc",'],
    ['If-None-Match', () => '"7.abc"', () => '*', 'no-quotes'],
    [
      'If-Modified-Since',
      () => '2001-01-01T00:00:00Z',
      () => '2999-01-01T00:00:00.000Z',
      'Mon, 01 Jan 2001 00:00:00 GMT',
    ],
    [
      'If-Unmodified-Since',
      () => '2999-01-01T00:00:00Z',
      () => '2001-01-01T00:00:00+23:59',
      '2001-02-30T00:00:00Z',
    ],
  ])('%s', async (name, good, bad, broken) => {
    const { urn, tag } = await fresh();
    const refused = await write(urn, { [name]: bad(tag) });
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 412,
      code: 'PRECONDITION_FAILED',
    });
    expect(refused.body.message).toContain('the current version is 1');
    expect(refused.body.error).toBe('Precondition Error');
    expect(refused.body.errors[0].pointer).toMatch(new RegExp(`/headers/${name}$`));
    const unreadable = await write(urn, { [name]: broken });
    expect({ status: unreadable.status, code: unreadable.body.code }).toEqual({
      status: 400,
      code: 'PARAMETER_INVALID',
    });
    expect(await valueOf(catalog, urn, 'datasetProperties')).toMatchObject({ name: 'one' });
    expect((await write(urn, { [name]: good(tag) })).status).toBe(200);
    expect(await valueOf(catalog, urn, 'datasetProperties')).toMatchObject({ name: 'two' });
  });

  it('a condition that does not exist is not ignored', async () => {
    const { urn } = await fresh();
    expectRefusal(await write(urn, { 'If-Mach': '*' }), 400, 'PARAMETER_INVALID');
  });

  it('-1 wants that there is none yet', async () => {
    const urn = dataset(`cond.${counter++}`);
    expect((await write(urn, { 'If-Version-Match': '-1' })).status).toBe(200);
    expectRefusal(await write(urn, { 'If-Version-Match': '-1' }), 412, 'PRECONDITION_FAILED');
  });
});

describe('conditions in the headers of the request', () => {
  const write = (urn: string, headers: Record<string, string>) =>
    catalog.post(path(urn, 'datasetProperties'), named('two'), { headers });

  it('a read gives a tag, a write with it passes once', async () => {
    const { urn, tag } = await fresh();
    expect((await catalog.get(path(urn, 'datasetProperties'))).headers.get('etag')).toBe(tag);
    expect((await catalog.request('HEAD', path(urn, 'datasetProperties'))).headers.get('etag')).toBe(tag);
    const second = await write(urn, { 'if-match': tag });
    expect(second.status).toBe(200);
    expect(second.headers.get('etag')).not.toBe(tag);
    const late = await write(urn, { 'if-match': tag });
    expectRefusal(late, 412, 'PRECONDITION_FAILED');
    expect(late.body.message).toContain('the current version is 2');
  });

  it('hold for a patch and a deletion too', async () => {
    const { urn, tag } = await fresh();
    const url = path(urn, 'datasetProperties');
    const patch = { patch: [{ op: 'add', path: '/name', value: 'patched' }] };
    const patched = (match: string) =>
      catalog.request('PATCH', url, { body: patch, headers: { 'if-match': match } });
    expectRefusal(await patched('"9.x"'), 412, 'PRECONDITION_FAILED');
    const { headers } = await patched(tag);
    const gone = (match: string) => catalog.request('DELETE', url, { headers: { 'if-match': match } });
    expectRefusal(await gone(tag), 412, 'PRECONDITION_FAILED');
    expect((await gone(headers.get('etag')!)).status).toBe(200);
    expectRefusal(await gone('*'), 412, 'PRECONDITION_FAILED');
    // An aspect that was deleted and written again does not pass for the one before.
    await catalog.post(url, named('again'));
    expectRefusal(await write(urn, { 'if-match': tag }), 412, 'PRECONDITION_FAILED');
  });

  it('If-None-Match: * creates, and never replaces', async () => {
    const urn = dataset(`cond.${counter++}`);
    expect((await write(urn, { 'if-none-match': '*' })).status).toBe(200);
    expectRefusal(await write(urn, { 'if-none-match': '*' }), 412, 'PRECONDITION_FAILED');
  });

  it('one of the request is not ignored where another stands in the body', async () => {
    const { urn } = await fresh();
    const body = { ...named('two'), headers: { 'If-Version-Match': '1' } };
    const [held, failing] = [{ 'If-Version-Match': '1' }, { 'If-Version-Match': '7' }];
    const pointer = '/headers/If-Version-Match';
    const aspect = (headers: Record<string, string>) =>
      catalog.post(path(urn, 'datasetProperties'), body, { headers });
    const proposed = (headers: Record<string, string>) =>
      catalog.post(
        '/aspects?action=ingestProposal',
        {
          proposal: {
            ...{
              entityType: 'dataset',
              entityUrn: urn,
              changeType: 'UPSERT',
              aspectName: 'datasetProperties',
            },
            aspect: { contentType: 'application/json', value: '{"name":"one"}' },
            headers: body.headers,
          },
        },
        { headers },
      );
    expectRefusal(await aspect(failing), 400, 'PARAMETER_INVALID', pointer);
    expectRefusal(await proposed(failing), 400, 'PARAMETER_INVALID', `/proposal${pointer}`);
    expect((await proposed(held)).status).toBe(200);
    expect((await aspect(held)).status).toBe(200);
  });

  it('dates of HTTP are understood', async () => {
    const { urn } = await fresh();
    const past = new Date('2001-01-01T00:00:00Z').toUTCString();
    const soon = new Date(Date.now() + 60_000).toUTCString();
    expectRefusal(await write(urn, { 'if-unmodified-since': past }), 412, 'PRECONDITION_FAILED');
    expectRefusal(await write(urn, { 'if-unmodified-since': 'yesterday' }), 400, 'PARAMETER_INVALID');
    expect((await write(urn, { 'if-unmodified-since': soon })).status).toBe(200);
    expect((await write(urn, { 'if-modified-since': past })).status).toBe(200);
  });

  it('an entity is deleted as it was read, or not at all', async () => {
    const { urn } = await fresh();
    const tag = (await catalog.get(path(urn))).headers.get('etag')!;
    await catalog.post(path(urn, 'status'), { value: { removed: false } });
    const gone = (match: string) => catalog.request('DELETE', path(urn), { headers: { 'if-match': match } });
    expectRefusal(await gone(tag), 412, 'PRECONDITION_FAILED');
    expectRefusal(await gone('e1'), 400, 'PARAMETER_INVALID');
    expect((await gone((await catalog.get(path(urn))).headers.get('etag')!)).status).toBe(200);
  });

  it.each(['if-match', 'if-none-match', 'if-unmodified-since'])('%s of a batch is refused', async (name) => {
    const { urn } = await fresh();
    const answer = await catalog.post(
      '/openapi/v3/entity/dataset',
      [{ urn, datasetProperties: named('x') }],
      {
        headers: { [name]: '*' },
      },
    );
    expectRefusal(answer, 400, 'PARAMETER_INVALID');
  });

  it('events of a time series have none', async () => {
    const answer = await catalog.post(
      path(dataset('cond.events'), 'datasetProfile'),
      { value: { timestampMillis: 1, rowCount: 1 } },
      { headers: { 'if-match': '*' } },
    );
    expectRefusal(answer, 400, 'PARAMETER_INVALID');
  });
});

describe('writers at the same time', () => {
  it('of conditional ones exactly one wins each version', async () => {
    const { urn } = await fresh();
    const WRITERS = 8;
    const ROUNDS = 5;
    let winners = 0;
    const writer = async (who: number): Promise<void> => {
      for (let won = 0; won < ROUNDS;) {
        const { headers, body } = await catalog.get(path(urn, 'datasetProperties'));
        const count = Number(body.datasetProperties.value.customProperties.count ?? 0);
        const value = { name: `writer ${who}`, customProperties: { count: String(count + 1) } };
        const answer = await catalog.post(
          path(urn, 'datasetProperties'),
          { value },
          {
            headers: { 'if-match': headers.get('etag')! },
          },
        );
        expect([200, 412]).toContain(answer.status);
        if (answer.status !== 200) continue;
        won += 1;
        winners += 1;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, who) => writer(who)));
    expect(winners).toBe(WRITERS * ROUNDS);
    const { customProperties } = await valueOf(catalog, urn, 'datasetProperties');
    expect(customProperties.count).toBe(String(winners));
    // Each version counts one more than the one before: none was overwritten unseen.
    for (let version = 2; version <= winners + 1; version += 1) {
      const { body } = await catalog.get(`${path(urn, 'datasetProperties')}?version=${version}`);
      expect(body.datasetProperties.value.customProperties.count).toBe(String(version - 1));
    }
  });

  it('patches of different keys all survive', async () => {
    const key = fc.stringMatching(/^[a-z~/ é]{1,8}$/);
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(key, { minLength: 2, maxLength: 12 }), async (keys) => {
        const { urn } = await fresh();
        const answers = await Promise.all(
          keys.map((name, i) => {
            const pointer = `/customProperties/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
            const patch = [{ op: 'add', path: pointer, value: String(i) }];
            return i % 2 === 0
              ? catalog.request('PATCH', path(urn, 'datasetProperties'), { body: { patch } })
              : catalog.request('PATCH', '/openapi/v3/entity/dataset?async=false', {
                  body: [{ urn, datasetProperties: { value: { patch } } }],
                });
          }),
        );
        expect(answers.map((answer) => answer.status)).toEqual(keys.map(() => 200));
        const { customProperties } = await valueOf(catalog, urn, 'datasetProperties');
        expect(customProperties).toEqual(Object.fromEntries(keys.map((name, i) => [name, String(i)])));
      }),
      { numRuns: 25 },
    );
  });
});

describe.each(['v2', 'v3'])('reads under If-None-Match, %s', (version) => {
  const at = (urn: string, ...more: string[]) =>
    [`/openapi/${version}/entity/dataset/${encodeURIComponent(urn)}`, ...more].join('/');

  it.each<[what: string, method: string, aspect: string[], status: number]>([
    ['an aspect', 'GET', ['datasetProperties'], 200],
    ['whether there is an aspect', 'HEAD', ['datasetProperties'], 204],
    ['an entity', 'GET', [], 200],
    ['whether there is an entity', 'HEAD', [], 204],
  ])('%s is answered again only when it changed', async (_, method, aspect, status) => {
    const { urn } = await fresh();
    const read = (tag?: string, more = '') =>
      catalog.request(method, at(urn, ...aspect) + more, {
        ...(tag !== undefined && { headers: { 'if-none-match': tag } }),
      });
    const first = await read();
    expect(first.status).toBe(status);
    const tag = first.headers.get('etag')!;
    for (const same of [tag, `W/${tag}`, `"x,y", ${tag}`, '*']) {
      const again = await read(same);
      expect({ same, status: again.status, text: again.text }).toEqual({ same, status: 304, text: '' });
      expect(again.headers.get('etag')).toBe(tag);
    }
    expect((await read('"x"')).status).toBe(status);
    const refused = await read('no-quotes');
    expect(refused.status).toBe(400);
    await catalog.post(path(urn, 'datasetProperties'), named('two'));
    const changed = await read(tag);
    expect(changed.status).toBe(status);
    expect(changed.headers.get('etag')).not.toBe(tag);
    const missing = await catalog.request(method, at(dataset('nobody'), ...aspect), {
      headers: { 'if-none-match': '*' },
    });
    expect(missing.status).toBe(404);
  });

  it('is answered whole where what is shown can change without a write', async () => {
    const { urn } = await fresh();
    for (const more of ['datasetProperties', '']) {
      const place = at(urn, ...(more === '' ? [] : [more]));
      const tag = (await catalog.get(place)).headers.get('etag')!;
      const whole = await catalog.get(`${place}?systemMetadata=true`, { headers: { 'if-none-match': tag } });
      expect(whole.status).toBe(200);
    }
  });
});

describe.each(['v2', 'v3'])('reads under If-Match, %s', (version) => {
  const at = (urn: string, ...more: string[]) =>
    [`/openapi/${version}/entity/dataset/${encodeURIComponent(urn)}`, ...more].join('/');

  it.each<[what: string, method: string, aspect: string[], status: number]>([
    ['an aspect', 'GET', ['datasetProperties'], 200],
    ['whether there is an aspect', 'HEAD', ['datasetProperties'], 204],
    ['an entity', 'GET', [], 200],
    ['whether there is an entity', 'HEAD', [], 204],
  ])('%s is answered only while it is that', async (_, method, aspect, status) => {
    const { urn } = await fresh();
    const read = (headers: Record<string, string>, of = urn) =>
      catalog.request(method, at(of, ...aspect), { headers });
    const tag = (await read({})).headers.get('etag')!;
    for (const same of [tag, `"x,y", ${tag}`, '*'])
      expect({ same, status: (await read({ 'if-match': same })).status }).toEqual({ same, status });
    const other = async (headers: Record<string, string>) => {
      const answer = await read(headers);
      expect({ headers, status: answer.status }).toEqual({ headers, status: 412 });
      if (method === 'GET') expectRefusal(answer, 412, 'PRECONDITION_FAILED', '/headers/If-Match');
    };
    // Weak tags match nothing, and If-None-Match comes second.
    for (const ifMatch of ['"x"', `W/${tag}`]) await other({ 'if-match': ifMatch });
    await other({ 'if-match': '"x"', 'if-none-match': tag });
    expect((await read({ 'if-match': tag, 'if-none-match': tag })).status).toBe(304);
    expect((await read({ 'if-match': 'no-quotes' })).status).toBe(400);
    for (const ifMatch of ['*', '"x"'])
      expect((await read({ 'if-match': ifMatch }, dataset('nobody'))).status).toBe(404);
    await catalog.post(path(urn, 'datasetProperties'), named('two'));
    await other({ 'if-match': tag });
  });

  it('an event has no tag', async () => {
    const { urn } = await fresh();
    await catalog.ingest([urn, 'datasetProfile', { timestampMillis: 1 }]);
    const read = (match: string) =>
      catalog.get(at(urn, 'datasetProfile'), { headers: { 'if-match': match } });
    expect((await read('*')).status).toBe(200);
    expectRefusal(await read('"x"'), 412, 'PRECONDITION_FAILED', '/headers/If-Match');
  });
});
