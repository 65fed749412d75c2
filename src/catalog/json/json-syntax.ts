import type { Steps } from '../schedule/index.js';

/** How much of the text an error message may show: enough to find the place, too little to leak a secret. */
const SHOWN = 12;

/** Characters, or lines, that are looked at in one go. */
const LOOKED_AT = 64 * 1024;

const LITERAL = /(?:true|false|null)(?![\w.+-])/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

type Expected = 'a value' | 'a value or "]"' | 'a key or "}"' | 'a key' | '":"' | '","' | 'the end';

/**
 * Says in one sentence where a text that `JSON.parse` refused stops being JSON. The parser's own message names no
 * position in some cases and quotes the text in others.
 */
export function* describeSyntaxError(text: string): Steps<string> {
  const { at, expected } = yield* locate(text);
  let line = 1;
  let lineBegins = 0;
  for (let feed = text.indexOf('\n'); feed >= 0 && feed < at; feed = text.indexOf('\n', lineBegins)) {
    line += 1;
    lineBegins = feed + 1;
    if (line % LOOKED_AT === 0) yield;
  }
  const column = at - lineBegins + 1;
  const found = at >= text.length ? 'the text ends' : `found ${JSON.stringify(text.slice(at, at + SHOWN))}`;
  return `not valid JSON at position ${at} (line ${line}, column ${column}): expected ${expected}, ${found}`;
}

/** The first position at which no JSON text can go on as this one does. */
function* locate(text: string): Steps<{ at: number; expected: string }> {
  const open: string[] = [];
  let expected: Expected = 'a value';
  let at = 0;
  let pause = LOOKED_AT;
  const afterValue = (): Expected => (open.length === 0 ? 'the end' : '","');
  for (;;) {
    while (at < text.length && at < pause && ' \t\n\r'.includes(text.charAt(at))) at++;
    if (at >= pause) {
      pause = at + LOOKED_AT;
      yield;
      continue;
    }
    if (at >= text.length) return { at, expected };
    const char = text.charAt(at);
    const inObject = open.at(-1) === '{';
    if (expected === '":"') {
      if (char !== ':') return { at, expected };
      expected = 'a value';
      at++;
    } else if (expected === '","') {
      const close = inObject ? '}' : ']';
      if (char === close) {
        open.pop();
        expected = afterValue();
      } else if (char === ',') expected = inObject ? 'a key' : 'a value';
      else return { at, expected: `"," or "${close}"` };
      at++;
    } else if (expected === 'the end') {
      return { at, expected };
    } else if (
      (expected === 'a key or "}"' && char === '}') ||
      (expected === 'a value or "]"' && char === ']')
    ) {
      open.pop();
      expected = afterValue();
      at++;
    } else if (expected === 'a key' || expected === 'a key or "}"') {
      if (char !== '"') return { at, expected };
      const string = readString(text, at);
      if (string.fault) return { at: string.at, expected: string.fault };
      at = string.at;
      expected = '":"';
    } else if (char === '{' || char === '[') {
      open.push(char);
      expected = char === '{' ? 'a key or "}"' : 'a value or "]"';
      at++;
    } else {
      const end = char === '"' ? readString(text, at) : readScalar(text, at);
      if (end.fault) return { at: end.at, expected: end.fault };
      at = end.at;
      expected = afterValue();
    }
  }
}

function readString(text: string, open: number): { at: number; fault?: string } {
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { at: at + 1 };
    if (code < 0x20) return { at, fault: 'no control character inside a string' };
    if (code !== 0x5c) continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return { at, fault: 'a known escape' };
    at = ESCAPE.lastIndex - 1;
  }
  return { at: text.length, fault: 'a closing quote' };
}

function readScalar(text: string, at: number): { at: number; fault?: string } {
  for (const pattern of [LITERAL, NUMBER]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return { at: pattern.lastIndex };
  }
  return { at, fault: 'a value' };
}
