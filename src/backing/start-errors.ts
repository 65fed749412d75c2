import { LockedError, sentenceFor } from '../adapters/database/index.js';
import { StartError } from '../config/start-error.js';

/**
 * Opens a file of SQLite.
 * @throws StartError naming the file and what helps, when the file or its disk is what is wrong, or another process has it
 */
export async function withStartErrors<T>(file: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const sentence =
      error instanceof LockedError ? `CATALOG_HOME: ${error.message}` : sentenceFor(error, file);
    throw sentence === undefined ? error : new StartError(sentence, { cause: error });
  }
}
