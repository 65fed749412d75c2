// Resident memory after loading 10,000 datasets of ten columns, and after what else clients ask for.
import { call, load, removeFolder, residentMegabytes, search, startCatalog, tempFolder } from './lib.mjs';

const home = tempFolder();
const catalog = await startCatalog(home);
const atStart = residentMegabytes(catalog.pid);
await load(catalog.url, 0, 10_000);
const loaded = residentMegabytes(catalog.pid);
const found = JSON.parse(await search(catalog.url, '*')).value.numEntities;
const searched = residentMegabytes(catalog.pid);
const page = await call(`${catalog.url}/openapi/swagger-ui/swagger-ui-init.js`);
const documents = new Set(page.match(/\/openapi\/v3\/api-docs\/[\w-]+/g));
for (const path of documents)
  for (const version of ['3.1', '3.0']) await call(`${catalog.url}${path}?openapi=${version}`);
const documented = residentMegabytes(catalog.pid);
await catalog.stop();
removeFolder(home);
console.log(`memory at start: ${atStart.toFixed(0)} MB`);
console.log(
  `memory after ${found} datasets: ${loaded.toFixed(0)} MB, after a search over them: ${searched.toFixed(0)} MB (ceiling: 250)`,
);
console.log(
  `memory after all ${documents.size * 2} API documents: ${documented.toFixed(0)} MB, ${(documented - searched).toFixed(0)} MB more (ceiling: 20 more)`,
);
