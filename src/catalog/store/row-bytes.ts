import type { RowBytes } from './database.js';

const FIRST_ROOM = 1024 * 1024;
/** Room that is not kept for what is put later. */
const MOST_ROOM = 16 * 1024 * 1024;
/** Bytes that are copied one by one: a call takes longer. */
const FEW = 24;
const ZERO = 0x30;
/** The longest that is put for a byte as one number. */
const NUMBER = 4;

/** Bytes that grow, put together from those of rows and others. */
export class TextBytes {
  private view: DataView<ArrayBuffer>;
  protected used = 0;

  /** @param bytes the first room; there is more when it is taken */
  constructor(protected bytes = Buffer.allocUnsafeSlow(FIRST_ROOM)) {
    this.view = viewOf(bytes);
  }

  get length(): number {
    return this.used;
  }

  /** Adds bytes. */
  put(from: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.used + length > this.bytes.length) this.room(length);
    if (length > FEW) this.bytes.set(length === from.length ? from : from.subarray(start, end), this.used);
    else for (let i = 0; i < length; i += 1) this.bytes[this.used + i] = from[start + i]!;
    this.used += length;
  }

  /** Adds the bytes of a text as they are in a JSON string, its quotation marks not included. */
  putQuoted(from: Uint8Array, start: number, end: number): void {
    const { texts, lengths, numbers } = ESCAPES;
    // There is always room for the rest as it is, and for a number: it is looked for only where a byte takes more.
    this.room(end - start + NUMBER);
    let { bytes, view, used } = this;
    const last = end - 1;
    for (let at = start; at < end; at += 1) {
      let byte = from[at]!;
      // A loop of its own for what stays as it is: with one loop for all, V8 makes code that takes half as long again.
      while (lengths[byte] === 1 && at < last) {
        bytes[used] = byte;
        used += 1;
        at += 1;
        byte = from[at]!;
      }
      const length = lengths[byte]!;
      if (used + length + end - at + NUMBER > bytes.length) {
        this.used = used;
        this.room(2 * (end - at) + length + NUMBER);
        ({ bytes, view } = this);
      }
      if (length <= NUMBER) view.setUint32(used, numbers[byte]!, true);
      else bytes.set(texts[byte]!, used);
      used += length;
    }
    this.used = used;
  }

  /** Forgets what was put: it may be written over. */
  clear(): void {
    this.used = 0;
    if (this.bytes.length > MOST_ROOM) this.replace(Buffer.allocUnsafeSlow(FIRST_ROOM));
  }

  /** What was put, or a part of it: valid until more is. */
  part(start = 0, end = this.used): Buffer<ArrayBuffer> {
    return this.bytes.subarray(start, end);
  }

  protected room(more: number): void {
    if (this.used + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.bytes.length, this.used + more));
    this.bytes.copy(larger, 0, 0, this.used);
    this.replace(larger);
  }

  private replace(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

const viewOf = ({ buffer, byteOffset, length }: Buffer<ArrayBuffer>): DataView<ArrayBuffer> =>
  new DataView(buffer, byteOffset, length);

/** A text as it is in a JSON string. */
export const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);

/** What is put for each byte, not for each character: the bytes of longer ones stay as they are. */
const TEXTS = Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(escaped(String.fromCharCode(byte)), 'latin1'),
);
const ESCAPES = {
  texts: TEXTS,
  lengths: Uint8Array.from(TEXTS, ({ length }) => length),
  /** The short ones as numbers, their first byte the lowest. */
  numbers: Uint32Array.from(TEXTS.map((text) => Buffer.concat([text, Buffer.alloc(NUMBER)]).readUInt32LE())),
};

/** The next column of a row, which is a number without a sign. */
export function nextNumber(row: RowBytes): number {
  row.next();
  const { bytes, start, end } = row;
  let number = 0;
  for (let at = start; at < end; at += 1) number = 10 * number + bytes[at]! - ZERO;
  return number;
}

/** The next column of a row. */
export function nextText(row: RowBytes): string {
  row.next();
  return row.bytes.toString('utf8', row.start, row.end);
}
