/**
 * Bundles the web application into dist/web, with everything that it needs: it works without any network.
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
import { fileURLToPath } from 'node:url';
import { compressTexts } from './page-folder.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = `${root}web/`;
const target = `${root}dist/web`;

const { version, devDependencies } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const inputs = createHash('sha256').update(version);
const others = ['scripts/bundle-web.mjs', 'scripts/page-folder.mjs', 'playground/sign-in.js'];
for (const name of others) inputs.update(readFileSync(`${root}${name}`));
for (const entry of readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`)
  .sort())
  inputs.update(`\n${entry.slice(root.length)}\n`).update(readFileSync(entry));
for (const name of Object.keys(devDependencies).sort()) inputs.update(`\n${name} ${devDependencies[name]}`);
const digest = inputs.digest('hex').slice(0, 16);
const kept = `${root}.cache/web-${digest}`;

if (!existsSync(kept)) {
  const { build } = await import('vite');
  const fresh = `${kept}-${process.pid}`;
  await build({
    configFile: false,
    root: source,
    base: './',
    logLevel: 'warn',
    define: { VERSION: JSON.stringify(version) },
    oxc: { jsx: { runtime: 'automatic' } },
    worker: {
      format: 'es',
      rolldownOptions: { output: { entryFileNames: `${digest}/[name].js` } },
    },
    build: {
      outDir: fresh,
      emptyOutDir: true,
      assetsDir: digest,
      assetsInlineLimit: 0,
      // Chunks are asked for with the page that needs them.
      modulePreload: false,
      target: 'es2022',
      reportCompressedSize: false,
      // A test holds what counts, the compressed size.
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        // Hints about slow plugins, which a busy machine provokes.
        checks: { pluginTimings: false },
        // Libraries mark what runs in browsers; here all does.
        onLog: (level, log, handler) => log.code === 'MODULE_LEVEL_DIRECTIVE' || handler(level, log),
        output: {
          entryFileNames: `${digest}/main.js`,
          chunkFileNames: `${digest}/[name].js`,
          assetFileNames: `${digest}/[name][extname]`,
        },
      },
    },
  });
  // The page is served at `/web`, without a slash behind it.
  const page = readFileSync(`${fresh}/index.html`, 'utf8');
  writeFileSync(`${fresh}/index.html`, page.replaceAll(`"./${digest}/`, `"web/${digest}/`));
  compressTexts(fresh);
  compressTexts(`${fresh}/${digest}`);
  // What earlier inputs led to is of no use any more.
  for (const name of readdirSync(`${root}.cache`)) {
    if (name.startsWith('web-') && !fresh.endsWith(name))
      rmSync(`${root}.cache/${name}`, { recursive: true, force: true });
  }
  renameSync(fresh, kept);
}
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
cpSync(kept, target, { recursive: true });
