import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { command } from '../../harness/command.js';
import { readPage } from '../../harness/page-commands.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-e2e-'));
});
afterAll(() => removeHome(folder));

/** The block of docs/operate.md that begins so. */
function printedCommand(beginning: string): string {
  const blocks = [...readPage('operate.md').matchAll(/```bash\n(.+?)```/gs)].map(([, text = '']) => text);
  const found = blocks.find((text) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`docs/operate.md has no block that begins with ${beginning}`);
  // See test/README.md.
  return found.replaceAll(/^mysqldump\b/gm, process.env['MYSQLDUMP'] || 'mysqldump');
}

it('a dump of a catalog that serves is of one moment, and comes back as it was', async () => {
  const home = join(folder, 'home');
  let catalog = await TestCatalog.start({}, home);
  await importSample(catalog);
  const url = catalog.configuration.databaseUrl!;
  const shell = (text: string) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
      cwd: folder,
      env: {
        ...process.env,
        ...{
          DB_HOST: url.hostname,
          DB_PORT: url.port,
          DB_USER: url.username,
          DB_NAME: url.pathname.slice(1),
        },
        MYSQL_PWD: url.password,
      },
    });
  const exported = async () => (await command(home, ['export', '-', '--no-cursor', '--secrets'])).out;

  const before = await exported();
  await shell(printedCommand('mysqldump '));
  expect((await readFile(join(folder, 'catalog.sql'), 'utf8')).trimEnd()).toMatch(/Dump completed[^\n]*$/);
  await catalog.ingest(['urn:li:tag:qxafterdump', 'tagProperties', { name: 'qxafterdump' }]);
  await until(async () => (await catalog.search('tag', 'qxafterdump')).entities.length > 0);
  await catalog.stop({ keepHome: true });

  await shell(printedCommand('mysql '));
  expect(await exported()).toBe(before);
  catalog = await TestCatalog.start({}, home);
  try {
    await until(async () => {
      const body = { entity: 'tag', input: 'qxafterdump', start: 0, count: 10 };
      const { status, body: answer } = await catalog.post('/entities?action=search', body);
      return status === 200 && answer.value.entities.length === 0;
    });
    await until(async () => (await catalog.search('dataset', 'late parcels')).entities.length > 0);
  } finally {
    await catalog.stop({ keepHome: true });
  }
});
