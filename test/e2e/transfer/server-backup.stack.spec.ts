import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { called, command } from '../../harness/command.js';
import { MariaDbServer } from '../../harness/mariadb-server.js';
import { readPage } from '../../harness/page-commands.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-e2e-'));
});
afterAll(() => removeHome(folder));

/** Runs commands of the page in the folder of the test, on a database. */
const shellFor = (database: string) => (text: string) => {
  const url = new URL(database);
  const names = { DB_HOST: url.hostname, DB_PORT: url.port, DB_USER: url.username };
  return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: folder,
    env: {
      ...{ ...process.env, ...names, DB_NAME: url.pathname.slice(1), MYSQL_PWD: url.password },
      DB_DATA: join(folder, 'restored', 'data'),
    },
  });
};

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
  const shell = shellFor(catalog.configuration.databaseUrl!.href);
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

it('a physical copy of a server that serves comes back on another', async () => {
  const home = join(folder, 'copied');
  let server = await MariaDbServer.create(join(folder, 'server'));
  /** Queue and index are in the data folder. */
  const settings = () => ({
    ...{ CATALOG_DATABASE_URL: server.url, CATALOG_REDIS_URL: '', CATALOG_SEARCH_URL: '' },
  });
  try {
    let catalog = await TestCatalog.start(settings(), home);
    await importSample(catalog);
    const urnsOf = async (): Promise<string[]> => {
      const file = join(folder, 'copied.jsonl');
      const words = ['export', file, '--replace', '--secrets'];
      expect(await called(home, words, { environment: settings() })).toMatchObject({ code: 0 });
      return [...(await readFile(file, 'utf8')).matchAll(/"kind":"entity",.*?"entityUrn":"([^"]+)"/g)].map(
        ([, urn = '']) => urn,
      );
    };
    const before = await urnsOf();
    const tag = (name: string): [string, string, unknown] => [
      `urn:li:tag:${name}`,
      'tagProperties',
      { name },
    ];
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i += 1) await catalog.ingest(tag(`qxduring-${i}`));
    })();
    const [copy, prepare] = printedCommand('mariadb-backup --backup').trim().split('\n');
    await shellFor(server.url)(copy!).finally(() => (writing = false));
    await writes;
    await catalog.ingest(tag('qxaftercopy'));
    await until(async () => (await catalog.search('tag', 'qxaftercopy')).entities.length > 0);
    await catalog.stop({ keepHome: true });
    await server.stop();

    await shellFor(server.url)(`${prepare}\nmkdir -p "$DB_DATA"`);
    await shellFor(server.url)(printedCommand('mariadb-backup --copy-back'));
    server = await MariaDbServer.start(join(folder, 'restored'));
    const after = await urnsOf();
    expect(after).toEqual(expect.arrayContaining(before));
    expect(after).not.toContain('urn:li:tag:qxaftercopy');
    // What was acknowledged while it was copied is there without gaps.
    const during = after.filter((urn) => urn.includes('qxduring-')).map((urn) => Number(urn.split('-')[1]));
    expect(during.sort((a, b) => a - b)).toEqual(during.map((_, i) => i));
    catalog = await TestCatalog.start(settings(), home);
    await until(async () => (await catalog.search('dataset', 'late parcels')).entities.length > 0);
    await until(async () => (await catalog.search('tag', 'qxaftercopy')).entities.length === 0);
    await catalog.stop({ keepHome: true });
  } finally {
    await server.stop();
  }
});
