import { refuse } from '../../../catalog/errors/index.js';

/** Characters of a document: the parser needs up to 0.1 microseconds for each. Large values belong into variables. */
const MAX_LENGTH = 1_048_576;
/** How deep brackets may stand in each other: the parser calls itself for each, and has one stack. */
const MAX_NESTING = 250;
/** Characters of one name. Names stand in messages, of which one document may cause a hundred. */
const MAX_NAME = 256;

/**
 * Looks at the text of a document before it is parsed, once and without calling itself: what would exhaust the stack
 * or the memory of the parser is refused. Comments count as tokens here, because the parser keeps them.
 * @returns how many tokens it has, about
 * @throws CatalogError GRAPHQL_TOO_COSTLY
 */
export function checkSource(text: string, maxTokens: number): number {
  if (text.length > MAX_LENGTH)
    throw tooCostly(
      `the document has ${text.length} characters, at most ${MAX_LENGTH} are allowed; give large values as variables`,
    );
  let depth = 0;
  let deepest = 0;
  let comments = 0;
  let tokens = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    // Blanks and commas.
    if (char <= 0x20 || char === 0x2c) continue;
    tokens += 1;
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === HASH) {
      comments += 1;
      at = endOfLine(text, at);
    } else if (opens(char)) deepest = Math.max(deepest, (depth += 1));
    else if (closes(char)) depth -= 1;
    else if (isWord(char)) {
      const start = at;
      while (isWord(text.charCodeAt(at + 1))) at += 1;
      if (at + 1 - start > MAX_NAME)
        throw tooCostly(`a name has ${at + 1 - start} characters, at most ${MAX_NAME} are allowed`);
    }
  }
  if (deepest > MAX_NESTING)
    throw tooCostly(`brackets stand ${deepest} deep in each other, at most ${MAX_NESTING} are allowed`);
  if (comments > maxTokens)
    throw tooCostly(`the document has ${comments} comments, at most ${maxTokens} are allowed`);
  return tokens;
}

const QUOTE = 0x22;
const HASH = 0x23;
const BACKSLASH = 0x5c;

const opens = (char: number) => char === 0x28 || char === 0x5b || char === 0x7b;
const closes = (char: number) => char === 0x29 || char === 0x5d || char === 0x7d;
const isLineEnd = (char: number) => char === 0x0a || char === 0x0d;
const isWord = (char: number) =>
  (char >= 0x61 && char <= 0x7a) ||
  (char >= 0x41 && char <= 0x5a) ||
  (char >= 0x30 && char <= 0x39) ||
  char === 0x5f;

/** Where the string that begins at `start` ends: at its last quote, or where the parser will complain. */
function endOfString(text: string, start: number): number {
  if (text.startsWith('"""', start)) {
    let end = text.indexOf('"""', start + 3);
    while (end > 0 && text.charCodeAt(end - 1) === BACKSLASH) end = text.indexOf('"""', end + 3);
    return end < 0 ? text.length : end + 2;
  }
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    if (char === BACKSLASH) at += 1;
    else if (char === QUOTE || isLineEnd(char)) break;
  }
  return at;
}

function endOfLine(text: string, start: number): number {
  let at = start;
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1;
  return at;
}

function tooCostly(message: string) {
  return refuse('GRAPHQL_TOO_COSTLY', message, '/query');
}
