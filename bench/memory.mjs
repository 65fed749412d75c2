// Resident memory after loading 10,000 datasets of ten columns.
import { load, removeFolder, residentMegabytes, search, startCatalog, tempFolder } from './lib.mjs';

const home = tempFolder();
const catalog = await startCatalog(home);
const atStart = residentMegabytes(catalog.pid);
await load(catalog.url, 0, 10_000);
const loaded = residentMegabytes(catalog.pid);
const found = JSON.parse(await search(catalog.url, '*')).value.numEntities;
const searched = residentMegabytes(catalog.pid);
await catalog.stop();
removeFolder(home);
console.log(`memory at start: ${atStart.toFixed(0)} MB`);
console.log(
  `memory after ${found} datasets: ${loaded.toFixed(0)} MB, after a search over them: ${searched.toFixed(0)} MB (ceiling: 250)`,
);
