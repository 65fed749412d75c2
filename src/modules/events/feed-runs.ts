import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { FeedCursor } from '../change-log/index.js';
import { continues, FeedRun, type RunIndex } from './feed-run.js';
import { PACKING } from './packing.js';

/** What packed runs take at most, and what an entry of one takes beside its bytes. */
const MOST_PACKED = 16 * 1024 ** 2;
const ENTRY_BYTES = 4;
/** What those take at most that are not packed, and when the last one of them was used so long ago they are, in milliseconds. */
const MOST_OPEN = 16 * 1024 ** 2;
const OPEN_MS = 2_000;
/** How many are packed at a time. */
const MOST_PACKING = 4;

const compressed = promisify(zstdCompress);

interface KeptRun {
  readonly index: RunIndex;
  /** Whether it is of use later: the log does not end with it. */
  readonly lasting: boolean;
  open?: FeedRun;
  packed?: Uint8Array;
}

/**
 * Runs of the log that were printed: who catches up goes on in the rest of what was printed for the last answer, or reads what was
 * printed for another reader. Those that were used last are kept, in bounded memory; packed, when there are many or no reader comes.
 */
@Injectable()
export class FeedRuns {
  /** By the position before them, those used last at the end; each is open, or packed, or both. */
  private readonly runs = new Map<number, KeptRun>();
  /** Their positions, in order. */
  private readonly positions: number[] = [];
  private readonly opened = new Set<KeptRun>();
  private readonly bytes = { open: 0, packed: 0 };
  private packing = 0;
  private idle: NodeJS.Timeout | undefined;

  /** The run that has what follows a cursor, held for the caller; undefined when there is none. */
  find(cursor: FeedCursor): FeedRun | undefined {
    const kept = this.behind(cursor);
    if (kept === undefined) return undefined;
    // Less work than to have a thread do it.
    const run = kept.open ?? unpacked(kept);
    run.hold();
    void this.open(kept, run);
    return run;
  }

  /** The end of the run that {@link find} has. */
  reach(cursor: FeedCursor): FeedCursor | undefined {
    return this.behind(cursor)?.index.end;
  }

  /** How many entries behind a cursor are in no run, as far as `most`. */
  gap({ position }: FeedCursor, most: number): number {
    const next = this.positions[this.place(position + 1)];
    return next === undefined ? most : Math.min(most, next - position);
  }

  /**
   * @param lasting whether it is of use later: the log does not end with it
   * @returns when those are packed that had to leave for it
   */
  async add(run: FeedRun, lasting: boolean): Promise<void> {
    await Promise.all(this.open({ index: run.index, lasting }, run));
  }

  /** Forgets what the log does not have any more. */
  drop({ index }: FeedRun): void {
    const kept = this.runs.get(index.from.position);
    if (kept?.index === index) this.forget(kept);
  }

  private behind(cursor: FeedCursor): KeptRun | undefined {
    const position = this.positions[this.place(cursor.position + 1) - 1];
    const kept = position === undefined ? undefined : this.runs.get(position);
    return kept && continues(kept.index, cursor) ? kept : undefined;
  }

  /** Where a position is, or would be, among those of the runs. */
  private place(position: number): number {
    let [low, high] = [0, this.positions.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.positions[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts a run at the end of those that are used. */
  private use(kept: KeptRun): void {
    const { position } = kept.index.from;
    const former = this.runs.get(position);
    if (former !== undefined && former !== kept) this.forget(former);
    if (!this.runs.delete(position)) this.positions.splice(this.place(position), 0, position);
    this.runs.set(position, kept);
  }

  private remove(kept: KeptRun): void {
    const { position } = kept.index.from;
    if (this.runs.get(position) !== kept) return;
    this.runs.delete(position);
    this.positions.splice(this.place(position), 1);
  }

  /** @returns what has to leave for it */
  private open(kept: KeptRun, run: FeedRun): Array<Promise<void>> {
    kept.open ??= run.hold();
    this.use(kept);
    if (!this.opened.delete(kept)) this.bytes.open += run.bytes.length;
    this.opened.add(kept);
    this.idle ??= setTimeout(() => void this.settle(), OPEN_MS).unref();
    this.idle.refresh();
    const leaving: Array<Promise<void>> = [];
    for (const other of this.opened) {
      if (this.bytes.open <= MOST_OPEN || other === kept) break;
      leaving.push(this.close(other));
    }
    return leaving;
  }

  /** Closes what no reader uses any more, one after the other, until one comes. */
  private async settle(): Promise<void> {
    this.idle = undefined;
    for (const kept of this.opened) {
      await this.close(kept);
      if (this.idle !== undefined) return;
    }
  }

  /** A run that is of use is packed before. */
  private async close(kept: KeptRun): Promise<void> {
    this.leave(kept);
    if (kept.lasting && kept.packed === undefined && this.packing < MOST_PACKING) await this.pack(kept);
    // It may have been used meanwhile.
    if (this.opened.has(kept)) return;
    if (kept.packed === undefined) this.remove(kept);
    kept.open?.release();
    delete kept.open;
  }

  private leave(kept: KeptRun): void {
    if (this.opened.delete(kept)) this.bytes.open -= kept.open!.bytes.length;
  }

  /** A thread does it. */
  private async pack(kept: KeptRun): Promise<void> {
    const run = kept.open!.hold();
    this.packing += 1;
    const packed = await compressed(run.bytes, PACKING).catch(() => undefined);
    this.packing -= 1;
    run.release();
    if (packed === undefined || this.runs.get(kept.index.from.position) !== kept) return;
    kept.packed = packed;
    this.bytes.packed += sizeOf(kept);
    for (const other of this.runs.values()) {
      if (this.bytes.packed <= MOST_PACKED) return;
      if (other.packed !== undefined) this.forget(other);
    }
  }

  private forget(kept: KeptRun): void {
    this.leave(kept);
    this.bytes.packed -= sizeOf(kept);
    delete kept.packed;
    kept.open?.release();
    delete kept.open;
    this.remove(kept);
  }
}

const sizeOf = ({ packed, index }: KeptRun): number =>
  packed === undefined ? 0 : packed.length + ENTRY_BYTES * index.starts.length;

function unpacked({ index, packed }: KeptRun): FeedRun {
  const chunkSize = index.starts.at(-1)! + 1;
  return new FeedRun(index, zstdDecompressSync(packed!, { chunkSize }));
}
