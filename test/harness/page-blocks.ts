import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './service-process.js';

/** Folders whose pages print commands and programs. Decisions (`docs/adr`) print none that a reader is to run. */
const FOLDERS = ['.', 'client', 'docker', 'docs', 'docs/guides', 'examples'];

/** Languages that a reader runs. */
const RUNNABLE = ['sh', 'bash', 'shell', 'console', 'python', 'ts'];

/** What a reader runs, as it is printed. */
export interface PrintedBlock {
  page: string;
  language: string;
  text: string;
}

/** Parts of changes to the source, which run nowhere by themselves. */
const isSketch = (page: string, language: string): boolean => page === 'CONTRIBUTING.md' && language === 'ts';

/** All blocks of all pages that a reader runs; those in lists are indented. */
export function printedBlocks(): PrintedBlock[] {
  const pages = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => (folder === '.' ? name : `${folder}/${name}`)),
  );
  return pages.flatMap((page) =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/^ *```([a-z]+)[^\n]*\n(.*?)^ *```/gms)].flatMap(
      ([, language = '', text = '']) =>
        RUNNABLE.includes(language) && !isSketch(page, language)
          ? [{ page, language, text: text.replace(/^ +/, '') }]
          : [],
    ),
  );
}

/** Pages of `docs/` beside the guides whose blocks of `sh` are run in their order on a catalog with the sample. */
export const ON_THE_SAMPLE = ['events.md'];

/**
 * Pages whose blocks of `bash` are run in their order, in the folder of a reader.
 * `sample` when the page takes the sample for granted.
 */
export const IN_A_FOLDER: ReadonlyArray<{ page: string; sample?: true }> = [
  { page: 'README.md' },
  { page: 'docs/graphql.md' },
  { page: 'docs/openlineage.md' },
  { page: 'docs/operate.md' },
  { page: 'docs/tutorial.md' },
  { page: 'docs/guides/export-and-import.md', sample: true },
  { page: 'docs/guides/sign-in.md' },
  { page: 'docs/guides/spreadsheets.md', sample: true },
  { page: 'docs/guides/tokens.md' },
  { page: 'examples/README.md' },
];

/** Specs that run all blocks of a language of a page. */
const OF_ONE_PAGE: ReadonlyArray<[page: string, language: string, spec: string]> = [
  ['docs/tutorial.md', 'sh', 'test/e2e/tutorial.spec.ts'],
  ['docs/openapi.md', 'sh', 'test/e2e/openapi/documentation.spec.ts'],
  ['docs/operate.md', 'sh', 'test/e2e/guides.embedded.spec.ts'],
  ['docs/tutorial.md', 'python', 'test/e2e/client/tutorial.stack.spec.ts'],
  ['docs/guides/client.md', 'ts', 'test/e2e/client-package.embedded.spec.ts'],
  ['client/README.md', 'ts', 'test/e2e/client-package.embedded.spec.ts'],
  ['docs/guides/embedding.md', 'ts', 'test/e2e/openapi/generated-client.embedded.spec.ts'],
];

/**
 * Blocks that none of these runs as they are printed: why not, and the file that tries what they do. A new block is run, or stands
 * here.
 */
const ELSEWHERE: ReadonlyArray<[page: string, beginning: string, why: string, tried: string]> = [
  ...['README.md', 'docs/tutorial.md'].map((page): [string, string, string, string] => [
    page,
    'npm ci && npm start',
    'installs and serves',
    '.ci/run',
  ]),
  ['CONTRIBUTING.md', 'npm ', 'installs, and runs the tests themselves', '.ci/run'],
  ['CONTRIBUTING.md', 'docker compose ', 'needs Docker', 'test/docker.spec.ts'],
  [
    'README.md',
    'pip install ',
    'installs, and crawls a database of the reader',
    'test/e2e/client/crawl.stack.spec.ts',
  ],
  [
    'README.md',
    'export CATALOG_DATABASE_URL=',
    'serves on servers of the reader',
    'test/e2e/several-processes.stack.spec.ts',
  ],
  ['docker/README.md', 'docker ', 'needs Docker', 'test/docker.spec.ts'],
  ['docker/README.md', 'cd docker', 'needs Docker', 'test/docker.spec.ts'],
  ['docker/README.md', 'helm install ', 'needs a cluster', 'test/chart.stack.spec.ts'],
  [
    'docs/compatibility.md',
    'CATALOG_COMPATIBILITY=reference npm start',
    'serves',
    'test/e2e/compatibility/rules.spec.ts',
  ],
  ['docs/mcp.md', 'pip install ', 'installs', 'test/e2e/client/mcp-server.stack.spec.ts'],
  [
    'docs/openapi.md',
    'export CATALOG_URL=',
    'names the service of the reader',
    'test/e2e/openapi/documentation.spec.ts',
  ],
  [
    'docs/guides/search.md',
    'graphql()',
    'is put in front of each command of the guides',
    'test/e2e/how-to.embedded.spec.ts',
  ],
  [
    'docs/operate.md',
    'node dist/cli.js backup - --zstd | ssh ',
    'needs another machine',
    'test/e2e/transfer/backup-restore.embedded.spec.ts',
  ],
  ...['mysqldump ', 'mysql ', 'mariadb-backup '].map((beginning): [string, string, string, string] => [
    'docs/operate.md',
    beginning,
    'needs servers',
    'test/e2e/transfer/server-backup.stack.spec.ts',
  ]),
  [
    'docs/operate.md',
    'export OTEL_EXPORTER_OTLP_ENDPOINT=',
    'serves, and needs a collector',
    'test/e2e/tracing.spec.ts',
  ],
  ['docs/tutorial.md', 'pip install ', 'installs', '.ci/run'],
  [
    'docs/tutorial.md',
    'datahub get ',
    'needs what is installed before',
    'test/e2e/client/tutorial.stack.spec.ts',
  ],
  ['docs/guides/client.md', 'npm ci', 'installs', 'test/e2e/client-package.embedded.spec.ts'],
  ['docs/guides/client.md', 'npm install ', 'installs', 'test/e2e/client-package.embedded.spec.ts'],
  ['docs/guides/embedding.md', 'npm install ', 'installs', 'test/e2e/package.stack.spec.ts'],
  ...['docs/guides/client.md', 'docs/guides/embedding.md', 'client/README.md'].map(
    (page): [string, string, string, string] => [
      page,
      'npx openapi-typescript ',
      'downloads the program',
      'test/e2e/openapi/generated-client.embedded.spec.ts',
    ],
  ),
  [
    'client/README.md',
    'import type { paths }',
    'needs the file made before it',
    'test/e2e/openapi/generated-client.embedded.spec.ts',
  ],
  [
    'docs/guides/identity-provider.md',
    'export CATALOG_OIDC_ISSUER=',
    'names a provider of the reader',
    'test/e2e/identity-provider.spec.ts',
  ],
  [
    'docs/guides/identity-provider.md',
    'export CATALOG_OIDC_CLIENT_ID=',
    'names a client of the reader',
    'test/e2e/sign-in.stack.spec.ts',
  ],
  ['docs/guides/web-client.md', 'docker create ', 'needs Docker', 'test/e2e/sign-in/web-client.spec.ts'],
];

/** The entry of {@link ELSEWHERE} that a block has. */
export function triedElsewhere({ page, text }: PrintedBlock): (typeof ELSEWHERE)[number] | undefined {
  return ELSEWHERE.find(([name, beginning]) => name === page && text.startsWith(beginning));
}

/** The specs that run a block as it is printed. */
export function runnersOf(block: PrintedBlock): string[] {
  if (triedElsewhere(block)) return [];
  const { page, language } = block;
  const runners = OF_ONE_PAGE.filter(([name, of]) => name === page && of === language).map(
    ([, , spec]) => spec,
  );
  const onTheSample = page.startsWith('docs/guides/') || ON_THE_SAMPLE.includes(page.replace('docs/', ''));
  if (language === 'sh' && onTheSample) runners.push('test/e2e/how-to.embedded.spec.ts');
  if (language === 'bash' && IN_A_FOLDER.some(({ page: name }) => name === page))
    runners.push('test/e2e/shell-commands.embedded.spec.ts');
  return runners;
}

/** What is wrong with the lists above: entries of blocks and files that are no longer there. */
export function staleEntries(blocks: readonly PrintedBlock[]): string[] {
  const used = new Set(blocks.map(triedElsewhere));
  return [
    ...ELSEWHERE.filter((entry) => !used.has(entry)).map(([page, beginning]) => `${page}: ${beginning}`),
    ...ELSEWHERE.map(([, , , tried]) => tried).filter((path) => !existsSync(join(ROOT, path))),
    // A spec that runs a page names it.
    ...OF_ONE_PAGE.filter(([page, , spec]) => {
      const text = existsSync(join(ROOT, spec)) ? readFileSync(join(ROOT, spec), 'utf8') : '';
      return !text.includes(page.replace('docs/', ''));
    }).map(([page, , spec]) => `${spec} does not name ${page}`),
  ];
}
