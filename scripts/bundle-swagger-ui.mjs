/**
 * Puts the files of Swagger UI and the script of its page, with compressed copies, into a folder of dist/swagger-ui that is
 * named by its digest.
 * The page itself is made by `@nestjs/swagger`. Part of `npm run build`.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compressTexts } from './page-folder.mjs';

const FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'favicon-16x16.png',
  'favicon-32x32.png',
];

// The one that @nestjs/swagger brings along.
const require = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
const source = require('swagger-ui-dist/absolute-path.js')();
const target = fileURLToPath(new URL('../dist/swagger-ui', import.meta.url));

const {
  outputFiles: [script],
} = await build({
  entryPoints: [fileURLToPath(new URL('../playground/swagger-page.js', import.meta.url))],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  logLevel: 'warning',
});
const digest = createHash('sha256').update(script.contents);
for (const file of FILES) digest.update(`${file}\n`).update(readFileSync(`${source}/${file}`));
const folder = `${target}/${digest.digest('hex').slice(0, 16)}`;
if (!existsSync(folder)) {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const file of FILES) copyFileSync(`${source}/${file}`, `${folder}/${file}`);
  writeFileSync(`${folder}/page.js`, script.contents);
  compressTexts(folder);
}
