import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT, ServiceProcess } from '../harness/service-process.js';

const execute = promisify(execFile);

describe('a build under a running service', () => {
  let folder: string;
  let dist: string;
  let service: ServiceProcess | undefined;
  const clear = (...options: string[]) =>
    execute(process.execPath, [join(ROOT, 'scripts/clear-build.mjs'), ...options, dist]);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-build-'));
    dist = join(folder, 'dist');
    await cp(join(ROOT, 'dist'), dist, { recursive: true });
    await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await service?.kill();
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves what the service loads when it is first needed', async () => {
    service = await ServiceProcess.start(join(folder, 'home'), {}, 'pipe', join(dist, 'main.js'));
    await clear();
    expect(await readdir(dist)).not.toContain('main.js');
    const query = '{ search(input: { type: TAG, query: "*" }) { total } }';
    const answer = await service.post('/api/graphql', { query });
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body).toMatchObject({ data: { search: { total: 0 } } });
    expect((await fetch(`${service.url}/`)).status).toBe(200);
  });

  it('leaves the chunks of the last three builds, and those alone', async () => {
    const noted = join(dist, '.chunks.json');
    const chunks = async () => (await readdir(dist)).filter((name) => name.endsWith('.js'));
    const { noteChunks } = (await import(join(ROOT, 'scripts/kept-chunks.mjs'))) as {
      noteChunks: (folder: string, names: string[]) => Promise<void>;
    };
    await rm(noted);
    for (const name of ['a', 'b', 'c', 'd']) {
      await clear();
      await writeFile(join(dist, `${name}-00000000.js`), '');
      await writeFile(join(dist, `${name}-00000000.js.map`), '');
      await noteChunks(dist, [`${name}-00000000.js`]);
    }
    expect(await chunks()).toEqual(['a', 'b', 'c', 'd'].map((name) => `${name}-00000000.js`));
    await clear();
    expect(await chunks()).toEqual(['b', 'c', 'd'].map((name) => `${name}-00000000.js`));
    expect(JSON.parse(await readFile(noted, 'utf8'))).toHaveLength(3);
    expect((await readdir(dist)).filter((name) => name.endsWith('.map'))).toEqual([]);
    await clear('--all');
    await expect(readdir(dist)).rejects.toThrow('ENOENT');
  });
});
