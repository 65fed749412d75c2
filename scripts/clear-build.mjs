// Empties the folder of the build before the next one. A service that runs meanwhile goes on: what it loads when it is
// first needed, such as GraphQL, lies in chunks named by a digest of their content, and those of the last builds stay. So do
// the pages for people, until what makes them replaces them.
// Usage: node scripts/clear-build.mjs [--all] [folder]
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHUNKS } from './kept-chunks.mjs';

const all = process.argv[2] === '--all';
const folder = process.argv[all ? 3 : 2] ?? fileURLToPath(new URL('../dist', import.meta.url));

/** Folders whose makers clear them. */
const PAGES = ['home', 'playground', 'swagger-ui', 'web'];

const builds = all ? [] : JSON.parse(await readFile(join(folder, CHUNKS), 'utf8').catch(() => '[]'));
const kept = new Set([CHUNKS, ...PAGES, ...builds.flat()]);
const names = all ? ['.'] : await readdir(folder).catch(() => []);
await Promise.all(
  names
    .filter((name) => !kept.has(name))
    .map((name) => rm(join(folder, name), { recursive: true, force: true })),
);
