import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { freePort } from '../../harness/free-port.js';
import { readPage } from '../../harness/page-commands.js';
import { ROOT } from '../../harness/service-process.js';

const run = promisify(execFile);
const MODULES = join(ROOT, 'node_modules');

/** What a user of the generated types writes. It compiles only while the document says what the service does. */
const PROGRAM = `
import createClient from 'openapi-fetch';
import type { paths } from './catalog.js';

const client = createClient<paths>({
  baseUrl: process.env['CATALOG_URL']!,
  headers: { authorization: 'Bearer ' + process.env['CATALOG_TOKEN'] },
});
const urn = 'urn:li:tag:generated';
const path = { urn };

const written = await client.POST('/openapi/v3/entity/tag/{urn}/tagProperties', {
  params: { path },
  body: { value: { name: 'generated', description: 'Written by a generated client.' } },
});
const tag: string | undefined = written.response.headers.get('etag') ?? undefined;
const read = await client.GET('/openapi/v3/entity/tag/{urn}', { params: { path, query: { systemMetadata: true } } });
const patched = await client.PATCH('/openapi/v3/entity/tag/{urn}/tagProperties', {
  params: { path, header: { 'If-Match': tag! } },
  body: { patch: [{ op: 'add', path: '/description', value: 'Patched.' }] },
});
const stale = await client.PATCH('/openapi/v3/entity/tag/{urn}/tagProperties', {
  params: { path, header: { 'If-Match': tag! } },
  body: { patch: [{ op: 'add', path: '/description', value: 'Too late.' }] },
});
const listed = await client.GET('/openapi/v3/entity/tag', { params: { query: { query: 'name:generated', count: 5 } } });
const deleted = await client.DELETE('/openapi/v3/entity/tag/{urn}', { params: { path } });
const gone = await client.GET('/openapi/v3/entity/tag/{urn}', { params: { path } });

console.log(
  JSON.stringify({
    written: written.data && 'tagProperties' in written.data ? written.data.tagProperties?.value.name : undefined,
    read: read.data?.tagProperties?.value.description,
    version: read.data?.tagProperties?.systemMetadata?.version,
    patched: patched.response.status,
    stale: stale.error?.code,
    listed: listed.data?.entities.map((entity) => entity.urn),
    total: listed.data?.totalCount,
    deleted: deleted.response.status,
    gone: gone.error?.code,
  }),
);
`;

const SETTINGS = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024', 'dom'],
    module: 'nodenext',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
  },
  files: ['program.ts', 'guide.ts'],
};

describe('a TypeScript client generated from the document', () => {
  let catalog: TestCatalog;
  let folder: string;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    folder = await mkdtemp(join(tmpdir(), 'catalog-client-'));
    await symlink(MODULES, join(folder, 'node_modules'));
    const document = await catalog.get('/openapi/v3/api-docs/entities-v3-core', { token: null });
    await writeFile(join(folder, 'catalog.json'), document.text);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'program.ts'), PROGRAM);
    const [, guide] = /```ts\n(.+?)```/s.exec(readPage('guides/embedding.md'))!;
    await writeFile(join(folder, 'guide.ts'), guide!);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(SETTINGS));
    await node(join(MODULES, 'openapi-typescript/bin/cli.js'), 'catalog.json', '-o', 'catalog.d.ts');
    // Once for both programs: nearly all of its time goes into the types of the document.
    await node(join(MODULES, '@typescript/native/bin/tsc'), '-p', '.').catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  });
  afterAll(async () => {
    await catalog.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const node = (...parameters: string[]) =>
    run(process.execPath, parameters, {
      cwd: folder,
      env: { ...process.env, CATALOG_URL: catalog.url, CATALOG_TOKEN: ADMIN_TOKEN },
      maxBuffer: 1e8,
    });

  it('compiles, and makes a round trip', async () => {
    expect(await readFile(join(folder, 'catalog.d.ts'), 'utf8')).toContain('GlossaryTermInfo');
    const { stdout } = await node('program.js');
    expect(JSON.parse(stdout)).toEqual({
      written: 'generated',
      read: 'Written by a generated client.',
      version: '1',
      patched: 200,
      stale: 'PRECONDITION_FAILED',
      listed: ['urn:li:tag:generated'],
      total: 1,
      deleted: 200,
      gone: 'ENTITY_NOT_FOUND',
    });
  });

  it('of docs/guides/embedding.md compiles, starts the service itself and calls it', async () => {
    const bin = join(folder, 'bin');
    await mkdir(bin);
    // In the place of the installed package, which test/e2e/package.stack.spec.ts is about.
    const started = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/cli.js')}" "$@"\n`;
    await writeFile(join(bin, 'catalog'), started, { mode: 0o755 });
    const { stdout } = await run(process.execPath, ['guide.js'], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
        CATALOG_PORT: String(await freePort()),
      },
    });
    expect(stdout).toBe('Embedded\n');
  });
});
