import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { proposal, removeHome, TestCatalog } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { dataset, eventually, graphql, mutate } from './mutating.js';

const TAG = 'urn:li:tag:widespread';
const CARRIERS = Array.from({ length: 2_000 }, (_, i) => dataset(`carrier${i}`));

describe('references to a deleted tag', () => {
  let home: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-cleanup-'));
    service = await ServiceProcess.start(home);
  });
  afterEach(async () => {
    await service.kill();
    await removeHome(home);
  });

  const references = async (): Promise<number> => {
    const asked = { urn: TAG, dryRun: true };
    return (await service.post('/entities?action=deleteReferences', asked)).body.value.total as number;
  };

  it('are cleared behind the request, by the next process when this one is killed', async () => {
    const carrying = CARRIERS.map((urn) => proposal(urn, 'globalTags', { tags: [{ tag: TAG }] }));
    const proposals = [proposal(TAG, 'tagProperties', { name: 'widespread' }), ...carrying];
    expect((await service.post('/aspects?action=ingestProposalBatch', { proposals })).status).toBe(200);
    const query = `mutation { deleteTag(urn: "${TAG}") }`;
    expect((await service.post('/api/graphql', { query })).body.data).toEqual({ deleteTag: true });
    await service.kill();

    service = await ServiceProcess.start(home);
    await eventually(async () => expect(await references()).toBe(0), 60_000);
    const last = await service.post('/entities?action=deleteReferences', { urn: TAG, dryRun: true });
    expect(last.body.value.relatedAspects).toEqual([]);
    const { status, body } = await service.post('/api/graphql', {
      query: `{ dataset(urn: "${CARRIERS.at(-1)}") { tags { tags { tag { urn } } } } }`,
    });
    expect({ status, dataset: body.data.dataset }).toEqual({ status: 200, dataset: { tags: { tags: [] } } });
  });
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
