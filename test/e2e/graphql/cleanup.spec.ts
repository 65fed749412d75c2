import { expect, it } from '@jest/globals';
import { TestCatalog } from '../../harness/catalog.js';
import { dataset, eventually, graphql, mutate, resultOf } from './mutating.js';

const TAG = 'urn:li:tag:widespread';
const CARRIERS = Array.from({ length: 450 }, (_, i) => dataset(`carrier${i}`));

const references = async (catalog: TestCatalog): Promise<number> => {
  const asked = { urn: TAG, dryRun: true };
  return (await catalog.post('/entities?action=deleteReferences', asked)).body.value.total as number;
};

it('references to a deleted tag are cleared behind the request, also by the process that comes after', async () => {
  // Serves requests and follows nothing: as if it died before it came to the clean-up.
  const first = await TestCatalog.start({ CATALOG_ROLE: 'api' });
  await first.ingest([TAG, 'tagProperties', { name: 'widespread' }]);
  await first.ingest(
    ...CARRIERS.map((urn): [string, string, unknown] => [urn, 'globalTags', { tags: [{ tag: TAG }] }]),
  );
  const answer = await graphql(first, `mutation { deleteTag(urn: "${TAG}") }`);
  expect(resultOf(answer, 'deleteTag')).toBe(true);
  expect(await references(first)).toBe(CARRIERS.length);
  await first.stop({ keepHome: true });

  const second = await TestCatalog.start({}, first.home);
  try {
    await eventually(async () => expect(await references(second)).toBe(0));
    for (const urn of [CARRIERS[0]!, CARRIERS.at(-1)!])
      expect(await second.read(urn, 'globalTags')).toEqual({ tags: [] });
    // Whoever deleted it is named as the one who took it away.
    const stamped = await second.get(
      `/entitiesV2/${encodeURIComponent(CARRIERS[0]!)}?aspects=List(globalTags)`,
    );
    expect(stamped.body.aspects.globalTags.created.actor).toBe('urn:li:corpuser:admin');
  } finally {
    await second.stop();
  }
});

it('a deletion by another door leaves the references where they are', async () => {
  const catalog = await TestCatalog.start();
  try {
    await catalog.ingest([TAG, 'tagProperties', { name: 'widespread' }]);
    const resourceUrn = CARRIERS[0]!;
    await catalog.ingest([resourceUrn, 'datasetProperties', { name: 'carrier' }]);
    await mutate(catalog, 'addTag', { tagUrn: TAG, resourceUrn });
    await catalog.post('/entities?action=delete', { urn: TAG });
    // A later clean-up shows that the earlier change has been looked at.
    await mutate(catalog, 'createTag', { id: 'marker', name: 'marker' });
    await mutate(catalog, 'addTag', { tagUrn: 'urn:li:tag:marker', resourceUrn });
    await graphql(catalog, 'mutation { deleteTag(urn: "urn:li:tag:marker") }');
    await eventually(async () =>
      expect((await catalog.read(resourceUrn, 'globalTags')).tags).toEqual([{ tag: TAG }]),
    );
  } finally {
    await catalog.stop();
  }
});
