import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { compileOnce } from './compiled-once.mjs';
import { isInternalName } from './internal-names.mjs';
import { shareModel } from './shared-model.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A worker with more on its heap, in bytes, gives back what the files before have left there. */
const MOST_LEFT = 500_000_000;

/**
 * Where tests of the whole service run. Jest loads every module anew for each file, which takes longer than most files
 * do, into a context in which code runs at half its speed. Here Node itself loads the modules of the build, as it does
 * for users, and once in each worker; built-module.mjs puts them in the place of the source. What a file starts of them
 * is its own all the same.
 */
export default class BuildEnvironment extends TestEnvironment {
  async setup() {
    await super.setup();
    await (prepared ??= prepare());
    this.global.importBuilt = importBuilt;
    this.global.isInternalName = isInternalName;
    // The build reads the environment of the process itself.
    this.global.process.env = process.env;
    // What a test throws into the build is an error there as well.
    Object.assign(this.global, { Error, RangeError, SyntaxError, TypeError });
  }

  async teardown() {
    await super.teardown();
    if (process.memoryUsage().heapUsed > MOST_LEFT) collect();
  }
}

const importBuilt = (path) => import(join(ROOT, 'dist', path));

let prepared;

/** What is done once in each worker. */
async function prepare() {
  compileOnce();
  await checkBuild();
  shareModel(await importBuilt('catalog/model/index.js'));
}

/**
 * The contexts of former files refer to each other by way of weak tables and finalizers: a common collection gives none of them
 * back, this one, which goes on until nothing more is found, all.
 */
function collect() {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  setFlagsFromString('--no-expose-gc');
}

/** A test of what was built before the last change of the source would tell nothing. */
async function checkBuild() {
  const source = join(ROOT, 'src');
  const built = await stat(join(ROOT, 'dist/main.js')).catch(() => ({ mtimeMs: 0 }));
  for (const path of await readdir(source, { recursive: true })) {
    if (path.endsWith('.spec.ts') || !path.includes('.')) continue;
    const { mtimeMs } = await stat(join(source, path));
    if (mtimeMs > built.mtimeMs)
      throw new Error(`src/${path} is newer than the build: npm run build comes first`);
  }
}
