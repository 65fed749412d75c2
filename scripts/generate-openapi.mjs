/**
 * Writes docs/openapi/*.json, the OpenAPI documents of the model that ships with the service. With --check it writes
 * nothing and fails when a file is not what the model and the routes say. Needs a build: it runs the compiled
 * generator on the YAML of the sources.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src', import.meta.url));
const folder = new URL('../docs/openapi/', import.meta.url);
const compiled = new URL('../dist/', import.meta.url);
const documents = new URL('modules/openapi/document/documents.js', compiled);
if (!existsSync(documents)) {
  console.error('dist/modules/openapi is missing: run "npm run build" first');
  process.exit(1);
}

const { Model, sourceFolders } = await import(new URL('catalog/model/index.js', compiled).href);
const { buildDocument } = await import(documents.href);
const { ROUTES } = await import(new URL('api-routes.js', compiled).href);
const { readSample } = await import(new URL('../examples/sample.js', documents).href);
const sample = await readSample();
const { DOCUMENTS } = await import(new URL('document-list.js', documents).href);
const model = Model.load({ builtIn: { folders: sourceFolders(source) } });
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** One operation, schema, … a line: small enough to keep, and changes show where they are. */
function print(document) {
  const members = (record, indent) =>
    Object.entries(record).map(
      ([name, value]) => `${indent}${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    );
  const block = (record, indent) => `{\n${members(record, `${indent}  `).join(',\n')}\n${indent}}`;
  const { paths, components, ...head } = document;
  const groups = (record, indent) =>
    `{\n${Object.entries(record)
      .map(([name, value]) => `${indent}  ${JSON.stringify(name)}: ${block(value, `${indent}  `)}`)
      .join(',\n')}\n${indent}}`;
  return `{\n${members(head, '  ').join(',\n')},\n  "paths": ${groups(paths, '  ')},\n  "components": ${groups(components, '  ')}\n}\n`;
}

const texts = new Map(
  DOCUMENTS.map((one) => [`${one.name}.json`, print(buildDocument(one, model, version, ROUTES, sample))]),
);
const obsolete = existsSync(folder) ? readdirSync(folder).filter((name) => !texts.has(name)) : [];
if (process.argv.includes('--check')) {
  const outdated = [...texts].filter(([name, text]) => {
    const file = new URL(name, folder);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  for (const name of [...outdated.map(([name]) => name), ...obsolete])
    console.error(`docs/openapi/${name} is out of date: run "npm run generate" and check it in`);
  if (outdated.length + obsolete.length > 0) process.exit(1);
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of obsolete) rmSync(new URL(name, folder));
  for (const [name, text] of texts) writeFileSync(new URL(name, folder), text);
}
