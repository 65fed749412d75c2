import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Only the account of the service may enter the data folder. */
const MODE = 0o700;

/**
 * Makes the data folder and those above it. Node's own recursive call never returns where the system answers that a folder
 * which exists does not, as `/proc` does.
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  const missing = [path];
  for (let above = dirname(path); !existsSync(above); above = dirname(above)) missing.unshift(above);
  for (const folder of missing) {
    try {
      mkdirSync(folder, { mode: MODE });
    } catch (error) {
      // It may be there already, or another process may have just made it.
      if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    }
  }
}
