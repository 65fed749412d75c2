// From start to ready, against a bare Nest and Fastify application that imports the same packages.
import { load, median, removeFolder, search, startCatalog, startProgram, tempFolder } from './lib.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const loaded = tempFolder();
const first = await startCatalog(loaded);
await load(first.url, 0, 10_000);
// A search waits for the index, so that what is measured is a start and not the rest of the load.
await search(first.url, '*');
await first.stop();

const times = { bare: [], empty: [], loaded: [] };
const timed = async (name, start) => {
  const program = await start();
  times[name].push(program.readyMs);
  await program.stop();
};
for (let round = 0; round <= ROUNDS; round += 1) {
  const empty = tempFolder();
  await timed('bare', () => startProgram('bench/bare-application.mjs', {}, '/'));
  await timed('empty', () => startCatalog(empty));
  await timed('loaded', () => startCatalog(loaded));
  removeFolder(empty);
  // The first round fills the compile cache and the disk cache.
  if (round === 0) for (const list of Object.values(times)) list.length = 0;
}
removeFolder(loaded);
const bare = median(times.bare);
console.log(`start, bare application: ${bare.toFixed(0)} ms`);
for (const name of ['empty', 'loaded']) {
  const ms = median(times[name]);
  console.log(`start, ${name} folder: ${ms.toFixed(0)} ms = ${(ms / bare).toFixed(2)} x bare (floor: 1.5)`);
}
