import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { proposal } from '../harness/catalog.js';
import { ServiceProcess } from '../harness/service-process.js';

/** What is true of the files in a data folder, so of the embedded profile only. */
describe('the data folder', () => {
  let home: string;
  let service: ServiceProcess;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-folder-'));
  });
  afterEach(async () => {
    await service.kill();
    await rm(home, { recursive: true, force: true });
  });

  const dataset = (i: number): string => `urn:li:dataset:(urn:li:dataPlatform:s3,lake.part_${i},PROD)`;
  const write = () =>
    service.post('/aspects?action=ingestProposalBatch', {
      proposals: Array.from({ length: 10 }, (_, i) =>
        proposal(dataset(i), 'datasetProperties', { name: `part ${i}` }),
      ),
    });
  const found = async (): Promise<string[]> => {
    const body = { entity: 'dataset', input: '*', start: 0, count: 1000 };
    const answer = await service.post('/entities?action=search', body);
    expect(answer.status).toBe(200);
    return answer.body.value.entities as string[];
  };

  it('gets its index built again when that is gone', async () => {
    service = await ServiceProcess.start(home);
    await write();
    await service.kill();
    for (const suffix of ['', '-wal', '-shm']) await rm(join(home, `search.db${suffix}`), { force: true });
    service = await ServiceProcess.start(home);
    expect(await found()).toHaveLength(10);
  });

  it('is left in order by a service that is asked to end, with everything written', async () => {
    service = await ServiceProcess.start(home);
    await write();
    await service.stop();
    expect(service.log).toBe('');
    // The databases were closed, not left: their logs are folded in and gone.
    expect((await readdir(home)).filter((name) => name.endsWith('-wal'))).toEqual([]);
    service = await ServiceProcess.start(home);
    expect(await found()).toHaveLength(10);
  });

  it('has files that nobody else may read, also in a folder that everybody may enter', async () => {
    await chmod(home, 0o755);
    service = await ServiceProcess.start(home);
    await write();
    expect(await found()).toHaveLength(10);
    const open: string[] = [];
    const names = await readdir(home);
    for (const name of names) if (((await stat(join(home, name))).mode & 0o077) !== 0) open.push(name);
    expect(names).toEqual(expect.arrayContaining(['catalog.db', 'catalog.db-wal', 'search.db']));
    expect(open).toEqual([]);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('ends the start with one line where the system makes no folders', async () => {
    await expect(ServiceProcess.start('/proc/catalog/data')).rejects.toThrow(
      '/proc/catalog: it cannot be made there; set CATALOG_HOME to another folder',
    );
  });
});
