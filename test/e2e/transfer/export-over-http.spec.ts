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

  it('holds what a query finds, also for the command', async () => {
    const urnsOf = (text: string) =>
      [...text.matchAll(/"kind":"entity","entityType":"(?:dataset|chart)","entityUrn":"([^"]+)"/g)].map(
        ([, urn = '']) => urn,
      );
    const expected = urnsOf(await exported()).filter((urn) => urn.includes('orders'));
    expect(expected.length).toBeGreaterThan(3);
    const found = await exported('?query=urn:*orders*&entityType=dataset&entityType=chart');
    expect(urnsOf(found)).toEqual(expected);
    expect(found).toContain('"query":"urn:*orders*"');
    const words = ['export', '-', '--query', 'urn:*orders*', '--entity', 'dataset', '--entity', 'chart'];
    const { token } = await catalog.issueToken({ role: 'ADMIN' });
    const said = await command(catalog.home, [...words, '--server', catalog.url, '--token', token]);
    expect(said).toEqual({ code: 0, out: found, err: expect.stringContaining('lines exported') });
    expect((await command(catalog.home, [...words, '--secrets'])).code).toBe(2);
    const wrong = await catalog.get('/openapi/v3/export?query=(');
    expect(wrong).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: expect.stringMatching(/^\/query/) }] },
    });
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
