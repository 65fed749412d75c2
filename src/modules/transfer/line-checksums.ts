import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** What ends each line of an export before its checksum is known. */
export const BLANK_CHECK = ',"check":"00000000"}\n';
/** Length of a checksum with what is around it, without the newline. */
export const CHECK_BYTES = BLANK_CHECK.length - 1;
const BEFORE_DIGITS = ',"check":"'.length;
const NEWLINE = 0x0a;
const BLANK = 0x20;
const CHECK = Buffer.from(BLANK_CHECK.slice(0, CHECK_BYTES), 'latin1');
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');

/**
 * Fills in the checksums of lines: that of a line is over itself and all before it. A newline without a check before it stands between tokens of
 * JSON, where a blank does as well. Loads nothing, as it runs in a thread.
 */
export class LineChecksums {
  private check = 0;
  private readonly hash = createHash('sha256');

  /** @param bytes whole lines whose checks are blank */
  fill(bytes: Buffer): void {
    let start = 0;
    for (
      let newline = bytes.indexOf(NEWLINE);
      newline !== -1;
      newline = bytes.indexOf(NEWLINE, newline + 1)
    ) {
      const end = newline - CHECK_BYTES;
      if (!isCheck(bytes, end)) {
        bytes[newline] = BLANK;
        continue;
      }
      this.check = crc32(bytes.subarray(start, end), this.check);
      const digits = end + BEFORE_DIGITS;
      for (let i = 0; i < 8; i += 1) bytes[digits + i] = DIGITS[(this.check >>> (28 - 4 * i)) & 15]!;
      start = newline + 1;
    }
    this.hash.update(bytes);
  }

  /** Of all bytes so far, hexadecimal. */
  sha256(): string {
    return this.hash.copy().digest('hex');
  }
}

function isCheck(bytes: Buffer, at: number): boolean {
  // From its end: most newlines without a check differ there.
  for (let i = CHECK_BYTES - 1; i >= 0; i -= 1) if (bytes[at + i] !== CHECK[i]) return false;
  return true;
}
