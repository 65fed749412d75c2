import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, proposal, removeHome } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { dataset, eventually } from './mutating.js';

const AUTHORIZED = { authorization: `Bearer ${ADMIN_TOKEN}` };
const TAG = 'urn:li:tag:widespread';
const CARRIERS = Array.from({ length: 2_000 }, (_, i) => dataset(`carrier${i}`));

describe('references to a deleted tag', () => {
  let home: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catachange-log-retention-'));
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

  /** Deletes the tag; answers where the rest can be followed, if anywhere. */
  const deletions = {
    GraphQL: async (): Promise<string | undefined> => {
      const query = `mutation { deleteTag(urn: "${TAG}") }`;
      expect((await service.post('/api/graphql', { query })).body.data).toEqual({ deleteTag: true });
      return undefined;
    },
    OpenAPI: async (): Promise<string | undefined> => {
      const url = `${service.url}/openapi/v3/entity/tag/${encodeURIComponent(TAG)}`;
      const answer = await fetch(url, { method: 'DELETE', headers: AUTHORIZED });
      expect(answer.status).toBe(200);
      return answer.headers.get('location')!;
    },
  };

  it.each(['GraphQL', 'OpenAPI'] as const)(
    'are cleared behind the request, by the next process when this one is killed: %s',
    async (surface) => {
      const carrying = CARRIERS.map((urn) => proposal(urn, 'globalTags', { tags: [{ tag: TAG }] }));
      const proposals = [proposal(TAG, 'tagProperties', { name: 'widespread' }), ...carrying];
      expect((await service.post('/aspects?action=ingestProposalBatch', { proposals })).status).toBe(200);
      const location = await deletions[surface]();
      await service.kill();

      service = await ServiceProcess.start(home);
      await eventually(async () => expect(await references()).toBe(0));
      await eventually(async () => {
        if (location === undefined) return;
        const trace = await fetch(service.url + location, { headers: AUTHORIZED });
        expect(await trace.json()).toMatchObject({ state: 'DONE', entities: [{ urn: TAG, state: 'DONE' }] });
      });
      const last = await service.post('/entities?action=deleteReferences', { urn: TAG, dryRun: true });
      expect(last.body.value.relatedAspects).toEqual([]);
      const { status, body } = await service.post('/api/graphql', {
        query: `{ dataset(urn: "${CARRIERS.at(-1)}") { tags { tags { tag { urn } } } } }`,
      });
      expect({ status, dataset: body.data.dataset }).toEqual({
        status: 200,
        dataset: { tags: { tags: [] } },
      });
    },
  );
});
