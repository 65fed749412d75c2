// Puts the modules of the build together into a few files: Node spends most of the time of a start on finding and
// linking hundreds of them. What is imported when it is needed only stays in files of its own.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { BUNDLED, noteChunks } from './kept-chunks.mjs';

const PROGRAMS = ['main.js', 'worker.js', 'cli.js'];
const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** The resolvers of GraphQL, which modules import when the first request comes, and all at once. */
const resolvers = (await readdir(join(dist, 'modules'), { recursive: true }))
  .filter((name) => name.endsWith('.resolver.js'))
  .map((name) => join(dist, 'modules', name));
const IMPORTED_RESOLVERS = /import\(['"](\.\/[\w/-]+\.resolver\.js)['"]\)/g;

const modules = {
  name: 'modules',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\.js$/ }, async ({ path, namespace }) => {
      if (namespace !== 'file') return undefined;
      const text = await readFile(path, 'utf8');
      // The files end up in the top folder; what lies beside a module is still found from where the module was.
      const place = JSON.stringify(`./${relative(dist, path).split(sep).join('/')}`);
      const contents = text
        .replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
        // Each with what it needs in a chunk of its own would be a hundred files to find and link.
        .replaceAll(IMPORTED_RESOLVERS, (_, name) => {
          const number = resolvers.indexOf(resolve(dirname(path), name));
          return `import('resolvers').then(({ resolvers${number}: found }) => found)`;
        });
      return contents === text ? undefined : { contents, loader: 'js' };
    });
    onResolve({ filter: /^resolvers$/ }, ({ path }) => ({ path, namespace: 'modules' }));
    onLoad({ filter: /./, namespace: 'modules' }, () => ({
      contents: resolvers
        .map((path, number) => `export * as resolvers${number} from ${JSON.stringify(path)};`)
        .join('\n'),
      resolveDir: dist,
    }));
  },
};

/**
 * Packages that become part of the build: the first GraphQL request loads them while its client waits, and finding and linking their
 * hundreds of files took most of that time.
 */
const BUNDLED_PACKAGES =
  /^(graphql|graphql-jit|graphql-tag|@nestjs\/graphql|@graphql-tools\/\w+|@whatwg-node\/promise-helpers|cross-inspect|es-toolkit|lodash\.\w+|normalize-path|tslib)(\/|$)/;

const packages = {
  name: 'packages',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      // Schema and engine must have one copy of it, and it comes in two forms.
      if (/^graphql(\/|$)/.test(path)) {
        const file = path.replace(/^graphql$/, 'graphql/index.js').replace(/(\.m?js)?$/, '.mjs');
        return { path: fileURLToPath(import.meta.resolve(file)), sideEffects: false };
      }
      if (kind === 'entry-point' || BUNDLED_PACKAGES.test(path)) return undefined;
      // A module of the language has no `require`.
      return kind === 'require-call' ? { path, namespace: 'imported' } : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'imported' }, ({ path }) => ({
      contents: `export { default } from ${JSON.stringify(path)};`,
    }));
    // What it has for subscriptions and for watching files is not used, and loads much.
    onResolve({ filter: /^\./ }, async ({ path, ...from }) => {
      if (from.pluginData === FOUND || !/@nestjs[\\/]graphql[\\/]dist[\\/]index\.js$/.test(from.importer))
        return undefined;
      return { ...(await resolve(path, { ...from, pluginData: FOUND })), sideEffects: false };
    });
  },
};
const FOUND = Symbol('found');

const common = {
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // As modules of the language, of which only what is used is taken.
  mainFields: ['module', 'main'],
  sourcemap: true,
  plugins: [modules, packages],
  logLevel: 'warning',
};

const service = await build({
  ...common,
  metafile: true,
  entryPoints: PROGRAMS.map((name) => join(dist, name)),
  outdir: dist,
  splitting: true,
  chunkNames: '[name]-[hash]',
});
// GraphQL is loaded by its first request: one import of a value, where a type was meant, would put it into each start.
const atStart = new Set([Object.keys(service.metafile.outputs).find((path) => basename(path) === 'main.js')]);
for (const path of atStart) {
  const { imports, inputs } = service.metafile.outputs[path];
  const early = Object.keys(inputs).find((input) => /node_modules\/(@nestjs\/)?graphql/.test(input));
  if (early !== undefined) throw new Error(`a start loads ${early}, by way of ${[...atStart].join(', ')}`);
  // `main.js` imports the service itself when the compile cache is on.
  for (const { path: next, kind, external } of imports)
    if (!external && (kind === 'import-statement' || /^serve-/.test(basename(next)))) atStart.add(next);
}
const written = Object.keys(service.metafile.outputs).map((path) => basename(path));
await noteChunks(
  dist,
  written.filter((name) => name.endsWith('.js') && !PROGRAMS.includes(name)),
);

/** The threads of the search index load nothing but what they need. */
const threads = join(dist, 'adapters/search/sqlite/threads');
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: ['writer-thread.js', 'reader-thread.js'].map((name) => join(threads, name)),
  outdir: threads,
});
await build({
  ...common,
  entryPoints: [join(dist, 'modules/transfer/seal-thread.js')],
  outdir: join(dist, 'modules/transfer'),
});

// Each thread has a heap of its own: a package that it loads costs that memory once more.
const loaded = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports.map(({ path }) => path))
  .filter((path) => !path.startsWith('node:'));
if (loaded.length > 0) throw new Error(`the threads of the search index load ${loaded.join(', ')}`);

// What a package does not need twice: see trim-build.mjs.
const made = [service.metafile, metafile];
const outputs = new Set(made.flatMap(({ outputs }) => Object.keys(outputs)));
const twice = made
  .flatMap(({ inputs }) => Object.keys(inputs))
  .filter((path) => !outputs.has(path) && resolve(path).startsWith(dist + sep))
  .map((path) => relative(dist, resolve(path)));
await writeFile(join(dist, BUNDLED), JSON.stringify([...new Set(twice)].sort()));

// The build is complete: see build-if-changed.mjs.
await writeFile(join(dist, '.built'), '');
