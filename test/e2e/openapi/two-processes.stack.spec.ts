import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { dropIndices, stackUrl, uniqueName } from '../../harness/search-server.js';
import { databaseServers, freshDatabase } from '../../harness/stack.js';
import { dataset } from '../aspect-api/support.js';
import { path, settled, valueOf } from './support.js';

const engine = stackUrl('STACK_SEARCH_URL');
const prefix = uniqueName('two-');

describe.each(databaseServers())('two services on one database of %s', (_, server) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  const services: TestCatalog[] = [];
  const homes: string[] = [];

  beforeAll(async () => {
    database = await freshDatabase(server);
    for (const _ of [1, 2]) {
      const home = await mkdtemp(join(tmpdir(), 'catalog-two-'));
      homes.push(home);
      const shared = {
        CATALOG_DATABASE_URL: database.url,
        CATALOG_SEARCH_URL: engine.href,
        CATALOG_SEARCH_PREFIX: prefix,
      };
      services.push(await TestCatalog.start(shared, home));
    }
  });
  afterAll(async () => {
    for (const service of services) await service.stop({ keepHome: true });
    for (const home of homes) await removeHome(home);
    await database.drop();
    await dropIndices(engine, prefix);
  });

  const one = (i: number): TestCatalog => services[i % services.length]!;

  it('a key is used once, whichever of them is asked', async () => {
    for (let round = 0; round < 5; round += 1) {
      const urn = dataset(`two.key${round}`);
      const item = {
        forceGenericPatch: true,
        patch: [{ op: 'add', path: '/tags/-', value: { tag: 'urn:li:tag:x' } }],
      };
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          one(i).request('PATCH', path(urn, 'globalTags'), {
            body: item,
            headers: { 'idempotency-key': `two-${round}` },
          }),
        ),
      );
      expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 200));
      expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
      expect((await valueOf(one(0), urn, 'globalTags')).tags).toHaveLength(1);
    }
  });

  it('each version has one conditional writer', async () => {
    const urn = dataset('two.conditions');
    await one(0).post(path(urn, 'datasetProperties'), { value: { name: '0' } });
    const writer = async (who: number): Promise<void> => {
      for (let won = 0; won < 10;) {
        const { headers, body } = await one(who).get(path(urn, 'datasetProperties'));
        const value = { name: String(Number(body.datasetProperties.value.name) + 1) };
        const answer = await one(who).post(
          path(urn, 'datasetProperties'),
          { value },
          { headers: { 'if-match': headers.get('etag')! } },
        );
        expect([200, 412]).toContain(answer.status);
        if (answer.status === 200) won += 1;
      }
    };
    await Promise.all([writer(0), writer(1), writer(2), writer(3)]);
    expect((await valueOf(one(0), urn, 'datasetProperties')).name).toBe('40');
  });

  it('what both accept is carried out once, and in the order in which it was accepted', async () => {
    const urn = dataset('two.accepted');
    const accepted = [];
    for (let i = 0; i < 60; i += 1) {
      const patch = [{ op: 'add', path: '/tags/-', value: { tag: `urn:li:tag:t${i}` } }];
      accepted.push(
        await one(i).request('PATCH', '/openapi/v3/entity/dataset?async=true', {
          body: [{ urn, globalTags: { value: { forceGenericPatch: true, patch } } }],
        }),
      );
    }
    for (const [i, answer] of accepted.entries())
      expect((await settled(one(i + 1), answer)).state).toBe('COMMITTED');
    const { tags } = await valueOf(one(0), urn, 'globalTags');
    expect(tags.map(({ tag }: { tag: string }) => tag)).toEqual(
      Array.from({ length: 60 }, (_, i) => `urn:li:tag:t${i}`),
    );
  });

  it('scroll ids of one are understood by the other', async () => {
    for (let i = 0; i < 5; i += 1)
      await one(0).post(path(`urn:li:tag:two${i}`, 'tagProperties'), { value: { name: `t${i}` } });
    const url = '/openapi/v3/relationship/IsA?count=1';
    expect((await one(0).get(url)).status).toBe(200);
    for (const name of ['a', 'b'])
      await one(0).post(path(`urn:li:glossaryTerm:two.${name}`, 'glossaryRelatedTerms'), {
        value: { isRelatedTerms: ['urn:li:glossaryTerm:two.root'] },
      });
    const { scrollId, results } = (await one(0).get(url)).body;
    const next = await one(1).get(`${url}&scrollId=${scrollId}`);
    expect(next.status).toBe(200);
    expect([results[0].source.urn, next.body.results[0].source.urn]).toEqual([
      'urn:li:glossaryTerm:two.a',
      'urn:li:glossaryTerm:two.b',
    ]);
  });
});
