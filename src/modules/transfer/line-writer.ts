import type { ExportCounts, EndLine } from './export-format.js';
import { BLANK_CHECK, CHECK_BYTES } from './line-checksums.js';

/** Bytes that are handed on at a time, about, and that a part has room for. */
const PART = 1024 * 1024;
const ROOM = PART + PART / 4;
/** The most bytes of a character of a string. */
const WIDEST = 3;
/** Parts that are kept to be filled again. */
const SPARE = 4;

/**
 * Collects the lines of an export. Each ends with a check over itself and all before it, so that a reader finds the first line
 * that was changed, moved or left out; `LineChecksums` fills it in. Each text is encoded once, into the part that is filled.
 */
export class LineWriter {
  private readonly spare: Array<Buffer<ArrayBuffer>> = [];
  private bytes = room(ROOM);
  private used = 0;
  /** Lines written. */
  count = 0;

  /**
   * Adds a line.
   * @param json JSON text of an object, without its closing brace
   */
  line(json: string): void {
    const most = (json.length + BLANK_CHECK.length) * WIDEST;
    if (this.used + most > this.bytes.length) this.grow(most);
    this.used += this.bytes.write(json + BLANK_CHECK, this.used);
    this.count += 1;
  }

  /**
   * Adds lines that the database has made, each with a blank check and a newline, or a part of them. Other newlines may stand between
   * tokens of JSON.
   * @param count how many lines they are, told with the first part
   */
  lines(bytes: Uint8Array, count: number): void {
    if (this.used + bytes.length > this.bytes.length) this.grow(bytes.length);
    this.bytes.set(bytes, this.used);
    this.used += bytes.length;
    this.count += count;
  }

  /** Adds a line that was written before, with its check and without the newline. */
  copy(line: Buffer): void {
    const length = line.length - CHECK_BYTES;
    if (this.used + length + BLANK_CHECK.length > this.bytes.length) this.grow(length + BLANK_CHECK.length);
    this.used += line.copy(this.bytes, this.used, 0, length);
    this.used += this.bytes.write(BLANK_CHECK, this.used);
    this.count += 1;
  }

  /** Whether there is enough to be handed on. */
  get isFull(): boolean {
    return this.used >= PART;
  }

  /** What was added since the last call, in an `ArrayBuffer` of its own. */
  take(): Buffer<ArrayBuffer> {
    const part = this.bytes.subarray(0, this.used);
    this.bytes = this.spare.pop() ?? room(ROOM);
    this.used = 0;
    return part;
  }

  /** Takes a part back whose bytes are read no longer: memory outside of the heap is freed late otherwise. */
  reuse({ buffer }: Buffer<ArrayBuffer>): void {
    if (buffer.byteLength === ROOM && this.spare.length < SPARE) this.spare.push(Buffer.from(buffer));
  }

  /** Adds the last line. @param sha256 of all lines before it */
  end(counts: ExportCounts, cursor: string | undefined, sha256: string): void {
    const end: EndLine = {
      ...{ kind: 'end', lines: this.count, ...counts },
      ...(cursor !== undefined && { cursor }),
      sha256,
    };
    this.line(JSON.stringify(end).slice(0, -1));
  }

  private grow(most: number): void {
    const larger = room(Math.max(this.bytes.length * 2, this.used + most));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }
}

const room = (bytes: number): Buffer<ArrayBuffer> => Buffer.allocUnsafeSlow(bytes);
