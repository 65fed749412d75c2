import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { called, command } from '../../harness/command.js';
import { MariaDbServer } from '../../harness/mariadb-server.js';
import { MySqlServer } from '../../harness/mysql-server.js';
import { readPage } from '../../harness/page-commands.js';
import { importSample } from '../../harness/sample.js';
import { freshDatabase } from '../../harness/stack.js';
import { until } from '../../harness/until.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-e2e-'));
});
afterAll(() => removeHome(folder));

/** Runs commands of the page in the folder of the test, on a database. @param programs folder of what is looked for there first */
const shellFor = (database: string, programs?: string) => (text: string) => {
  const url = new URL(database);
  const names = { DB_HOST: url.hostname, DB_PORT: url.port, DB_USER: url.username };
  const path = [programs, process.env['PATH']].filter(Boolean).join(delimiter);
  return promisify(execFile)('bash', ['-euo', 'pipefail', '-c', text], {
    cwd: folder,
    env: {
      ...{ ...process.env, ...names, DB_NAME: url.pathname.slice(1), MYSQL_PWD: url.password, PATH: path },
      ...{ DB_DATA: join(folder, 'restored', 'data'), DB_COPY: join(folder, 'cloned', 'mysql') },
    },
  });
};

/** The block of docs/operate.md that begins so. */
function printedCommand(beginning: string): string {
  const blocks = [...readPage('operate.md').matchAll(/```(?:bash|sql)\n(.+?)```/gs)].map(
    ([, text = '']) => text,
  );
  const found = blocks.find((text) => text.startsWith(beginning));
  if (found === undefined) throw new Error(`docs/operate.md has no block that begins with ${beginning}`);
  return found;
}

/** See test/README.md. */
const [SERVER, MYSQL, PROGRAMS, START] = [
  'STACK_DATABASE_URL',
  'MYSQL_URL',
  'MYSQL_PROGRAMS',
  'MYSQL_START',
].map((name) => process.env[name] ?? '') as [string, string, string, string];

/** Queue and index are in the data folder. */
const BESIDE = { CATALOG_REDIS_URL: '', CATALOG_SEARCH_URL: '' };

it.each([
  ['MariaDB', SERVER, undefined, {}],
  ['MySQL', MYSQL, PROGRAMS, BESIDE],
])(
  'a dump of a catalog on %s that serves is of one moment, and comes back as it was',
  async (name, url, programs, beside) => {
    const home = join(folder, name);
    const database = await freshDatabase(url);
    const environment = { CATALOG_DATABASE_URL: database.url, ...beside };
    let catalog = await TestCatalog.start(environment, home);
    try {
      await importSample(catalog);
      const shell = shellFor(database.url, programs);
      const exported = async () =>
        (await command(home, ['export', '-', '--no-cursor', '--secrets'], { environment })).out;

      const before = await exported();
      await shell(printedCommand('mysqldump '));
      expect((await readFile(join(folder, 'catalog.sql'), 'utf8')).trimEnd()).toMatch(
        /Dump completed[^\n]*$/,
      );
      await catalog.ingest(['urn:li:tag:qxafterdump', 'tagProperties', { name: 'qxafterdump' }]);
      await until(async () => (await catalog.search('tag', 'qxafterdump')).entities.length > 0);
      await catalog.stop({ keepHome: true });

      await shell(printedCommand('mysql '));
      expect(await exported()).toBe(before);
      catalog = await TestCatalog.start(environment, home);
      await until(async () => {
        const body = { entity: 'tag', input: 'qxafterdump', start: 0, count: 10 };
        const { status, body: answer } = await catalog.post('/entities?action=search', body);
        return status === 200 && answer.value.entities.length === 0;
      });
      await until(async () => (await catalog.search('dataset', 'late parcels')).entities.length > 0);
    } finally {
      await catalog.stop({ keepHome: true });
      await database.drop();
    }
  },
);

/** How the page has a server copied, and the copy put back. */
interface PhysicalCopy {
  server: { url: string; stop(): Promise<void> };
  copy(): Promise<unknown>;
  /** On another server; the one that was copied has ended. */
  restored(): Promise<PhysicalCopy['server']>;
}

async function onMariaDb(): Promise<PhysicalCopy> {
  const server = await MariaDbServer.create(join(folder, 'server'));
  const shell = shellFor(server.url);
  const [copy, prepare] = printedCommand('mariadb-backup --backup').trim().split('\n');
  return {
    server,
    copy: () => shell(copy!),
    restored: async () => {
      await shell(`${prepare}\nmkdir -p "$DB_DATA"`);
      await shell(printedCommand('mariadb-backup --copy-back'));
      return MariaDbServer.start(join(folder, 'restored'));
    },
  };
}

async function onMySql(): Promise<PhysicalCopy> {
  // The account of the server makes the copy.
  await chmod(folder, 0o711);
  const [original, cloned] = [join(folder, 'mysql'), join(folder, 'cloned')];
  await mkdir(cloned);
  await chmod(cloned, 0o777);
  const server = await MySqlServer.start(START, original);
  const shell = shellFor(server.url, PROGRAMS);
  return {
    server,
    copy: async () => {
      await shell(
        `mysql --host="$DB_HOST" --port="$DB_PORT" --user="$DB_USER" <<< "${printedCommand('INSTALL PLUGIN')}"`,
      );
      await shell(
        printedCommand('mysql --host="$DB_HOST" --port="$DB_PORT" --user="$DB_USER" --execute="CLONE'),
      );
    },
    restored: () => MySqlServer.start(START, cloned),
  };
}

it.each([
  ['MariaDB', onMariaDb],
  ['MySQL', onMySql],
])('a physical copy of %s that serves comes back on another server', async (name, begin) => {
  const home = join(folder, `copied-${name}`);
  const physical = await begin();
  let { server } = physical;
  const settings = () => ({ CATALOG_DATABASE_URL: server.url, ...BESIDE });
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
    const tag = (text: string): [string, string, unknown] => [
      `urn:li:tag:${text}`,
      'tagProperties',
      { name: text },
    ];
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i += 1) await catalog.ingest(tag(`qxduring-${i}`));
    })();
    await physical.copy().finally(() => (writing = false));
    await writes;
    await catalog.ingest(tag('qxaftercopy'));
    await until(async () => (await catalog.search('tag', 'qxaftercopy')).entities.length > 0);
    await catalog.stop({ keepHome: true });
    await server.stop();

    server = await physical.restored();
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
