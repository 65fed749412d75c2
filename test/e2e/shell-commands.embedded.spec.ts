import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../harness/catalog.js';
import { IN_A_FOLDER, printedBlocks, triedElsewhere } from '../harness/page-blocks.js';
import { isRefusal, pathFor } from '../harness/page-commands.js';
import { importSample } from '../harness/sample.js';
import { ROOT } from '../harness/service-process.js';

const run = promisify(execFile);

/** The commands of a page in its order, in blocks marked `bash`. */
const commandsOf = (page: string): string[] =>
  printedBlocks()
    .filter((block) => block.page === page && block.language === 'bash' && !triedElsewhere(block))
    .map(({ text }) => text);

/** Blocks that a reader comes to after an interruption: what makes it, and what holds after the command. */
const INTERRUPTED: ReadonlyArray<[beginning: string, before: string, after: string]> = [
  [
    'npm run catalog -- export catalog.jsonl.zst --zstd --resume',
    'rm catalog.jsonl.zst',
    'test -s catalog.jsonl.zst',
  ],
  [
    'CUT=',
    'mv datasets.jsonl whole.jsonl; head -c 100000 whole.jsonl > datasets.jsonl',
    'cmp all.jsonl whole.jsonl',
  ],
];

const PASSWORD = 'first-kettle-then-tea';

describe.each(IN_A_FOLDER)('the commands of $page', ({ page, sample }) => {
  const commands = commandsOf(page);
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
    if (sample) await importSample(catalog);
  });
  afterAll(async () => {
    await catalog.stop({ keepHome: true });
    await rm(folder, { recursive: true });
  });

  /** What an administrator gives a user, as the page says in front. */
  const resetToken = async (): Promise<string> => {
    const input = '{userUrn: "urn:li:corpuser:ada", role: EDITOR}';
    const query = `mutation { createAccount(input: ${input}) { resetToken } }`;
    return (await catalog.post('/api/graphql', { query })).body.data.createAccount.resetToken;
  };

  it('are there', () => expect(commands).not.toEqual([]));

  it.each(commands.map((text, i) => [`${i + 1}: ${text.split('\n')[0]!.slice(0, 100)}`, text]))(
    '%s',
    async (_title, text) => {
      const id = text.includes('<id>') ? (await catalog.issueToken({ role: 'READER' })).id : '';
      const [, before, after] = INTERRUPTED.find(([beginning]) => text.startsWith(beginning)) ?? ['', '', ''];
      const command = [defined, before, text, after]
        .join('\n')
        .replaceAll('http://localhost:8080', catalog.url)
        .replaceAll('<id>', id)
        .replaceAll('"password": "…"', `"password": "${PASSWORD}"`)
        .replaceAll(
          '"resetToken": "…"',
          `"resetToken": "${text.includes('resetToken') ? await resetToken() : ''}"`,
        );
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
        cwd: folder,
        env: {
          ...process.env,
          PATH: pathFor(command),
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
