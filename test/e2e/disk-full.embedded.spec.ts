import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/catalog/store/index.js';
import { type Answer, TestCatalog } from '../harness/catalog.js';
import { until } from '../harness/until.js';

/**
 * SQLite says SQLITE_FULL for a disk without room and for a database at its largest size alike. The latter needs neither a
 * disk of its own nor rights.
 */
describe('a full disk', () => {
  let catalog: TestCatalog;
  const urn = (name: string) => `urn:li:dataset:(urn:li:dataPlatform:s3,${name},PROD)`;
  const limit = (pages?: number) =>
    catalog.provider(Database).transaction(async (tx) => {
      const [count] = await tx.all<{ page_count: number }>('PRAGMA page_count');
      await tx.all(`PRAGMA max_page_count = ${pages ?? Number(count?.page_count)}`);
    });
  const write = (name: string) =>
    catalog.propose(urn(name), 'datasetProperties', { name, description: 'x'.repeat(20_000) });
  const health = async () => (await catalog.get('/health')).body;
  const expectRefused = (answer: Answer) => {
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.body).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(answer.body.message).toContain(
      'the disk of the database is full; make room on it, then try again',
    );
  };
  let written = 0;

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    expect((await write('first')).status).toBe(200);
    await limit();
    // What is free in the file is used up first.
    while (written < 200 && (await write(`fill_${written}`)).status === 200) written += 1;
  });
  afterAll(() => catalog.stop());

  it('is 503 with Retry-After for a write, on every surface', async () => {
    expectRefused(await write('aspect_api'));
    expectRefused(
      await catalog.post('/openapi/v3/entity/dataset?async=false', [
        { urn: urn('v3'), datasetProperties: { value: { name: 'v3', description: 'x'.repeat(20_000) } } },
      ]),
    );
    const mutation = await catalog.post('/api/graphql', {
      query: `mutation { createTag(input: {name: "full", description: "${'x'.repeat(20_000)}"}) }`,
    });
    expect(mutation.body.errors).toMatchObject([{ extensions: { code: 503 } }]);
  });

  it('is DEGRADED in /health, which says why, while reads go on', async () => {
    await until(async () => (await health()).status === 'DEGRADED');
    expect((await health()).parts).toContainEqual(
      expect.objectContaining({
        name: 'database',
        status: 'DEGRADED',
        reason: 'the disk of the database is full',
      }),
    );
    expect((await catalog.get('/health/ready')).status).toBe(200);
    expect(await catalog.read(urn('first'), 'datasetProperties')).toMatchObject({ name: 'first' });
  });

  it('is over when there is room again, and nothing that was answered is gone', async () => {
    await limit(1_000_000);
    await until(async () => (await health()).status === 'UP');
    expect((await write('last')).status).toBe(200);
    for (let i = 0; i < written; i++) {
      expect(await catalog.read(urn(`fill_${i}`), 'datasetProperties')).toMatchObject({ name: `fill_${i}` });
    }
    expect(await catalog.read(urn('aspect_api'), 'datasetProperties')).toBeUndefined();
  });
});
