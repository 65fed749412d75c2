import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { command } from '../../harness/command.js';

let catalog: TestCatalog;

beforeEach(async () => {
  catalog = await TestCatalog.start();
  for (let i = 0; i < 200; i++)
    await catalog.ingest([`urn:li:tag:t${i}`, 'tagProperties', { name: `t${i}` }]);
});
afterEach(() => catalog.stop());

/** In a process of its own, as {@link command} is: these commands take the lowest priority, and work without a break. */
const verify = async (home: string) => {
  const environment = { CATALOG_URL: catalog.url, CATALOG_TOKEN: ADMIN_TOKEN };
  const { code, out } = await command(home, ['verify', '--all'], { environment });
  return { code, out: out.trimEnd().split('\n') };
};

it('verify --all reads the database file through beside the service', async () => {
  const { code, out } = await verify(catalog.home);
  expect(out).toContain(`files: sound, ${join(catalog.home, 'catalog.db')} is whole`);
  expect(code).toBe(0);
});

it('verify --all finds a damaged database file', async () => {
  // Of a copy, as the service notices damage of its own file by itself.
  const made = await command(catalog.home, ['backup', join(catalog.home, 'backups')]);
  expect(made).toMatchObject({ code: 0 });
  const home = made.out.trim();
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
