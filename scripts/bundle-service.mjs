// Puts the modules of the build together into a few files: Node spends most of the time of a start on finding and
// linking hundreds of them. What is imported when it is needed only stays in files of its own.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noteChunks } from './kept-chunks.mjs';

const PROGRAMS = ['main.js', 'worker.js', 'cli.js'];
const dist = fileURLToPath(new URL('../dist', import.meta.url));

/** The files end up in the top folder; what lies beside a module is still found from where the module was. */
const placesOfModules = {
  name: 'places-of-modules',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const place = `./${relative(dist, path).split(sep).join('/')}`;
      const contents = text.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(place)}, import.meta.url).href`,
      );
      return { contents, loader: 'js' };
    });
  },
};

const common = {
  allowOverwrite: true,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  sourcemap: true,
  plugins: [placesOfModules],
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
// Each thread has a heap of its own: a package that it loads costs that memory once more.
const packages = Object.values(metafile.outputs)
  .flatMap(({ imports }) => imports.map(({ path }) => path))
  .filter((path) => !path.startsWith('node:'));
if (packages.length > 0) throw new Error(`the threads of the search index load ${packages.join(', ')}`);

// The build is complete: see build-if-changed.mjs.
await writeFile(join(dist, '.built'), '');
