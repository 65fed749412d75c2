import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A transform of jest: in the place of a module of the source comes what the build exports for it. */
export default {
  async processAsync(_source, path) {
    const built = relative(join(ROOT, 'src'), path).replace(/\.ts$/, '.js');
    const names = Object.keys(await import(join(ROOT, 'dist', built)));
    return {
      code: `export const { ${names.join(', ')} } = await importBuilt(${JSON.stringify(built)});`,
    };
  },
  async getCacheKeyAsync(_source, path) {
    const { mtimeMs } = await stat(join(ROOT, 'dist/main.js'));
    return createHash('sha256').update(`${path} ${mtimeMs}`).digest('hex');
  },
};
