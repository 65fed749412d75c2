import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { run } from '../src/cli/run.js';
import { CLIENT_VARIABLES } from '../src/config/configuration.js';
import { VARIABLES } from '../src/config/variables.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...['docs', 'docs/adr', 'docker', 'examples', 'bench', 'src/catalog/model', 'test'].flatMap((folder) =>
    readdirSync(root + folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** Everything of a shape on a page, each once. */
function named(page: string, shape: RegExp): string[] {
  const text = readFileSync(root + page, 'utf8');
  return [...new Set([...text.matchAll(shape)].map(([whole, part = whole]) => part))];
}

describe.each(pages)('%s', (page) => {
  it('names variables that are read', () => {
    const known: string[] = Object.values(VARIABLES).map(({ name }) => name);
    // Of the command line.
    known.push(...CLIENT_VARIABLES);
    const variables = named(page, /(?<![A-Z_$])(?:CATALOG|ELASTICSEARCH|ENABLE)_[A-Z_]+/g);
    expect(variables.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('names files and folders that exist', () => {
    const paths = named(
      page,
      /(?:`|\s)((?:src|docs|docker|examples|bench|scripts|test|playground)\/[\w./-]*\w)/g,
    );
    expect(paths.filter((path) => !existsSync(root + path))).toEqual([]);
  });

  it('prints scripts and commands that there are', async () => {
    const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: object };
    expect(named(page, /\bnpm run ([\w:-]+)/g).filter((name) => !(name in scripts))).toEqual([]);
    for (const command of named(page, /\b(?:npm run catalog --|dist\/cli\.js) ([\w-]+)/g)) {
      const said: string[] = [];
      const terminal = {
        out: (line: string) => void said.push(line),
        err: () => undefined,
        interactive: false,
      };
      expect([command, await run([command, '--help'], terminal)]).toEqual([command, 0]);
      expect(said.join('\n')).toContain(command);
    }
  });
});

it('docs/configuration.md names every variable that is read', () => {
  const text = readFileSync(`${root}docs/configuration.md`, 'utf8');
  for (const { name } of Object.values(VARIABLES)) expect(text).toContain(`\`${name}\``);
});

it('docs/architecture.md lists the modules that are made of others, as the lint allows it', () => {
  const { forbidden } = createRequire(import.meta.url)('../.dependency-cruiser.cjs') as {
    forbidden: ReadonlyArray<{ name: string; comment?: string }>;
  };
  const allowed = forbidden.flatMap(({ name, comment = '' }) => {
    const [, module] = /^(.+)-is-made-of$/.exec(name) ?? [];
    return module === undefined ? [] : [[module, / of ([^.]+)\.$/.exec(comment)?.[1]]];
  });
  const table = readFileSync(`${root}docs/architecture.md`, 'utf8')
    .split('| is made of')[1]!
    .split('\n\n')[0]!;
  const told = [...table.matchAll(/^\| `([\w-]+)` +\| (\S.*?) +\|/gm)].map(([, module, parts]) => [
    module,
    parts!.replaceAll('`', ''),
  ]);
  expect(told).toEqual(allowed);
});

it('docs/architecture.md has every extension point', () => {
  const sources = readdirSync(`${root}src`, { recursive: true, encoding: 'utf8' });
  const declared = sources
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [
      ...readFileSync(`${root}src/${name}`, 'utf8').matchAll(
        /\/\*\*\s(?:\s+\* )?Extension point: (?:[^*]|\*(?!\/))*\*\/\nexport (?:abstract )?class (\w+)/g,
      ),
    ])
    .map(([, name]) => name);
  const table = readFileSync(`${root}docs/architecture.md`, 'utf8')
    .split('| Extension point')[1]!
    .split('\n\n')[0]!;
  const told = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
  expect(told.sort()).toEqual(declared.sort());
});
