import type { Steps } from '../schedule/index.js';
import { JsonByParts } from './json-by-parts.js';
import { endOfString, hasEscapedKey } from './json-scan.js';

const COLON = /\s*:/y;

/** Characters of a text from which on work on it is divided: to parse it takes some milliseconds. */
export const LARGE_TEXT = 256 * 1024;

/** Parses JSON that was checked before it was stored. It costs what `JSON.parse` does, and reads every key as it stands there. */
export function readJson(text: string): unknown {
  return hasEscapedKey(text) ? parseKeysApart(text) : JSON.parse(text);
}

/** {@link readJson}, of a large text in steps. */
export function* readJsonInSteps(text: string): Steps<unknown> {
  if (text.length < LARGE_TEXT) return readJson(text);
  return yield* new JsonByParts(text, readJson).read();
}

let keysMarked = 0;

/**
 * Parses with a mark before each key that no other key of this process ever had. V8 takes a key that has an escape for one that it
 * knows from an object of the same shape, where the text begins like that one (github.com/nodejs/node/issues/63785): after
 * `{"a":1,"\\":2}` it reads `{"a":1,"\"":2}` as the former.
 */
export function parseKeysApart(text: string): unknown {
  const parts: string[] = [];
  let from = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    const begin = at + 1;
    at = endOfString(text, at);
    // No JSON: the parser says so.
    if (at < 0) break;
    COLON.lastIndex = at + 1;
    if (!COLON.test(text)) continue;
    parts.push(text.slice(from, begin), `${keysMarked++}:`);
    from = begin;
  }
  return withoutMarks(JSON.parse(parts.join('') + text.slice(from)));
}

function withoutMarks(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutMarks);
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([key, inner]) => [key.slice(key.indexOf(':') + 1), withoutMarks(inner)]),
  );
}
