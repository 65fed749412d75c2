import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestCatalog } from '../harness/catalog.js';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await TestCatalog.start();
});
afterAll(() => catalog.stop());

describe('GET /metrics', () => {
  it('is for callers with a token', async () => {
    const answer = await catalog.get('/metrics', { token: null });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    const reader = await catalog.issueToken({ role: 'READER' });
    expect((await catalog.get('/metrics', { token: reader.token })).status).toBe(200);
  });

  it('counts requests by route, writes, searches, and what is behind the commit', async () => {
    await catalog.ingest(['urn:li:tag:measured', 'tagProperties', { name: 'measured' }]);
    await catalog.search('tag', 'measured');
    await catalog.get('/entitiesV2/urn%3Ali%3Atag%3Anobody');
    await catalog.post('/entities?action=made-up', {});
    const { headers, text } = await catalog.get('/metrics');
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const value = (line: string): number => {
      const found = text.split('\n').find((each) => each.startsWith(`${line} `));
      if (found === undefined) throw new Error(`there is no ${line} in\n${text}`);
      return Number(found.slice(line.length + 1));
    };
    const requests = (method: string, route: string, status: number) =>
      value(`catalog_http_request_seconds_count{method="${method}",route="${route}",status="${status}"}`);
    expect(requests('POST', '/aspects?action=ingestProposalBatch', 200)).toBe(1);
    expect(requests('POST', '/entities?action=search', 200)).toBe(1);
    expect(requests('GET', '/entitiesV2/:urn', 404)).toBe(1);
    // What a caller makes up is no route.
    expect(text).not.toContain('made-up');
    expect(value('catalog_write_transaction_seconds_count')).toBeGreaterThanOrEqual(1);
    expect(value('catalog_write_retries_total')).toBe(0);
    expect(value('catalog_search_seconds_count{question="search"}')).toBe(1);
    expect(value('catalog_index_write_documents_sum')).toBeGreaterThanOrEqual(1);
    expect(value('catalog_relay_published_changes')).toBeGreaterThanOrEqual(1);
    expect(value('catalog_log_unpublished_changes')).toBe(0);
    expect(value('catalog_queue_jobs{queue="search-index",state="failed"}')).toBe(0);
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(text).toContain('# TYPE catalog_consumer_lag_seconds gauge');
  });

  it('counts refused tokens by reason, and entities by type', async () => {
    const refused = { token: 'no-such-token' };
    for (let i = 0; i < 3; i += 1) expect((await catalog.get('/metrics', refused)).status).toBe(401);
    const { text } = await catalog.get('/metrics');
    const lines = text.split('\n');
    expect(lines).toContain('catalog_refused_credentials_total{reason="TOKEN_INVALID"} 3');
    expect(lines).toContain('catalog_entities{type="dataType"} 5');
  });
});

describe('GET /health', () => {
  it('shows each part, and how far the consumers are', async () => {
    const { status, body } = await catalog.get('/health', { token: null });
    expect(status).toBe(200);
    expect(body.status).toBe('UP');
    const parts = Object.fromEntries(body.parts.map((part: { name: string }) => [part.name, part]));
    expect(parts.database).toMatchObject({ status: 'UP', required: true });
    expect(parts.queue).toMatchObject({
      status: 'UP',
      required: false,
      details: { 'search-index': { failed: 0, stalled: 0 } },
    });
    expect(parts.consumers).toMatchObject({
      status: 'UP',
      details: { unpublished: { changes: 0 }, behind: [] },
    });
  });
});
