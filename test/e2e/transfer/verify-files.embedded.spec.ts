import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../../../src/cli/run.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';

const NAMES = ['CATALOG_URL', 'CATALOG_TOKEN', 'CATALOG_HOME'] as const;
const before = { ...process.env };
let catalog: TestCatalog;

beforeEach(async () => {
  catalog = await TestCatalog.start();
  for (let i = 0; i < 200; i++)
    await catalog.ingest([`urn:li:tag:t${i}`, 'tagProperties', { name: `t${i}` }]);
  process.env['CATALOG_URL'] = catalog.url;
  process.env['CATALOG_TOKEN'] = ADMIN_TOKEN;
});
afterEach(async () => {
  for (const name of NAMES) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
  await catalog.stop();
});

const verify = async (home: string) => {
  process.env['CATALOG_HOME'] = home;
  const out: string[] = [];
  const terminal = { out: (line: string) => void out.push(line), err: () => undefined, interactive: false };
  return { code: await run(['verify', '--all'], terminal), out };
};

it('verify --all reads the database file through beside the service', async () => {
  const { code, out } = await verify(catalog.home);
  expect(out).toContain(`files: sound, ${join(catalog.home, 'catalog.db')} is whole`);
  expect(code).toBe(0);
});

it('verify --all finds a damaged database file', async () => {
  // Of a copy, as the service notices damage of its own file by itself.
  process.env['CATALOG_HOME'] = catalog.home;
  const made: string[] = [];
  const terminal = { out: (line: string) => void made.push(line), err: () => undefined, interactive: false };
  expect(await run(['backup', join(catalog.home, 'backups')], terminal)).toBe(0);
  const [home] = made as [string];
  expect((await verify(home)).code).toBe(0);
  const handle = await open(join(home, 'catalog.db'), 'r+');
  const { size } = await handle.stat();
  for (let at = 8192; at < size; at += 4096 * 3) await handle.write(Buffer.alloc(600, 0x5a), 0, 600, at + 8);
  await handle.close();
  const { code, out } = await verify(home);
  expect(out.find((line) => line.startsWith('files'))).toMatch(/^files: NOT SOUND/);
  expect(out.at(-2)).toMatch(/damaged|malformed/);
  expect(out.at(-1)).toBe('the catalog is not sound: files');
  expect(code).toBe(1);
});
