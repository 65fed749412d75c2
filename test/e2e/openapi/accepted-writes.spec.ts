import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { until } from '../../harness/until.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { path, settled, valueOf } from './support.js';

const ASYNC = '/openapi/v3/entity/dataset?async=true';
const named = (name: string) => ({ value: { name } });

describe('writes that are carried out later', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  it('are accepted with a receipt, carried out and found', async () => {
    const urn = dataset('later.one');
    const before = BigInt(Date.now() - 1_000) * 1000n;
    const accepted = await catalog.post(ASYNC, [
      { urn, datasetProperties: named('teapot') },
      { urn, status: { value: { removed: false } } },
    ]);
    expect(accepted.status).toBe(202);
    expect(accepted.body).toEqual([
      {
        urn,
        datasetProperties: { value: expect.objectContaining({ name: 'teapot' }) },
        status: { value: { removed: false } },
      },
    ]);
    const [, trace] = /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(accepted.headers.get('traceparent')!)!;
    const micros = BigInt(`0x${trace!.slice(0, 16)}`);
    expect(micros > before && micros < BigInt(Date.now() + 1_000) * 1000n).toBe(true);
    const receipt = await settled(catalog, accepted);
    expect(receipt).toMatchObject({
      traceId: trace,
      state: 'COMMITTED',
      items: [
        { urn, aspect: 'datasetProperties', version: 1, changed: true },
        { urn, aspect: 'status', version: 1, changed: true },
      ],
    });
    const ask = async () =>
      (
        await catalog.post(`/openapi/v1/trace/write/${trace}?onlyIncludeErrors=false&detailed=true`, {
          [urn]: ['datasetProperties', 'status'],
        })
      ).body[urn];
    const done = {
      success: true,
      primaryStorage: { writeStatus: 'ACTIVE_STATE' },
      searchStorage: { writeStatus: 'ACTIVE_STATE' },
    };
    // Pending means: ask again.
    await until(async () => JSON.stringify(await ask()).includes('PENDING') === false);
    expect(await ask()).toEqual({ datasetProperties: done, status: done });
    expect((await catalog.search('dataset', 'teapot')).entities).toEqual([urn]);
    await catalog.post(path(urn, 'datasetProperties'), named('other'));
    const later = await catalog.post(`/openapi/v1/trace/write/${trace}`, { [urn]: ['datasetProperties'] });
    expect(later.body[urn].datasetProperties.primaryStorage.writeStatus).toBe('HISTORIC_STATE');
  });

  it('are the default of collections, not of single aspects', async () => {
    const urn = dataset('later.default');
    expect((await catalog.post(path(urn, 'status'), { value: { removed: false } })).status).toBe(200);
    const accepted = [
      await catalog.post('/openapi/v3/entity/dataset', [{ urn, status: { value: { removed: false } } }]),
      await catalog.post('/openapi/v3/entity/generic', {
        dataset: [{ urn, status: { value: { removed: false } } }],
      }),
      await catalog.request('PATCH', '/openapi/v3/entity/dataset', {
        body: [
          {
            urn,
            globalTags: {
              value: [{ op: 'add', path: '/tags/urn:li:tag:a', value: { tag: 'urn:li:tag:a' } }],
            },
          },
        ],
      }),
      await catalog.post(`${path(urn, 'status')}?async=true`, { value: { removed: false } }),
    ];
    for (const answer of accepted) expect((await settled(catalog, answer)).state).toBe('COMMITTED');
    expect(accepted[2]!.body).toEqual([{ urn, globalTags: {} }]);
    expect(await valueOf(catalog, urn, 'globalTags')).toEqual({ tags: [{ tag: 'urn:li:tag:a' }] });
  });

  it('what can be judged at once is refused at once', async () => {
    const urn = dataset('later.invalid');
    expectRefusal(
      await catalog.post(ASYNC, [{ urn, status: { value: { removed: 'yes' } } }]),
      400,
      'ASPECT_INVALID',
      '/0/status/value/removed',
    );
    expectRefusal(
      await catalog.post(ASYNC, [
        { urn, status: { value: { removed: true }, headers: { 'If-Version-Match': 'x' } } },
      ]),
      400,
      'PARAMETER_INVALID',
      '/0/status/headers/If-Version-Match',
    );
    expectRefusal(
      await catalog.request('PATCH', ASYNC, { body: [{ urn, status: { value: [{ op: 'jump' }] } }] }),
      400,
      'PATCH_MALFORMED',
    );
    const { token } = await catalog.issueToken({ role: 'READER' });
    const answer = await catalog.post(ASYNC, [{ urn, status: { value: { removed: false } } }], { token });
    expectRefusal(answer, 403, 'NOT_ALLOWED');
    expect((await catalog.get(path(urn))).status).toBe(404);
  });

  it('what can only be judged later is rejected with its reason, and nothing of it is written', async () => {
    const urn = dataset('later.rejected');
    const accepted = await catalog.post(ASYNC, [
      { urn, datasetProperties: named('x') },
      { urn, status: { value: { removed: false }, headers: { 'If-Version-Match': '5' } } },
    ]);
    const receipt = await settled(catalog, accepted);
    expect(receipt).toMatchObject({
      state: 'REJECTED',
      searchable: false,
      error: { code: 'PRECONDITION_FAILED', errors: [{ pointer: '/1/status/headers/If-Version-Match' }] },
    });
    const answer = await catalog.post(`/openapi/v1/trace/write/${receipt.traceId}`, {
      [urn]: ['datasetProperties'],
    });
    expect(answer.body[urn].datasetProperties).toMatchObject({
      success: false,
      primaryStorage: {
        writeStatus: 'ERROR',
        writeMessage: expect.stringContaining('version 5 is expected'),
      },
    });
    expect((await catalog.get(path(urn))).status).toBe(404);
  });

  it('are carried out in order, the rejected ones in between left out', async () => {
    const urn = dataset('later.order');
    const accepted = [];
    for (let i = 0; i < 150; i += 1) {
      const headers = i % 7 === 3 ? { 'If-Version-Match': '999' } : {};
      accepted.push(await catalog.post(ASYNC, [{ urn, datasetProperties: { ...named(`n${i}`), headers } }]));
    }
    const states = [];
    for (const answer of accepted) states.push((await settled(catalog, answer)).state);
    expect(states).toEqual(states.map((_, i) => (i % 7 === 3 ? 'REJECTED' : 'COMMITTED')));
    const kept = Array.from({ length: 150 }, (_, i) => i).filter((i) => i % 7 !== 3);
    for (const [index, i] of kept.entries()) {
      const { body } = await catalog.get(`${path(urn, 'datasetProperties')}?version=${index + 1}`);
      expect(body.datasetProperties.value.name).toBe(`n${i}`);
    }
  });

  it('are told of by the whole traceparent as well, as clients of 1.0 ask', async () => {
    const urn = dataset('later.parent');
    const accepted = await catalog.post(ASYNC, [{ urn, status: { value: { removed: false } } }]);
    const { traceId: trace } = await settled(catalog, accepted);
    const url = `/openapi/v1/trace/write/${accepted.headers.get('traceparent')}`;
    expect((await catalog.get(url)).body).toMatchObject({ traceId: trace, state: 'COMMITTED' });
    const { body } = await catalog.post(url, { [urn]: ['status'] });
    expect(body[urn].status).toMatchObject({
      success: true,
      primaryStorage: { writeStatus: 'ACTIVE_STATE' },
    });
  });

  it('a trace that nobody knows is a 404, and bad questions are 400', async () => {
    const url = '/openapi/v1/trace/write/0006000000000000aaaaaaaaaaaaaaaa';
    expectRefusal(await catalog.get(url), 404, 'RECEIPT_NOT_FOUND');
    expectRefusal(await catalog.post(url, []), 400, 'PROPOSAL_MALFORMED');
    expectRefusal(await catalog.post(url, { x: 'status' }), 400, 'PROPOSAL_MALFORMED', '/x');
  });
});

describe('the process is killed', () => {
  let home: string;
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-accepted-'));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  const call = async (service: ServiceProcess, method: string, url: string, body?: unknown) => {
    const response = await fetch(service.url + url, {
      method,
      body: body === undefined ? null : JSON.stringify(body),
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
    });
    const text = await response.text();
    return {
      status: response.status,
      location: response.headers.get('location'),
      body: text === '' ? undefined : JSON.parse(text),
    };
  };

  it('what was accepted is carried out exactly once and in order by the next one', async () => {
    const urn = dataset('later.killed');
    const accepted: Array<{ location: string; name: string }> = [];
    for (let round = 0; round < 3; round += 1) {
      const service = await ServiceProcess.start(home);
      let dying: Promise<void> | undefined;
      for (let i = 0; ; i += 1) {
        const name = `${round}-${i}`;
        // A generic patch that appends: carried out twice, it would show.
        const item = {
          urn,
          globalTags: {
            value: {
              forceGenericPatch: true,
              patch: [{ op: 'add', path: '/tags/-', value: { tag: `urn:li:tag:${name}` } }],
            },
          },
        };
        const answer = await call(service, 'PATCH', ASYNC, [item]).catch(() => undefined);
        if (answer === undefined) break;
        expect(answer.status).toBe(202);
        accepted.push({ location: answer.location!, name });
        // Some of what was accepted is still under way.
        if (i === 5 + 3 * round) dying = service.kill();
      }
      await dying;
    }
    expect(accepted.length).toBeGreaterThan(10);
    const service = await ServiceProcess.start(home);
    try {
      for (const { location } of accepted) {
        for (;;) {
          const { body } = await call(service, 'GET', location);
          if (body.state === 'PENDING') continue;
          expect(body.state).toBe('COMMITTED');
          break;
        }
      }
      const { body } = await call(service, 'GET', `/openapi/v3/entity/dataset/${encoded(urn)}/globalTags`);
      const tags = body.globalTags.value.tags.map(({ tag }: { tag: string }) => tag.split(':')[3]);
      // The last call of a round may have been accepted without its answer getting through.
      const answered = new Set(accepted.map(({ name }) => name));
      expect(tags.filter((tag: string) => answered.has(tag))).toEqual(accepted.map(({ name }) => name));
      expect(new Set(tags).size).toBe(tags.length);
    } finally {
      await service.stop();
    }
  });
});
