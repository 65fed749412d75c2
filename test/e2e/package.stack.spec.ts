import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN } from '../harness/catalog.js';
import { freePort } from '../harness/free-port.js';
import { ROOT } from '../harness/service-process.js';
import { until } from '../harness/until.js';

const execute = promisify(execFile);

describe('the package of npm', () => {
  let folder: string;
  let bin: string;
  let url: string;
  let service: ChildProcess | undefined;
  let output = '';

  /** As in the shell of somebody who has nothing but this package. */
  const environment = () => ({
    PATH: [bin, '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
    HOME: folder,
    CATALOG_HOME: join(folder, 'home'),
    CATALOG_ADMIN_TOKEN: ADMIN_TOKEN,
    CATALOG_URL: url,
  });
  const catalog = (...words: string[]) =>
    execute(join(bin, 'catalog'), words, { env: environment(), cwd: folder });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-package-'));
    bin = join(folder, 'node_modules', '.bin');
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    // The build under test, as `prepack` leaves it.
    const source = join(folder, 'source');
    for (const name of ['dist', 'docs', 'examples', 'package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'])
      await cp(join(ROOT, name), join(source, name), { recursive: true });
    await execute(process.execPath, [join(ROOT, 'scripts', 'trim-build.mjs'), join(source, 'dist')]);
    await execute('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source });
    await rm(source, { recursive: true });
    const [tarball] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
    await execute('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, join(folder, tarball!)], {
      cwd: folder,
    });
    service = spawn(join(bin, 'catalog'), ['start'], {
      cwd: folder,
      env: { ...environment(), PORT: String(port), HOST: '127.0.0.1' },
    });
    for (const stream of [service.stdout, service.stderr])
      stream?.on('data', (data: Buffer) => (output += data.toString()));
    await until(async () => {
      if (service?.exitCode !== null) throw new Error(output);
      return await fetch(`${url}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  });
  afterAll(async () => {
    if (service?.exitCode === null) service.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  it('holds no tests, no sources, no source maps, and nothing twice', async () => {
    const files = await readdir(join(folder, 'node_modules', 'metadata-catalog'), { recursive: true });
    expect(files.filter((name) => /\.(spec|map)\b|^(src|test|bench)\//.test(name))).toEqual([]);
    expect(
      files.filter((name) => /^dist\/modules\/.*\.(resolver|controller|service)\.js$/.test(name)),
    ).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['README.md', join('docs', 'schema.graphql')]));
  });

  it('starts, takes the sample, finds what is in it, and shows its pages', async () => {
    const examples = join(folder, 'node_modules', 'metadata-catalog', 'examples');
    await catalog('import', join(examples, 'warehouse.jsonl'));
    expect((await catalog('search', 'late', 'parcels', '--entity', 'dataset')).stdout).toContain(
      'urn:li:dataset:',
    );
    expect((await catalog('get', 'urn:li:tag:PII')).stdout).toContain('tagProperties');
    expect((await catalog('verify')).stdout).toContain('store and index agree');
    for (const path of [
      '/',
      '/web',
      '/graphiql',
      '/openapi/swagger-ui',
      '/restli/docs',
      '/openapi/v3/api-docs',
    ])
      expect({ path, status: (await fetch(url + path)).status }).toEqual({ path, status: 200 });
  });

  it('ends when it is asked to', async () => {
    const ended = once(service!, 'exit');
    service!.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });
});
