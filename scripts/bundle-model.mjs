/**
 * Writes the model as one JSON beside the compiled loader, so that a service starts without parsing YAML.
 * Part of `npm run build`; refuses a model with problems, or a schema that does not compile.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const compiled = new URL('../dist/catalog/model/', import.meta.url);
if (!existsSync(new URL('index.js', compiled))) {
  console.error('dist/catalog/model is missing: run "npm run build"');
  process.exit(1);
}

const { bundleModel } = await import(new URL('bundle.js', compiled).href);
const documents = bundleModel(`${root}src`, (file) => relative(root, file).replaceAll('\\', '/'));
writeFileSync(new URL('model.json', compiled), JSON.stringify(documents));
