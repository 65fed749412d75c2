/** A database file whose checkpoints can be made elsewhere. */
export interface CheckpointedFile {
  readonly file: string;
  /** From so many pages in the log on, the connection that writes makes a checkpoint after its commit. */
  checkpointAt(pages: number): void;
  /** A checkpoint that was made elsewhere failed: an error with the `errcode` of SQLite. */
  failed?(error: unknown): void;
}

/** What {@link CheckpointedFile} says from then on. */
export interface FollowedFile {
  /** Something was committed. */
  written(): void;
  /** To be called before the file is closed: only the caller has it open afterwards. */
  release(): void;
}

/**
 * Copies what SQLite has appended to its write-ahead log into the database file (a checkpoint). Mostly the connection
 * that commits does it, which is the least work in all. But it costs that commit some milliseconds of writing and
 * waiting for the disk. While long work runs in the background, the checkpoint is made elsewhere.
 */
export abstract class Checkpoints {
  /** Undefined when checkpoints must stay with the connection that writes. */
  abstract follow(file: CheckpointedFile): FollowedFile | undefined;
  /** While `work` runs, and for a while after it, no caller waits for checkpoints. */
  abstract aside<T>(work: () => Promise<T>): Promise<T>;
}
