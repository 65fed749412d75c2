import { refuse } from '../errors/index.js';

const OPEN = 'List(';

/**
 * All values of a list parameter in a raw (still percent-encoded) query string, or undefined when it is absent.
 * Understood: `name=List(a,b)`, `name=a&name=b`, a plain `name=a`, and any mixture. In a list, commas and
 * parentheses that belong to a value are percent-encoded; balanced parentheses written as they are (a URN with a
 * tuple) are understood as well. The raw text is needed because decoding first would merge the two kinds of comma.
 */
export function listParameter(query: string, name: string): string[] | undefined {
  let values: string[] | undefined;
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    if (equals < 0 || decode(pair.slice(0, equals), name) !== name) continue;
    (values ??= []).push(...parseValue(pair.slice(equals + 1), name));
  }
  return values;
}

/** The query string of a request target, without the question mark; '' when there is none. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return '';
  const hash = target.indexOf('#', mark);
  return target.slice(mark + 1, hash < 0 ? undefined : hash);
}

function parseValue(raw: string, name: string): string[] {
  if (raw.startsWith(OPEN)) return parseList(raw, name).map((item) => decode(item, name));
  const plain = decode(raw, name);
  // HTTP libraries that build the query themselves encode the list as a whole. No URN and no name starts like this.
  return plain.startsWith(OPEN) ? parseList(plain, name) : [plain];
}

function parseList(text: string, name: string): string[] {
  const items: string[] = [];
  let depth = 1;
  let start = OPEN.length;
  for (let at = OPEN.length; at < text.length; at++) {
    const char = text[at];
    if (char === '(') depth++;
    else if (char === ')') {
      depth--;
      if (depth > 0) continue;
      if (at !== text.length - 1)
        throw malformed(name, `text after the closing parenthesis at character ${at}`);
      if (start === at && items.length === 0) return items;
      items.push(item(text.slice(start, at), name));
      return items;
    } else if (char === ',' && depth === 1) {
      items.push(item(text.slice(start, at), name));
      start = at + 1;
    }
  }
  throw malformed(name, 'the closing parenthesis is missing');
}

function item(text: string, name: string): string {
  if (text === '') throw malformed(name, 'an item of the list is empty');
  return text;
}

/** As in any query string, a plus sign stands for a blank. */
function decode(text: string, name: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw malformed(name, 'a percent sign is not followed by the bytes of UTF-8 text');
  }
}

function malformed(name: string, reason: string) {
  return refuse(
    'PARAMETER_INVALID',
    `the query parameter "${name}" is not a list such as List(a,b): ${reason}`,
    `/${name}`,
  );
}
