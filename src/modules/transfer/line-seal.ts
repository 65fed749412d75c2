import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** Some lines of an export whose checks are blank. */
export interface Part {
  /** Has an `ArrayBuffer` to itself. */
  readonly bytes: Buffer<ArrayBuffer>;
  /** Where the check of each line begins, as text: `,"check":"00000000"}` and a newline. */
  readonly ends: Uint32Array<ArrayBuffer>;
}

export const BLANK_CHECK = ',"check":"00000000"}\n';
/** Length of a check with what is around it, without the newline. */
export const CHECK_BYTES = BLANK_CHECK.length - 1;
const BEFORE_DIGITS = ',"check":"'.length;
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/** Fills the checks in: that of a line is over itself and all before it. Loads nothing, as it runs in a thread. */
export class LineSeal {
  private check = 0;
  private readonly hash = createHash('sha256');

  seal({ bytes, ends }: Part): void {
    let start = 0;
    for (const end of ends) {
      this.check = crc32(bytes.subarray(start, end), this.check);
      const digits = end + BEFORE_DIGITS;
      for (let i = 0; i < 8; i += 1) bytes[digits + i] = DIGITS[(this.check >>> (28 - 4 * i)) & 15]!;
      start = end + BLANK_CHECK.length;
    }
    this.hash.update(bytes);
  }

  /** Of all bytes so far, hexadecimal. */
  sha256(): string {
    return this.hash.copy().digest('hex');
  }
}
