import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** In the folder of the build: the names of the chunks of the last builds, those of the newest first. */
export const CHUNKS = '.chunks.json';

/** In the folder of the build: the modules that are part of larger files. */
export const BUNDLED = '.bundled.json';

/** A service may be loading what the build before made, and two builds may come before it starts anew. */
const BUILDS = 3;

/** Notes the chunks that a build has written to `folder`. */
export async function noteChunks(folder, names) {
  const file = join(folder, CHUNKS);
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '[]'));
  await writeFile(file, JSON.stringify([names, ...before].slice(0, BUILDS)));
}
