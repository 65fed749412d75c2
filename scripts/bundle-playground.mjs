/**
 * Bundles the GraphQL playground into dist/playground, with everything that it needs: it works without any network.
 * All but the page itself stands in a folder that is named by a digest of what it is made from.
 * Part of `npm run build`. The result is kept in .cache and taken from there while nothing has changed.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compressTexts } from './page-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = `${root}playground/`;
const require = createRequire(import.meta.url);
const target = `${root}dist/playground`;

const inputs = createHash('sha256');
for (const script of [import.meta.url, new URL('page-folder.mjs', import.meta.url)])
  inputs.update(readFileSync(fileURLToPath(script)));
for (const file of readdirSync(source).sort())
  inputs.update(`\n${file}\n`).update(readFileSync(source + file));
for (const name of [
  'graphiql',
  '@graphiql/react',
  'monaco-editor',
  'monaco-graphql',
  'react',
  'graphql',
  'oauth4webapi',
  'esbuild',
]) {
  inputs.update(`\n${name} ${versionOf(name)}`);
}
const digest = inputs.digest('hex').slice(0, 16);
const kept = `${root}.cache/playground-${digest}`;

if (!existsSync(kept)) {
  const fresh = `${kept}-${process.pid}`;
  await build({
    entryPoints: {
      main: `${source}main.js`,
      'editor.worker': require.resolve('monaco-editor/esm/vs/editor/editor.worker.js'),
      'json.worker': require.resolve('monaco-editor/esm/vs/language/json/json.worker.js'),
      'graphql.worker': require.resolve('monaco-graphql/esm/graphql.worker.js'),
    },
    outdir: `${fresh}/${digest}`,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.ttf': 'file', '.woff2': 'file' },
    logLevel: 'warning',
  });
  const page = readFileSync(`${source}index.html`, 'utf8');
  writeFileSync(`${fresh}/index.html`, page.replaceAll('"graphiql/main.', `"graphiql/${digest}/main.`));
  compressTexts(fresh);
  compressTexts(`${fresh}/${digest}`);
  // What earlier inputs led to is of no use any more.
  for (const name of readdirSync(`${root}.cache`)) {
    if (name.startsWith('playground-') && !fresh.endsWith(name))
      rmSync(`${root}.cache/${name}`, { recursive: true, force: true });
  }
  renameSync(fresh, kept);
}
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
cpSync(kept, target, { recursive: true });

function versionOf(name) {
  const file = `${root}node_modules/${name}/package.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : 'unknown';
}
