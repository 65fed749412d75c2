import { LineError } from './proposal-line.js';

/** A part of a file, and where it begins. */
export interface Item {
  text: Buffer;
  /** Counts from 1. */
  line: number;
  /** Bytes of the file up to its end. */
  end: number;
}

const [NEWLINE, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANKS = new Set([0x20, 0x09, 0x0d, NEWLINE]);

/** Whether a file begins as a JSON array does. */
export function isArray(beginning: Buffer): boolean {
  return beginning.find((byte) => !BLANKS.has(byte)) === OPEN_ARRAY;
}

/**
 * The objects of a JSON array, one after the other: a file of any size is read without being held. What is in an object is
 * left to who parses it.
 * @throws LineError naming the line where the file is no array of objects, or was cut
 */
export async function* itemsOf(input: AsyncIterable<Buffer>): AsyncGenerator<Item> {
  let wanted: 'array' | 'first' | 'object' | 'next' | 'nothing' = 'array';
  let parts: Buffer[] = [];
  let [depth, inString, escaped] = [0, false, false];
  let [line, begun, before] = [1, 0, 0];
  for await (const chunk of input) {
    let start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (byte === NEWLINE) line += 1;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (depth > 0) {
        if (byte === QUOTE) inString = true;
        else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
        else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
        if (depth > 0) continue;
        yield {
          text: Buffer.concat([...parts, chunk.subarray(start, at + 1)]),
          line: begun,
          end: before + at + 1,
        };
        parts = [];
        wanted = 'next';
      } else if (BLANKS.has(byte)) continue;
      else if (wanted === 'array' && byte === OPEN_ARRAY) wanted = 'first';
      else if ((wanted === 'first' || wanted === 'object') && byte === OPEN_OBJECT)
        [depth, start, begun] = [1, at, line];
      else if ((wanted === 'first' || wanted === 'next') && byte === CLOSE_ARRAY) wanted = 'nothing';
      else if (wanted === 'next' && byte === COMMA) wanted = 'object';
      else throw new LineError(`line ${line}: ${EXPECTED[wanted]}`);
    }
    if (depth > 0) parts.push(chunk.subarray(start));
    before += chunk.length;
  }
  if (wanted !== 'nothing')
    throw new LineError(`line ${line}: the array ends before its closing bracket: the rest is missing`);
}

const EXPECTED = {
  array: 'a file of this kind is a JSON array',
  first: 'each item of the array must be a JSON object',
  object: 'each item of the array must be a JSON object',
  next: 'a comma or the closing bracket of the array must follow an item',
  nothing: 'nothing may follow the array',
};
