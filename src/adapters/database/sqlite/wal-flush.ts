import fs from 'node:fs';

/** Result codes of SQLite that say what a failed flush means. */
const IO_ERROR = 10;
const DISK_FULL = 13;

/**
 * Makes commits durable without keeping the thread waiting for the disk. SQLite with `synchronous = NORMAL` writes the
 * frames of a commit to its write-ahead log and returns; what `FULL` would do on top is to flush that file. Here the flush
 * runs in the thread pool of Node. Commits that end while one runs share the next.
 */
export class WalFlush {
  private readonly file: number;
  /** Something was committed that no flush covers yet. */
  private dirty = false;
  private running: Promise<void> | undefined;
  private queued: Promise<void> | undefined;
  private failure: Error | undefined;

  /** @param database the file of a database that is open in WAL mode, so that its log is there */
  constructor(database: string) {
    this.file = fs.openSync(`${database}-wal`, 'r+');
  }

  /** A transaction that wrote something was committed. */
  committed(): void {
    this.dirty = true;
  }

  /** The flushes under way, if there are any: with the last of them everything is on disk that they were begun for. */
  pending(): Promise<void> | undefined {
    return this.queued ?? this.running;
  }

  /**
   * Resolves when everything that was committed before this call is on disk.
   * @throws Error with the `errcode` of SQLite when that is not known
   */
  durable(): Promise<void> {
    if (!this.dirty)
      return this.pending() ?? (this.failure ? Promise.reject(this.failure) : Promise.resolve());
    if (this.running === undefined) return this.start();
    const next = (): Promise<void> => {
      this.queued = undefined;
      return this.start();
    };
    return (this.queued ??= this.running.then(next, next));
  }

  /**
   * After a flush that failed the system may take what it could not write for written, so a further one proves nothing. A
   * checkpoint does: it writes everything to the file of the database and flushes that. Nothing is durable before.
   * @param checkpoint throws unless everything was carried over
   */
  recover(checkpoint: () => void): void {
    if (this.failure === undefined) return;
    checkpoint();
    this.failure = undefined;
    this.dirty = false;
  }

  /** Waits for the flushes under way and closes the log. */
  async close(): Promise<void> {
    await this.pending()?.catch(() => undefined);
    fs.closeSync(this.file);
  }

  private start(): Promise<void> {
    this.dirty = false;
    const run = this.sync();
    const end = (): void => {
      this.running = undefined;
    };
    this.running = run;
    run.then(end, end);
    return run;
  }

  private async sync(): Promise<void> {
    if (this.failure !== undefined) throw this.failure;
    try {
      await new Promise<void>((resolve, reject) =>
        fs.fdatasync(this.file, (error) => (error ? reject(error) : resolve())),
      );
    } catch (error) {
      const full = ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
      this.failure = Object.assign(error as Error, { errcode: full ? DISK_FULL : IO_ERROR });
      throw this.failure;
    }
  }
}
