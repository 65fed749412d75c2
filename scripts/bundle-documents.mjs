/**
 * Writes the API documents of the model that ships into dist/api-documents, compressed, so that no service builds them.
 * Part of `npm run build`, after the model.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const load = (file) => import(new URL(`../dist/${file}`, import.meta.url).href);
const { Model } = await load('catalog/model/index.js');
const { storeDocuments } = await load('modules/openapi/serving/stored-documents.js');
const { readSample } = await load('modules/openapi/examples/sample.js');
const { ROUTES } = await load('api-routes.js');
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
await storeDocuments(
  fileURLToPath(new URL('../dist/api-documents', import.meta.url)),
  Model.load(),
  version,
  ROUTES,
  await readSample(),
);
