import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, proposal, removeHome } from '../harness/catalog.js';
import { ServiceProcess } from '../harness/service-process.js';
import { stackOf } from '../harness/stack.js';

const dataset = (i: number): string => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.part_${i},PROD)`;

describe('a service that is killed', () => {
  let home: string;
  let service: ServiceProcess;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-durability-'));
  });
  afterEach(async () => {
    await service.kill();
    await removeHome(home);
  });

  /** One batch: two aspects of each of ten datasets. */
  const batch = (n: number): Promise<{ status: number }> =>
    service.post('/aspects?action=ingestProposalBatch', {
      proposals: Array.from({ length: 10 }, (_, k) => n * 10 + k).flatMap((i) => [
        proposal(dataset(i), 'datasetProperties', {
          name: `part ${i}`,
          customProperties: { batch: `n${n}` },
        }),
        proposal(dataset(i), 'globalTags', { tags: [{ tag: 'urn:li:tag:killed' }] }),
      ]),
    });
  const found = async (): Promise<string[]> => {
    const urns: string[] = [];
    for (;;) {
      const body = { entity: 'dataset', input: '*', start: urns.length, count: 1000 };
      const answer = await service.post('/entities?action=search', body);
      expect(answer.status).toBe(200);
      const page = answer.body.value.entities as string[];
      urns.push(...page);
      if (page.length === 0) return urns.sort();
    }
  };
  /**
   * What is found once the index has caught up. A process that is alone on its files takes back at once what it held
   * when it died, and a search waits for it; on servers the leases of a dead process must run out first.
   */
  const caughtUp = async (count: number): Promise<string[]> => {
    for (;;) {
      const urns = await found();
      // While documents still come, the pages of one listing can overlap.
      const distinct = new Set(urns).size;
      if (stackOf() === undefined || (distinct >= count && distinct === urns.length)) return urns;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const tagged = async (): Promise<string[]> => {
    const answer = await fetch(
      `${service.url}/relationships?direction=INCOMING&urn=${encodeURIComponent('urn:li:tag:killed')}&types=TaggedWith&count=10000`,
      { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } },
    );
    return ((await answer.json()) as { entities: string[] }).entities.sort();
  };

  it.each([1, 2, 3])(
    'has everything it acknowledged, whole batches only, and the index catches up by itself (round %i)',
    async (round) => {
      service = await ServiceProcess.start(home);
      const acknowledged: number[] = [];
      let next = 0;
      const writers = Array.from({ length: 6 }, async () => {
        for (;;) {
          const n = next++;
          const answer = await batch(n).catch(() => undefined);
          if (answer === undefined) return;
          expect(answer.status).toBe(200);
          acknowledged.push(n);
          // Somewhere in the middle of the load, at another place each round.
          if (acknowledged.length === 15 + round * 8) void service.kill();
        }
      });
      await Promise.all(writers);

      service = await ServiceProcess.start(home);
      const present = await tagged();
      const expected = acknowledged.flatMap((n) => Array.from({ length: 10 }, (_, k) => dataset(n * 10 + k)));
      expect(new Set(present)).toEqual(new Set([...present, ...expected]));
      // A batch whose answer got lost is there as a whole or not at all.
      expect(present.length % 10).toBe(0);
      expect(await caughtUp(present.length)).toEqual(present);
      // And it goes on where it was: the same writes again change nothing, new ones are found at once.
      expect((await batch(0)).status).toBe(200);
      expect((await batch(next + 1)).status).toBe(200);
      expect(await caughtUp(present.length + 10)).toHaveLength(present.length + 10);
    },
  );
});
