/**
 * Writes the model as one JSON beside the compiled loader, so that a service starts without parsing YAML, and what commands
 * need of it without building it.
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
const bundle = fileURLToPath(new URL('model.json', compiled));
writeFileSync(bundle, JSON.stringify(documents));
const { factsOf, Model } = await import(new URL('index.js', compiled).href);
const facts = factsOf(Model.load({ builtIn: { bundle } }));
writeFileSync(new URL('model-facts.json', compiled), JSON.stringify(facts));
