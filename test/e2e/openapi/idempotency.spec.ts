import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { proposal, TestCatalog } from '../../harness/catalog.js';
import { dataset, encoded, expectRefusal } from '../aspect-api/support.js';
import { path, settled, valueOf } from './support.js';

let catalog: TestCatalog;
beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

const named = (name: string) => ({ value: { name } });
const write = (urn: string, name: string, key: string, more: Record<string, string> = {}) =>
  catalog.post(path(urn, 'datasetProperties'), named(name), { headers: { 'idempotency-key': key, ...more } });
const versions = async (urn: string): Promise<number> => {
  const { body } = await catalog.get(`${path(urn, 'datasetProperties')}?systemMetadata=true`);
  return Number(body.datasetProperties.systemMetadata.version);
};

describe('Idempotency-Key', () => {
  it('the first answer is repeated, whatever was written since', async () => {
    const urn = dataset('key.repeat');
    const first = await write(urn, 'one', 'repeat-1');
    await catalog.post(path(urn, 'datasetProperties'), named('two'));
    const again = await write(urn, 'one', 'repeat-1');
    expect(again.status).toBe(200);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect([first.headers.get('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await valueOf(catalog, urn, 'datasetProperties')).toMatchObject({ name: 'two' });
    expect(await versions(urn)).toBe(2);
  });

  it('another body, path or condition under the same key is refused', async () => {
    const urn = dataset('key.other');
    await write(urn, 'one', 'other-1');
    expectRefusal(await write(urn, 'two', 'other-1'), 422, 'IDEMPOTENCY_KEY_REUSED');
    expectRefusal(await write(dataset('key.other2'), 'one', 'other-1'), 422, 'IDEMPOTENCY_KEY_REUSED');
    const conditional = await write(urn, 'one', 'other-1', { 'if-match': '*' });
    expectRefusal(conditional, 422, 'IDEMPOTENCY_KEY_REUSED');
    expect(await valueOf(catalog, dataset('key.other2'), 'datasetProperties')).toBeUndefined();
  });

  it.each([
    [
      'aspects',
      'ingestProposal',
      { proposal: proposal(dataset('key.aspects'), 'status', { removed: false }) },
    ],
    ['aspects', 'ingestProposalBatch', { proposals: [] }],
    ['entities', 'ingest', { entity: {} }],
    ['entities', 'delete', { urn: dataset('key.aspects') }],
  ])(
    'is refused by the write %s?action=%s, which would not repeat its answer',
    async (resource, action, body) => {
      const call = (headers: Record<string, string>) =>
        catalog.post(`/${resource}?action=${action}`, body, { headers });
      expectRefusal(
        await call({ 'idempotency-key': 'aspects-1' }),
        400,
        'PARAMETER_INVALID',
        '/headers/Idempotency-Key',
      );
      expect((await catalog.get(path(dataset('key.aspects')))).status).toBe(404);
    },
  );

  it('changes nothing of a search of the aspect API', async () => {
    const search = { entity: 'dataset', input: '*', start: 0, count: 1 };
    const headers = { 'idempotency-key': 'search-1' };
    expect((await catalog.post('/entities?action=search', search, { headers })).status).toBe(200);
  });

  it('a refusal is repeated as well', async () => {
    const urn = dataset('key.refused');
    const url = `${path(urn, 'status')}?createIfNotExists=false`;
    const update = () =>
      catalog.post(url, { value: { removed: false } }, { headers: { 'idempotency-key': 'refused-1' } });
    expectRefusal(await update(), 404, 'ENTITY_NOT_FOUND');
    await catalog.ingest([urn, 'datasetProperties', { name: 'x' }], [urn, 'status', { removed: true }]);
    expectRefusal(await update(), 404, 'ENTITY_NOT_FOUND');
    expect(await valueOf(catalog, urn, 'status')).toEqual({ removed: true });
  });

  it('of many at once one writes, and all get its answer', async () => {
    const urn = dataset('key.race');
    const patch = {
      patch: [{ op: 'add', path: '/tags/-', value: { tag: 'urn:li:tag:x' } }],
      forceGenericPatch: true,
    };
    const race = () =>
      catalog.request('PATCH', path(urn, 'globalTags'), {
        body: patch,
        headers: { 'idempotency-key': 'race-1' },
      });
    const answers = await Promise.all(Array.from({ length: 12 }, race));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
    expect(answers.filter((answer) => answer.headers.get('idempotent-replayed') === null)).toHaveLength(1);
    const { body } = await catalog.get(`${path(urn, 'globalTags')}?systemMetadata=true`);
    expect(body.globalTags.systemMetadata.version).toBe('1');
    expect(body.globalTags.value.tags).toHaveLength(1);
  });

  it('belongs to the caller', async () => {
    const { token } = await catalog.issueToken({ user: 'bob' });
    const urn = dataset('key.caller');
    await write(urn, 'one', 'caller-1');
    const other = await catalog.post(path(urn, 'datasetProperties'), named('bob'), {
      token,
      headers: { 'idempotency-key': 'caller-1' },
    });
    expect(other.status).toBe(200);
    expect(await valueOf(catalog, urn, 'datasetProperties')).toMatchObject({ name: 'bob' });
  });

  it('works for batches, deletions and accepted writes', async () => {
    const urn = dataset('key.all');
    const twice = async (method: string, url: string, body?: unknown) => {
      const options = { body, headers: { 'idempotency-key': `all-${method}-${url.slice(-12)}` } };
      const answers = [
        await catalog.request(method, url, options),
        await catalog.request(method, url, options),
      ];
      expect(answers[1]!.text).toBe(answers[0]!.text);
      expect(answers[1]!.status).toBe(answers[0]!.status);
      expect(answers[1]!.headers.get('idempotent-replayed')).toBe('true');
      return answers[1]!;
    };
    const items = [{ urn, datasetProperties: named('batch') }];
    expect((await twice('POST', '/openapi/v3/entity/dataset?async=false', items)).status).toBe(200);
    const accepted = await twice('POST', '/openapi/v3/entity/dataset?async=true', items);
    expect((await settled(catalog, accepted)).state).toBe('COMMITTED');
    expect((await twice('DELETE', `/openapi/v3/entity/dataset/${encoded(urn)}`)).status).toBe(200);
    expect((await catalog.get(path(urn))).status).toBe(404);
  });

  it.each(['', 'with blank', 'x'.repeat(256), 'é'])('%j is no key', async (key) => {
    expectRefusal(await write(dataset('key.bad'), 'one', key), 400, 'PARAMETER_INVALID');
  });

  it('outlives the process', async () => {
    const home = await TestCatalog.start();
    const urn = dataset('key.durable');
    const options = { headers: { 'idempotency-key': 'durable-1' } };
    const first = await home.post(path(urn, 'status'), { value: { removed: false } }, options);
    await home.stop({ keepHome: true });
    const next = await TestCatalog.start({}, home.home);
    try {
      const again = await next.post(path(urn, 'status'), { value: { removed: false } }, options);
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
    } finally {
      await next.stop();
    }
  });
});
