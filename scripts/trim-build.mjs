// Takes from the folder of a build what only development needs: the modules that are part of a larger file as well, chunks of builds
// before, source maps. Packages and images are made from what is left.
// Usage: node scripts/trim-build.mjs [folder]
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLED, CHUNKS } from './kept-chunks.mjs';

const folder = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
const read = async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'));

const [newest, ...before] = await read(CHUNKS);
const old = before.flat().filter((name) => !newest.includes(name));
const maps = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.map'));
const bundled = await read(BUNDLED);
const gone = new Set([...bundled, ...old, ...maps, CHUNKS, BUNDLED, '.built']);
await Promise.all([...gone].map((name) => rm(join(folder, name), { force: true })));

// Folders that are empty now, and those that held nothing but them.
const folders = new Set([...gone].map((name) => dirname(name)).filter((name) => name !== '.'));
for (const name of [...folders].flatMap(above).sort((a, b) => b.length - a.length))
  await rmdir(join(folder, name)).catch(() => undefined);

function above(name) {
  return name === '.' ? [] : [name, ...above(dirname(name))];
}
