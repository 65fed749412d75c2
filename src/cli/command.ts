/** Where a command writes: results to `out`, so that they can be piped, everything said to the person to `err`. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Whether `err` is a screen, on which a progress bar can move. */
  readonly interactive: boolean;
  /** Has other processes go first from now on; absent where the process is not the command's own. */
  yieldCpu?(): void;
}

/** One command: gets the words after its name, answers the exit code. */
export interface Command {
  readonly usage: string;
  run(words: readonly string[], terminal: Terminal): Promise<number>;
}

/** What `--json` prints. */
export const asJson = (value: object): string => JSON.stringify(value, null, 2);

/** The words of the command line are wrong; its message and the usage are shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
