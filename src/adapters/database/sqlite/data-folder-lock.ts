import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite-errors.js';

/** Another process holds what is asked for. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/** Holds a data folder for one process. The system lets go of it however the process ends. */
export class DataFolderLock {
  private constructor(private readonly holder: DatabaseSync | undefined) {}

  /**
   * Takes the lock file.
   * @throws LockedError when another process holds it.
   */
  static take(file: string): DataFolderLock {
    const holder = new DatabaseSync(file);
    try {
      holder.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    } catch (error) {
      holder.close();
      if (!isBusy(error)) throw error;
      throw new LockedError(`another process serves this data folder already (${file} is locked)`, {
        cause: error,
      });
    }
    return new DataFolderLock(holder);
  }

  /** Where nothing lives in the folder that two processes must not share. */
  static none(): DataFolderLock {
    return new DataFolderLock(undefined);
  }

  release(): void {
    if (this.holder?.isOpen) this.holder.close();
  }
}
