import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { expectRefused, graphql, mutate, tried, withDataset } from './mutating.js';

// Two services on one database: what one holds in memory the other does not know.
let catalogs: [TestCatalog, TestCatalog];
let otherHome: string;

beforeAll(async () => {
  const first = await TestCatalog.start();
  otherHome = await mkdtemp(join(tmpdir(), 'catalog-e2e-'));
  const { databaseUrl, queuePrefix, searchPrefix } = first.configuration;
  const second = await TestCatalog.start({
    CATALOG_HOME: otherHome,
    CATALOG_DATABASE_URL: String(databaseUrl),
    CATALOG_QUEUE_PREFIX: queuePrefix,
    CATALOG_SEARCH_PREFIX: searchPrefix,
    CATALOG_ROLE: 'api',
  });
  catalogs = [first, second];
});
afterAll(async () => {
  await catalogs[1].stop();
  await catalogs[0].stop();
  await rm(otherHome, { recursive: true, force: true });
});

const both = (i: number): TestCatalog => catalogs[i % 2 === 0 ? 0 : 1];

it('labels that both add at the same moment all stay', async () => {
  const resourceUrn = await withDataset(catalogs[0], 'shared');
  const tags = Array.from({ length: 40 }, (_, i) => `urn:li:tag:shared${i}`);
  await catalogs[0].ingest(
    ...tags.map((tag): [string, string, unknown] => [tag, 'tagProperties', { name: tag }]),
  );
  await Promise.all(tags.map((tagUrn, i) => mutate(both(i), 'addTag', { tagUrn, resourceUrn })));
  const stored = await catalogs[1].read(resourceUrn, 'globalTags');
  expect(stored.tags.map(({ tag }: { tag: string }) => tag).sort()).toEqual([...tags].sort());
});

it.each([true, false])('of many terms with one name, one wins, at the top: %s', async (top) => {
  const parentNode = top ? undefined : await mutate(catalogs[0], 'createGlossaryNode', { name: 'Folder' });
  const input = { name: `Same ${top}`, parentNode };
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => tried(both(i), 'createGlossaryTerm', input)),
  );
  expect(answers.filter(({ errors }) => errors === undefined)).toHaveLength(1);
  for (const answer of answers.filter(({ errors }) => errors)) expectRefused(answer, 400, 'NAME_TAKEN');
});

it('nothing comes to lie in a folder that is being deleted', async () => {
  for (let round = 0; round < 10; round++) {
    const name = `Round ${round}`;
    const parentNode = await mutate(catalogs[0], 'createGlossaryNode', { name });
    const [deleted, created] = await Promise.all([
      graphql(catalogs[0], `mutation { deleteGlossaryEntity(urn: "${parentNode}") }`),
      tried(catalogs[1], 'createGlossaryTerm', { name, parentNode }),
    ]);
    if (created.errors) expectRefused(created, 404, 'ENTITY_NOT_FOUND', '/input/parentNode');
    else expectRefused(deleted, 400, 'RULE_VIOLATED', '/urn');
    expect([deleted.errors, created.errors].filter(Boolean)).toHaveLength(1);
  }
});
