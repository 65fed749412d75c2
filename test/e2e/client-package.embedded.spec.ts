import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../harness/catalog.js';
import { readPage } from '../harness/page-commands.js';
import { importSample } from '../harness/sample.js';
import { ROOT } from '../harness/service-process.js';

const run = promisify(execFile);
const CLIENT = join(ROOT, 'client');
const MODULES = join(ROOT, 'node_modules');

const SETTINGS = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    types: ['node'],
    typeRoots: [join(MODULES, '@types')],
    outDir: 'built',
  },
};

describe('the client package', () => {
  let catalog: TestCatalog;
  let folder: string;
  let packed: string[];

  const node = (...parameters: string[]) =>
    run(process.execPath, parameters, {
      cwd: folder,
      env: { ...process.env, CATALOG_URL: catalog.url, CATALOG_TOKEN: ADMIN_TOKEN },
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${error.stdout}\n${error.stderr}`);
    });
  const printed = async (example: string) => (await node(`built/${example}.js`)).stdout.trimEnd().split('\n');

  /** The package as npm makes it, with the one it depends on beside it, and the examples as a project that uses it. */
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await importSample(catalog);
    folder = await mkdtemp(join(tmpdir(), 'catalog-client-package-'));
    await run('npm', ['pack', '--pack-destination', folder], { cwd: CLIENT });
    const [tarball] = await readdir(folder);
    await run('tar', ['-xzf', tarball!], { cwd: folder });
    packed = await readdir(join(folder, 'package'), { recursive: true });
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(folder, 'package'), join(folder, 'node_modules/metadata-catalog-client'));
    for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
      await symlink(join(MODULES, name), join(folder, 'node_modules', name));
    await cp(join(CLIENT, 'examples'), folder, { recursive: true });
    // The programs of the guide are one after the other.
    const programs = [...readPage('guides/client.md').matchAll(/```ts\n(.+?)```/gs)].map(([, text]) => text);
    expect(programs).toHaveLength(2);
    await writeFile(
      join(folder, 'guide.ts'),
      programs.join('').replace("'http://localhost:8080'", 'process.env.CATALOG_URL!'),
    );
    // What client/README.md begins with; `error` is what its reader looks at.
    const [, first] = /```ts\n(.+?)```/s.exec(await readFile(join(CLIENT, 'README.md'), 'utf8'))!;
    const shown = 'console.log(searchAcrossEntities?.searchResults.length, data?.urn, error);\n';
    await writeFile(
      join(folder, 'readme.ts'),
      first!.replace("'http://localhost:8080'", 'process.env.CATALOG_URL!') + shown,
    );
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    await node(join(MODULES, '@typescript/native/bin/tsc'), '-p', '.');
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('has the code, its types and the page, and no sources', () => {
    expect(packed).toEqual(expect.arrayContaining(['README.md', 'dist/index.js', 'dist/index.d.ts']));
    expect(packed.filter((name) => /(?<!\.d)\.ts$|examples|\.graphql$/.test(name))).toEqual([]);
  });

  it('finds, and puts a tag on what it found', async () => {
    const lines = await printed('search-and-tag');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toContain('Looked at');
  });

  it('writes, reads, and is told of conflicts and refusals', async () => {
    expect(await printed('write-and-read')).toEqual([
      '200',
      'PRECONDITION_FAILED',
      'Every pot we sell, by size',
      '401 TOKEN_INVALID',
    ]);
  });

  it('does what its page says', async () => {
    expect(await printed('readme')).toEqual(['5 urn:li:tag:PII undefined']);
  });

  it('does what the guide says', async () => {
    await node('built/guide.js');
    const query = `{ searchAcrossEntities(input: {
      types: [DATASET], query: "parcels", orFilters: [{ and: [{ field: "tags", values: ["urn:li:tag:PII"] }] }]
    }) { searchResults { entity { urn } } } }`;
    const { body } = await catalog.post('/api/graphql', { query });
    expect(body.data.searchAcrossEntities.searchResults).toHaveLength(5);
  });
});
