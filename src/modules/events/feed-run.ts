import { releaseBytes } from '../../catalog/store/index.js';
import type { FeedCursor, PrintedPage } from '../change-log/index.js';

const [COMMA, LINE_FEED] = [44, 10];

/** A part of a run. */
export interface RunPart {
  /** Of events. */
  readonly count: number;
  /** JSON texts, each with a comma before it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Position of its last entry. */
  readonly last: number;
}

/** Where the entries of a run are. */
export interface RunIndex {
  readonly from: FeedCursor;
  readonly end: FeedCursor;
  /** Where the text of each entry begins in the bytes, and where the last one ends. Those that have no text are empty. */
  readonly starts: Uint32Array;
}

/** Entries that follow each other in the log, as answers have them: pages of any size are cut out of them. */
export class FeedRun {
  private holders = 0;

  constructor(
    readonly index: RunIndex,
    readonly bytes: Uint8Array<ArrayBuffer>,
  ) {}

  /** What follows a cursor, as the database has printed it. */
  static of(from: FeedCursor, { entries, cursor: end, silent, bytes: printed }: PrintedPage): FeedRun {
    const bytes = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength);
    const starts = new Uint32Array(entries + 1);
    const without = new Set(silent);
    let at = 0;
    for (let entry = 1; entry <= entries; entry += 1) {
      if (!without.has(from.position + entry)) {
        // Each text has a line feed before it, and none inside.
        bytes[at] = COMMA;
        const next = bytes.indexOf(LINE_FEED, at);
        at = next < 0 ? bytes.length : next;
      }
      starts[entry] = at;
    }
    return new FeedRun({ from, end, starts }, bytes);
  }

  /** To be called by who goes on to use the bytes, until {@link release}: their memory is given back when all have. */
  hold(): this {
    this.holders += 1;
    return this;
  }

  release(): void {
    this.holders -= 1;
    if (this.holders === 0) releaseBytes(this.bytes);
  }

  /** What answers have of the entries behind a position, `limit` events at the most. */
  part(position: number, limit: number): RunPart {
    const { from, starts } = this.index;
    const first = position - from.position;
    let [entry, count] = [first, 0];
    while (entry < starts.length - 1 && count < limit) {
      if (starts[entry + 1]! > starts[entry]!) count += 1;
      entry += 1;
    }
    return { count, bytes: this.bytes.subarray(starts[first], starts[entry]), last: from.position + entry };
  }
}

/** Whether a run has what follows a cursor. The log is to be asked whether the cursor is one of its own. */
export const continues = ({ from, end }: RunIndex, { position, skip }: FeedCursor): boolean =>
  skip === 0 && from.position <= position && position < end.position;
