import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { command } from '../../harness/command.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';

describe('GET /openapi/v3/export', () => {
  let catalog: TestCatalog;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await importSample(catalog);
  });
  afterAll(() => catalog.stop());

  const exported = async (query = ''): Promise<string> => {
    const answer = await catalog.get(`/openapi/v3/export${query}`);
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson');
    expect(answer.headers.get('x-request-id')).toBeTruthy();
    return answer.text;
  };

  it('streams what the command writes', async () => {
    await until(async () => (await exported()) === (await exported()));
    const { out } = await command(catalog.home, ['export', '-']);
    expect(await exported()).toBe(out);
    const tags = await command(catalog.home, ['export', '-', '--entity', 'tag', '--no-history', '--tokens']);
    expect(await exported('?entityType=tag&history=false&tokens=true')).toBe(tags.out);
    const events = await command(catalog.home, ['export', '-', '--urn', '*:dataset:*', '--no-timeseries']);
    expect(await exported('?urn=List(*:dataset:*)&timeseries=false')).toBe(events.out);
  });

  it('is for administrators, and names what is wrong', async () => {
    const { token } = await catalog.issueToken({ role: 'EDITOR' });
    expect((await catalog.get('/openapi/v3/export', { token })).status).toBe(403);
    expect((await catalog.get('/openapi/v3/export', { token: null })).status).toBe(401);
    const wrong = await catalog.get('/openapi/v3/export?entityType=tagg');
    expect(wrong).toMatchObject({ status: 400, body: { errors: [{ pointer: '/entityType' }] } });
  });

  it('ends with its client, and leaves room for others', async () => {
    const headers = { authorization: `Bearer ${(await catalog.issueToken({ role: 'ADMIN' })).token}` };
    const open = [1, 2].map(async () => {
      const ending = new AbortController();
      const response = await fetch(`${catalog.url}/openapi/v3/export`, { headers, signal: ending.signal });
      return { response, ending };
    });
    const both = await Promise.all(open);
    for (const { ending } of both) ending.abort();
    await until(async () => (await catalog.get('/openapi/v3/export')).status === 200);
  });
});
