import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../harness/catalog.js';
import { readPage } from '../harness/page-commands.js';
import { ROOT } from '../harness/service-process.js';

const run = promisify(execFile);

/** What a test cannot run as it stands: installs, starts, other hosts, secrets of the reader. Other tests have most of it. */
const ELSEWHERE =
  /^(?:npm (?:ci|install|start)|npm run (?:build|system-update|test|lint|typecheck|generate)|npx |pip |docker |\(cd |export CATALOG_(?!TOKEN)|curl .*resetNativeUserCredentials|curl .*\/logIn|.* --resume$|lines=)/m;

/** Commands of pages that their reader types into a shell, with the values that the page cannot know. */
const PAGES: ReadonlyArray<[page: string, least: number]> = [
  ['../README.md', 8],
  ['graphql.md', 2],
  ['openlineage.md', 1],
  ['guides/export-and-import.md', 3],
  ['guides/tokens.md', 2],
];

/** The commands of a page in its order, in blocks marked `bash`. */
function commandsOf(page: string): string[] {
  const all = [...readPage(page).matchAll(/```bash\n(.+?)```/gs)].map(([, text = '']) => text);
  return all.filter((text) => !ELSEWHERE.test(text));
}

/** Whether a line is the body of an error, or what GraphQL refuses with the status 200. */
function isRefusal(line: string): boolean {
  try {
    const answer = JSON.parse(line) as unknown;
    return (
      typeof answer === 'object' && answer !== null && ('errors' in answer || 'exceptionClass' in answer)
    );
  } catch {
    return false;
  }
}

describe.each(PAGES)('the commands of docs/%s', (name, least) => {
  const commands = commandsOf(name);
  // What is defined in one block and used in those after it.
  const defined = commands.filter((text) => /^(?:export \w+=|\w+\(\))/m.test(text)).join('\n');
  let catalog: TestCatalog;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-reader-'));
    // The folder of the reader, as it is after a start.
    catalog = await TestCatalog.start({ CATALOG_LOG_LEVEL: 'silent' }, join(folder, '.catalog'));
    await writeFile(join(folder, '.catalog', 'admin-token'), `${ADMIN_TOKEN}\n`);
    for (const entry of ['package.json', 'dist', 'node_modules', 'examples'])
      await symlink(join(ROOT, entry), join(folder, entry));
  });
  afterAll(async () => {
    await catalog.stop({ keepHome: true });
    await rm(folder, { recursive: true });
  });

  it('are there', () => expect(commands.length).toBeGreaterThanOrEqual(least));

  it.each(commands.map((text, i) => [`${i + 1}: ${text.split('\n')[0]!.slice(0, 100)}`, text]))(
    '%s',
    async (_title, text) => {
      const id = text.includes('<id>') ? (await catalog.issueToken({ role: 'READER' })).id : '';
      const command = `${defined}\n${text}`
        .replaceAll('http://localhost:8080', catalog.url)
        .replaceAll('<id>', id)
        .replaceAll('<folder>', 'copy');
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
        cwd: folder,
        env: {
          ...process.env,
          CATALOG_HOME: join(folder, '.catalog'),
          CATALOG_TOKEN: ADMIN_TOKEN,
          CATALOG_URL: catalog.url,
          npm_config_loglevel: 'silent',
          no_proxy: '*',
        },
      });
      // Answers of the APIs say what is wrong, with an exit of 0 of curl.
      expect(stdout.split('\n').filter(isRefusal)).toEqual([]);
    },
  );
});
