import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { proposal, removeHome, TestCatalog } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';
import { dataset, version } from '../aspect-api/support.js';
import {
  add,
  asRecord,
  define,
  definition,
  found,
  hardDelete,
  holds,
  patch,
  property,
  setting,
  shown,
} from './support.js';

interface Asking {
  post(path: string, body: unknown): Promise<{ status: number; body: any }>;
}

const removalsOf = async (catalog: Asking, urn: string): Promise<any[]> =>
  (await catalog.post('/operations?action=propertyRemovals', { urn })).body.value.removals;

/** The newest removal of a property, once it is done. */
async function removed(catalog: Asking, urn: string, count = 1): Promise<any> {
  for (;;) {
    const all = await removalsOf(catalog, urn);
    if (all.length >= count && all.every(({ state }) => state === 'done')) return all[0];
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('values of a deleted property', () => {
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
  });
  afterAll(() => catalog.stop());

  const holders = async (urn: string, names: string[]): Promise<void> =>
    catalog.ingest(
      ...names.flatMap((name): Array<[string, string, unknown]> => [
        [dataset(name), 'datasetProperties', { name }],
        [dataset(name), 'structuredProperties', setting(holds(urn, name), holds(property('r.other'), name))],
      ]),
    );

  it('are in no read from then on, and gone from the store a little later', async () => {
    await define(catalog, 'r.other', 'string');
    const urn = await define(catalog, 'r.gone', 'string');
    const names = Array.from({ length: 120 }, (_, i) => `gone.${i}`);
    await holders(urn, names);
    await hardDelete(catalog, urn);
    expect(await shown(catalog, dataset('gone.7'))).toEqual({ 'r.other': ['gone.7'] });
    const done = await removed(catalog, urn);
    expect(done).toMatchObject({
      property: urn,
      reason: 'deleted',
      state: 'done',
      total: 120,
      done: 120,
      removed: 120,
      progress: 1,
    });
    expect(done.requested).toBeLessThanOrEqual(done.started);
    expect(done.started).toBeLessThanOrEqual(done.finished);
    expect(await shown(catalog, dataset('gone.7'))).toEqual({ 'r.other': ['gone.7'] });
    // The removal is one more version; the one before hides what was removed.
    expect(asRecord(await version(catalog, dataset('gone.7'), 'structuredProperties', 1))).toEqual({
      'r.other': ['gone.7'],
    });
    expect(asRecord(await version(catalog, dataset('gone.7'), 'structuredProperties', 2))).toEqual({
      'r.other': ['gone.7'],
    });
    const verified = await catalog.post('/operations?action=verify', {});
    expect(verified.body.value.dangling.references).toEqual([]);
  });

  it('do not come back when the name is used again at once, and new ones stay', async () => {
    for (let life = 1; life <= 5; life++) {
      const urn = await define(catalog, 'r.again', 'string');
      const names = Array.from({ length: 30 }, (_, i) => `again.${i}`);
      expect(await found(catalog, 'r.again', 'EXISTS')).toEqual([]);
      await holders(urn, names);
      await hardDelete(catalog, urn);
      await define(catalog, 'r.again', 'number');
      expect(await shown(catalog, dataset('again.3'))).toEqual({ 'r.other': ['again.3'] });
      expect(await found(catalog, 'r.again', 'EXISTS')).toEqual([]);
      expect((await patch(catalog, dataset('again.3'), add(urn, life))).status).toBe(200);
      await removed(catalog, urn, life * 2 - 1);
      expect(await shown(catalog, dataset('again.3'))).toEqual({ 'r.other': ['again.3'], 'r.again': [life] });
      expect(await shown(catalog, dataset('again.4'))).toEqual({ 'r.other': ['again.4'] });
      expect(await found(catalog, 'r.again', 'EXISTS')).toEqual(['again.3']);
      await hardDelete(catalog, urn);
      await removed(catalog, urn, life * 2);
    }
  });

  it('are those of one life only, also when it ends and begins in one request', async () => {
    const urn = await define(catalog, 'r.batch', 'string');
    await holders(urn, ['batch']);
    const answer = await catalog.post('/aspects?action=ingestProposalBatch', {
      proposals: [
        proposal(urn, 'structuredPropertyKey', undefined, { changeType: 'DELETE' }),
        proposal(urn, 'propertyDefinition', definition('r.batch', 'string')),
      ],
    });
    expect(answer.status).toBe(200);
    expect(await shown(catalog, dataset('batch'))).toEqual({ 'r.other': ['batch'] });
    expect(await found(catalog, 'r.batch', 'EXISTS')).toEqual([]);
  });

  it('of an earlier version of the definition go the same way', async () => {
    const urn = await define(catalog, 'r.version', 'string');
    await holders(urn, ['version.0', 'version.1']);
    await define(catalog, 'r.version', 'number', { version: '20240101000000' });
    expect(await shown(catalog, dataset('version.0'))).toEqual({ 'r.other': ['version.0'] });
    expect(await found(catalog, 'r.version', 'EXISTS')).toEqual([]);
    await patch(catalog, dataset('version.1'), add(urn, 1));
    // Whether the patch or the removal took the old value of the second one out is up to them.
    const done = await removed(catalog, urn);
    expect([1, 2]).toContain(done.total);
    expect(done).toMatchObject({ reason: 'version', done: done.total, removed: done.total });
    expect(await shown(catalog, dataset('version.1'))).toEqual({
      'r.other': ['version.1'],
      'r.version': [1],
    });
    expect(await found(catalog, '_versioned.r_version.20240101000000.number', 'EQUAL', '1')).toEqual([
      'version.1',
    ]);
    await define(catalog, 'r.version', 'number', { version: '20240101000000', displayName: 'no removal' });
    await define(catalog, 'r.version', 'string', { version: '20240102000000' });
    await removed(catalog, urn, 2);
    expect(await removalsOf(catalog, urn)).toHaveLength(2);
    expect(await shown(catalog, dataset('version.1'))).toEqual({ 'r.other': ['version.1'] });
  });

  it('that nobody holds are removed all the same', async () => {
    const urn = await define(catalog, 'r.lonely', 'string');
    await hardDelete(catalog, urn);
    expect(await removed(catalog, urn)).toMatchObject({ total: 0, done: 0, removed: 0, progress: 1 });
  });

  it('are never those that a client writes meanwhile', async () => {
    const urn = await define(catalog, 'r.race', 'string');
    const names = Array.from({ length: 200 }, (_, i) => `race.${i}`);
    await holders(urn, names);
    await hardDelete(catalog, urn);
    await define(catalog, 'r.race', 'string');
    await Promise.all(names.map((name) => patch(catalog, dataset(name), add(urn, `new ${name}`))));
    await removed(catalog, urn);
    for (const name of names) {
      expect(await shown(catalog, dataset(name))).toEqual({ 'r.other': [name], 'r.race': [`new ${name}`] });
    }
    expect(await found(catalog, 'r.race', 'EXISTS')).toHaveLength(200);
  });

  it('that an administrator takes out by reference go at once', async () => {
    const urn = await define(catalog, 'r.reference', 'string');
    await holders(urn, ['reference']);
    const answer = await catalog.post('/entities?action=deleteReferences', { urn, dryRun: false });
    expect(answer.body.value).toMatchObject({ total: 1 });
    expect(await shown(catalog, dataset('reference'))).toEqual({ 'r.other': ['reference'] });
  });
});

describe('a removal that is killed', () => {
  let home: string;
  let service: ServiceProcess;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-removal-'));
  });
  afterEach(async () => {
    await service.kill();
    await removeHome(home);
  });

  it('is finished by the next process', async () => {
    service = await ServiceProcess.start(home);
    const total = 4_000;
    // Where the machine is busy, one may be done before anybody sees that it runs.
    let urn: string;
    for (let life = 1; ; life += 1) {
      const name = `k.gone.${life}`;
      urn = property(name);
      if (await killedMidway(name, total)) break;
    }
    service = await ServiceProcess.start(home);
    const done = await removed(service, urn);
    expect(done).toMatchObject({ state: 'done', total, done: total, removed: total });
    const verified = await service.post('/operations?action=verify', {});
    expect(verified.body.value).toMatchObject({ remaining: 0, dangling: { count: 0 } });
  });

  /** Gives values of a property to so many datasets, deletes it, and kills the service while it removes them. */
  async function killedMidway(name: string, total: number): Promise<boolean> {
    const urn = property(name);
    const ingest = async (proposals: unknown[]): Promise<void> => {
      const answer = await service.post('/aspects?action=ingestProposalBatch', { proposals });
      expect(answer.status).toBe(200);
    };
    await ingest([proposal(urn, 'propertyDefinition', definition(name, 'string'))]);
    for (let from = 0; from < total; from += 1_000) {
      const names = Array.from({ length: 1_000 }, (_, i) => dataset(`k.${from + i}`));
      await ingest(
        names.flatMap((one) => [
          proposal(one, 'status', { removed: false }),
          proposal(one, 'structuredProperties', setting(holds(urn, 'x'))),
        ]),
      );
    }
    await service.post('/entities?action=delete', { urn });
    for (;;) {
      const [removal] = await removalsOf(service, urn);
      if (removal?.state === 'done') return false;
      if (removal?.state === 'running' && removal.done > 0) break;
    }
    await service.kill();
    return true;
  }
});
