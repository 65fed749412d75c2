/**
 * Writes src/catalog/model/generated/aspects.ts from the model files. With --check it writes nothing and fails when
 * the file is not what the model says. Needs a build: it runs the compiled generator on the YAML of the sources.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));
const target = new URL('../src/catalog/model/generated/aspects.ts', import.meta.url);
const compiled = new URL('../dist/catalog/model/', import.meta.url);
if (!existsSync(new URL('index.js', compiled))) {
  console.error('dist/catalog/model is missing: run "npm run build" first');
  process.exit(1);
}

const { Model, generateTypes, sourceFolders } = await import(new URL('index.js', compiled).href);
const text = generateTypes(Model.load({ builtIn: { folders: sourceFolders(source) } }));
if (process.argv.includes('--check')) {
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    console.error(`${fileURLToPath(target)} is out of date: run "npm run generate" and check it in`);
    process.exit(1);
  }
} else {
  mkdirSync(new URL('.', target), { recursive: true });
  // A file that stays the same keeps its time: the build need not be made anew.
  if (!existsSync(target) || readFileSync(target, 'utf8') !== text) writeFileSync(target, text);
}
