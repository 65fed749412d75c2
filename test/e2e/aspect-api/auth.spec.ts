import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_TOKEN, proposal, TestCatalog, placeOf } from '../../harness/catalog.js';
import { ANN, dataset, encoded, expectRefusal, stored } from './support.js';

const URN = dataset('a.orders');
const PATH = encoded(URN);
const CLOSED: Array<[method: string, path: string, body?: object]> = [
  ['POST', '/aspects?action=ingestProposal', { proposal: proposal(URN, 'status', { removed: true }) }],
  [
    'POST',
    '/aspects?action=ingestProposalBatch',
    { proposals: [proposal(URN, 'status', { removed: true })] },
  ],
  [
    'POST',
    '/aspects?action=getTimeseriesAspectValues',
    { urn: URN, entity: 'dataset', aspect: 'datasetProfile' },
  ],
  ['POST', '/aspects?action=getCount', { aspect: 'status' }],
  ['POST', '/aspects?action=nope', {}],
  [
    'POST',
    '/entities?action=ingest',
    {
      entity: {
        value: {
          'com.linkedin.metadata.snapshot.TagSnapshot': {
            urn: 'urn:li:tag:a',
            aspects: [{ 'com.linkedin.common.Status': { removed: false } }],
          },
        },
      },
    },
  ],
  ['POST', '/entities?action=batchIngest', { entities: [] }],
  ['POST', '/entities?action=search', { entity: 'dataset', input: '*' }],
  ['POST', '/entities?action=browse', { entity: 'dataset', path: '/' }],
  ['POST', '/entities?action=autocomplete', { entity: 'dataset', query: 'a' }],
  ['GET', `/entitiesV2/${PATH}`],
  ['GET', `/entitiesV2?ids=List(${PATH})`],
  ['GET', `/entities/${PATH}`],
  ['GET', `/entities?ids=List(${PATH})`],
  ['GET', `/aspects/${PATH}?aspect=datasetProperties`],
  ['GET', `/relationships?direction=INCOMING&urn=${PATH}`],
  ['GET', `/openapi/relationships/v1/?direction=INCOMING&urn=${PATH}`],
];
const OPEN = ['/config', '/health', '/health/live', '/health/ready', '/restli/docs'];

let catalog: TestCatalog;
let before: unknown;
beforeAll(async () => {
  catalog = await TestCatalog.start();
  await catalog.ingest([URN, 'datasetProperties', { name: 'orders' }]);
  before = await stored(catalog, URN);
});
afterAll(() => catalog.stop());

const unchanged = async () => expect(await stored(catalog, URN)).toEqual(before);
const probe = (token: string | null, headers: Record<string, string> = {}) =>
  catalog.get(`/entitiesV2/${PATH}`, { token, headers });

describe.each(CLOSED)('%s %s', (...[method, path, body]) => {
  it('needs a token', async () => {
    const answer = await catalog.request(method, path, { token: null, body });
    expectRefusal(answer, 401, 'TOKEN_MISSING');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    await unchanged();
  });

  it('needs a token of this service', async () => {
    const answer = await catalog.request(method, path, { token: 'somebody-elses', body });
    expectRefusal(answer, 401, 'TOKEN_INVALID');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    await unchanged();
  });

  it('asks for the token before it looks at the request', async () => {
    const raw = method === 'GET' ? {} : { raw: '{"proposal":' };
    const answer = await catalog.request(method, path.replace(PATH, 'urn:li:nope'), { token: null, ...raw });
    expect([400, 401]).toContain(answer.status);
    expect(answer.text).not.toContain('nope');
    await unchanged();
  });
});

describe('open to everybody', () => {
  it.each(OPEN)('%s is, whatever token comes along', async (path) => {
    const expired = await catalog.issueToken({ durationMs: -1 });
    for (const token of [null, 'wrong', expired.token, ADMIN_TOKEN]) {
      expect((await catalog.get(path, { token })).status).toBe(200);
    }
  });

  it.each(['/restli', '/health/../entitiesV2/urn:li:tag:a', '/config/x', '/healthy'])(
    '%s is not',
    async (path) => {
      expect([401, 404]).toContain((await catalog.get(path, { token: null })).status);
    },
  );
});

describe('a token', () => {
  it('that is good opens the door to its user', async () => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    expect((await probe(token)).status).toBe(200);
  });

  it('that has ended is refused, and says so', async () => {
    const { token } = await catalog.issueToken({ durationMs: -1 });
    const answer = await probe(token);
    expectRefusal(answer, 401, 'TOKEN_EXPIRED');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  });

  it('that never ends is good', async () => {
    const { token } = await catalog.issueToken({ durationMs: 'never' });
    expect((await probe(token)).status).toBe(200);
  });

  it('that is revoked stops working at once', async () => {
    const { id, token } = await catalog.issueToken();
    expect((await probe(token)).status).toBe(200);
    await catalog.revokeToken(id);
    expectRefusal(await probe(token), 401, 'TOKEN_INVALID');
  });

  it('is not shown by any refusal', async () => {
    const { id, token } = await catalog.issueToken();
    await catalog.revokeToken(id);
    expect((await probe(token)).text).not.toContain(token);
  });

  it.each<[string, (token: string) => string, number]>([
    ['in any case of the scheme', (t) => `bearer ${t}`, 200],
    ['under another scheme', (t) => `Basic ${t}`, 401],
    ['without a scheme', (t) => t, 401],
    ['cut short', (t) => `Bearer ${t.slice(0, -1)}`, 401],
    ['made longer', (t) => `Bearer ${t}x`, 401],
    ['in capitals', (t) => `Bearer ${t.toUpperCase()}`, 401],
    ['twice', (t) => `Bearer ${t}, Bearer ${t}`, 401],
    ['that is empty', () => 'Bearer ', 401],
    ['with a quote', (t) => `Bearer ${t}' OR 1=1 --`, 401],
    ['of ten thousand characters', () => `Bearer ${'x'.repeat(10_000)}`, 401],
  ])('%s', async (_, header, status) => {
    const { token } = await catalog.issueToken();
    const answer = await probe(null, { authorization: header(token) });
    expect(answer.status).toBe(status);
    if (status === 401) expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
  });

  it.each(['access_token', 'token', 'authorization', 'api_key'])(
    'is not taken from the query or body as %s',
    async (name) => {
      const { token } = await catalog.issueToken();
      expectRefusal(
        await catalog.get(`/entitiesV2/${PATH}?${name}=${token}`, { token: null }),
        401,
        'TOKEN_MISSING',
      );
      const body = { [name]: token, entity: 'dataset', input: '*' };
      expectRefusal(
        await catalog.post(`/entities?action=search&${name}=${token}`, body, { token: null }),
        401,
        'TOKEN_MISSING',
      );
    },
  );

  it('is not taken from a cookie or another header', async () => {
    const { token } = await catalog.issueToken();
    for (const name of ['cookie', 'x-api-key', 'x-authorization', 'proxy-authorization']) {
      expectRefusal(await probe(null, { [name]: `Bearer ${token}` }), 401, 'TOKEN_MISSING');
    }
  });

  it('is made by the command line, and found by the running service', async () => {
    const { run } = await import('../../../src/cli/run.js');
    const out: string[] = [];
    const settings = { ...(await placeOf(catalog.home)), CATALOG_HOME: catalog.home };
    const before = Object.keys(settings).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, settings);
    try {
      const words = ['tokens', 'create', '--user', 'cleo', '--role', 'editor', '--duration', '1h'];
      expect(
        await run(words, { out: (line) => void out.push(line), err: () => undefined, interactive: false }),
      ).toBe(0);
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    const urn = dataset('a.cleo');
    expect(
      (
        await catalog.post(
          '/aspects?action=ingestProposal',
          { proposal: proposal(urn, 'status', { removed: false }) },
          { token: out[0]! },
        )
      ).status,
    ).toBe(200);
    const { body } = await catalog.get(`/entitiesV2/${encoded(urn)}`);
    expect(body.aspects.status.created.actor).toBe('urn:li:corpuser:cleo');
    await catalog.propose(urn, 'datasetKey', undefined, { changeType: 'DELETE' });
  });
});

describe('roles', () => {
  const WRITES = CLOSED.filter(([, path]) => /ngest/.test(path) && !path.includes('batchIngest'));
  it.each(
    CLOSED.filter(
      (row) => !WRITES.includes(row) && !row[1].includes('nope') && !row[1].includes('batchIngest'),
    ),
  )('READER may %s %s', async (...[method, path, body]) => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    expect((await catalog.request(method, path, { token, body })).status).toBe(200);
  });

  it.each([
    ...WRITES,
    [
      'POST',
      '/aspects?action=ingestProposal',
      { proposal: proposal(URN, 'datasetKey', undefined, { changeType: 'DELETE' }) },
    ],
    [
      'POST',
      '/aspects?action=ingestProposal',
      { proposal: proposal(URN, 'datasetProfile', { timestampMillis: 1 }) },
    ],
    [
      'POST',
      '/entities?action=batchIngest',
      {
        entities: [
          {
            value: {
              'com.linkedin.metadata.snapshot.TagSnapshot': {
                urn: 'urn:li:tag:a',
                aspects: [{ 'com.linkedin.tag.TagProperties': { name: 'a' } }],
              },
            },
          },
        ],
      },
    ],
  ] as typeof CLOSED)('READER may not %s %s', async (method, path, body) => {
    const { token } = await catalog.issueToken({ role: 'READER' });
    const answer = await catalog.request(method, path, { token, body });
    expectRefusal(answer, 403, 'NOT_ALLOWED');
    expect(answer.body.message).toContain(ANN);
    await unchanged();
  });

  it.each(['EDITOR', 'ADMIN'] as const)('%s may write and delete', async (role) => {
    const { token } = await catalog.issueToken({ role });
    const urn = `urn:li:tag:${role}`;
    const send = (p: object) => catalog.post('/aspects?action=ingestProposal', { proposal: p }, { token });
    expect((await send(proposal(urn, 'tagProperties', { name: role }))).status).toBe(200);
    expect((await send(proposal(urn, 'tagKey', undefined, { changeType: 'DELETE' }))).status).toBe(200);
    await unchanged();
  });
});

describe('the service itself', () => {
  it('makes an administrator token at its first start, for its owner alone', async () => {
    const written = process.stdout.write.bind(process.stdout);
    const shown: string[] = [];
    process.stdout.write = (text: string) => (shown.push(text), true);
    const fresh = await TestCatalog.start({ CATALOG_ADMIN_TOKEN: '' }).finally(
      () => (process.stdout.write = written),
    );
    try {
      const file = join(fresh.home, 'admin-token');
      const token = (await readFile(file, 'utf8')).trim();
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(shown.join('')).toContain(token);
      expect((await fresh.post('/aspects?action=getCount', { aspect: 'status' }, { token })).status).toBe(
        200,
      );
      expect((await fresh.post('/aspects?action=getCount', { aspect: 'status' })).status).toBe(401);
    } finally {
      await fresh.stop();
    }
  });

  it('opens everything without authentication, to this machine', async () => {
    const open = await TestCatalog.start({ CATALOG_AUTH: 'off' });
    try {
      expect((await open.propose(URN, 'status', { removed: false })).status).toBe(200);
      expect((await open.get(`/entitiesV2/${PATH}`, { token: null })).status).toBe(200);
    } finally {
      await open.stop();
    }
    await expect(TestCatalog.start({ CATALOG_AUTH: 'off', HOST: '0.0.0.0' })).rejects.toThrow('HOST=0.0.0.0');
  });
});
