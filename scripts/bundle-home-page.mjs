/**
 * Bundles the page at `/` into dist/home, with compressed copies. All but the page itself lies in a folder that is named by
 * a digest of its files. A second copy of the page has no link to the web application. Part of `npm run build`.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compressTexts } from './page-folder.mjs';

const source = fileURLToPath(new URL('../home-page', import.meta.url));
const target = fileURLToPath(new URL('../dist/home', import.meta.url));
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const { outputFiles: files } = await build({
  entryPoints: [`${source}/home.css`, `${source}/home.js`],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  outdir: source,
  write: false,
});
const digest = createHash('sha256');
for (const { path, contents } of files) digest.update(`${basename(path)}\n`).update(contents);
const name = digest.digest('hex').slice(0, 16);
rmSync(target, { recursive: true, force: true });
mkdirSync(`${target}/${name}`, { recursive: true });
for (const { path, contents } of files) writeFileSync(`${target}/${name}/${basename(path)}`, contents);
const page = readFileSync(`${source}/index.html`, 'utf8');
const made = page.replaceAll('DIGEST', name).replace('VERSION', version);
writeFileSync(`${target}/index.html`, made);
// Served where the web application is not.
const link = / *<li>\s*<a href="web">.*?<\/li>\n/s;
if (!link.test(made)) throw new Error('home-page/index.html has no link to the web application');
writeFileSync(`${target}/without-web.html`, made.replace(link, ''));
compressTexts(target);
compressTexts(`${target}/${name}`);
