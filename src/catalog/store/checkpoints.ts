/** A database file whose checkpoints can be made elsewhere. */
export interface CheckpointedFile {
  readonly file: string;
  /** Makes a checkpoint, at once. */
  checkpoint(): void;
  /** A checkpoint that was made elsewhere failed: an error with the `errcode` of SQLite. */
  failed?(error: unknown): void;
}

/** The write-ahead log, in pages. It begins anew with a commit that finds all of it carried over. */
export interface LogState {
  readonly log: number;
  readonly checkpointed: number;
}

/** What {@link CheckpointedFile} says from then on. */
export interface FollowedFile {
  /** Before a transaction begins: what to wait for while the log is too long; undefined mostly. */
  shortEnough(): Promise<void> | undefined;
  /** Something was committed. */
  written(log: LogState): void;
  /** To be called before the file is closed: only the caller has it open afterwards. */
  release(): void;
}

/**
 * Copies what SQLite has appended to its write-ahead log into the database file (a checkpoint). Mostly the connection
 * that commits does it, which is the least work in all. But it costs that commit some milliseconds of writing and
 * waiting for the disk. While long work runs in the background, after a large commit, and while the disk is slow, the checkpoint
 * is made elsewhere.
 */
export abstract class Checkpoints {
  /** Undefined when SQLite makes the checkpoints itself, on the connection that writes. */
  abstract follow(file: CheckpointedFile): FollowedFile | undefined;
  /** While `work` runs, and for a while after it, no caller waits for checkpoints. */
  abstract aside<T>(work: () => Promise<T>): Promise<T>;
}
