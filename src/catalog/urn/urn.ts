/** What is wrong with a text that should have been a URN. */
export type UrnFault =
  | 'empty'
  | 'blank'
  | 'too-long'
  | 'control-character'
  | 'lone-surrogate'
  | 'prefix'
  | 'type'
  | 'id'
  | 'parentheses';

/** Thrown by `parseUrn`; `reason` is for code, `message` says what is wrong and where. */
export class UrnError extends Error {
  override readonly name = 'UrnError';

  constructor(
    readonly reason: UrnFault,
    message: string,
  ) {
    super(message);
  }
}

/**
 * A parsed URN, `urn:li:<type>:<id>`. `parts` are the pieces of a tuple id, split at its top-level commas;
 * any other id is its own single part. Nothing is decoded or trimmed: `text` is what was given, byte for byte.
 * Source: specification, section "Identifiers (URNs)".
 */
export interface Urn {
  readonly text: string;
  readonly type: string;
  readonly id: string;
  readonly parts: readonly string[];
}

/** The longest URN in UTF-8 bytes: the width of the column that URNs are keyed by. */
export const MAX_URN_BYTES = 512;

const PREFIX = 'urn:li:';
const OPEN = 0x28;
const CLOSE = 0x29;
const COMMA = 0x2c;

/**
 * Reads a URN.
 * @throws UrnError when the text is none: wrong prefix, no type or id, more than 512 bytes, control characters,
 *   lone surrogates, leading or trailing blanks, or a tuple whose parentheses do not balance.
 */
export function parseUrn(text: string): Urn {
  const fault = checkCharacters(text);
  if (fault) throw fault;
  if (!text.startsWith(PREFIX)) {
    throw new UrnError('prefix', `a URN starts with "${PREFIX}", this text does not: ${shown(text)}`);
  }
  const colon = text.indexOf(':', PREFIX.length);
  const type = text.slice(PREFIX.length, colon < 0 ? undefined : colon);
  if (!isTypeName(type)) {
    throw new UrnError('type', `no entity type after "${PREFIX}" in ${shown(text)}`);
  }
  const id = colon < 0 ? '' : text.slice(colon + 1);
  if (id === '') throw new UrnError('id', `no id after the entity type in ${shown(text)}`);
  return { text, type, id, parts: splitTuple(text, id, colon + 1) };
}

/** The parsed URN, or undefined when the value is not one. */
export function tryParseUrn(text: unknown): Urn | undefined {
  if (typeof text !== 'string' || !text.startsWith(PREFIX)) return undefined;
  try {
    return parseUrn(text);
  } catch (error) {
    if (error instanceof UrnError) return undefined;
    throw error;
  }
}

/** Entity types whose ids start with a vendor word, `platform.string`; which word it is does not matter. */
const VENDOR_NAMED_TYPES = new Set(['dataType', 'entityType']);

/**
 * Whether two URNs name the same thing. Byte for byte, except that the vendor word in front of data types and
 * entity types is ignored: `urn:li:dataType:platform.string` is `urn:li:dataType:acme.string`.
 */
export function sameNeutralName(a: string, b: string): boolean {
  return a === b || canonicalUrn(a, '') === canonicalUrn(b, '');
}

/** Whether the URN has a vendor word, so that others may name the same thing. */
export function hasVendorWord(urn: string): boolean {
  return canonicalUrn(urn, '') !== urn;
}

/** The URN with the vendor word of the service, for data types and entity types; any other URN unchanged. */
export function canonicalUrn(urn: Urn | string, vendor: string): string {
  const text = typeof urn === 'string' ? urn : urn.text;
  const colon = text.indexOf(':', PREFIX.length);
  if (colon < 0 || !VENDOR_NAMED_TYPES.has(text.slice(PREFIX.length, colon))) return text;
  const dot = text.indexOf('.', colon);
  return dot < 0 ? text : `${text.slice(0, colon + 1)}${vendor}${text.slice(dot)}`;
}

/** One pass over the text: its size in UTF-8, and the characters a URN must not hold. */
function checkCharacters(text: string): UrnError | undefined {
  if (text === '') return new UrnError('empty', 'a URN must not be empty');
  // Every character takes at least one byte, so this also bounds the work below.
  if (text.length > MAX_URN_BYTES) return tooLong(Buffer.byteLength(text));
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x20 && code < 0x7f) continue;
    if (code < 0x20 || (code >= 0x7f && code <= 0x9f)) {
      return new UrnError('control-character', `control character ${codePoint(code)} at character ${at}`);
    }
    if (code < 0xd800 || code > 0xdfff) {
      bytes += code < 0x800 ? 1 : 2;
      continue;
    }
    const next = text.charCodeAt(at + 1);
    if (code > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) {
      return new UrnError(
        'lone-surrogate',
        `half of a surrogate pair, ${codePoint(code)}, at character ${at}`,
      );
    }
    // A pair is two UTF-16 units and four bytes.
    bytes += 2;
    at++;
  }
  if (bytes > MAX_URN_BYTES) return tooLong(bytes);
  if (text.trim() !== text) return new UrnError('blank', 'a URN has no leading or trailing blanks');
  return undefined;
}

function tooLong(bytes: number): UrnError {
  return new UrnError('too-long', `a URN has at most ${MAX_URN_BYTES} bytes, this one has ${bytes}`);
}

function isTypeName(type: string): boolean {
  if (type === '') return false;
  for (let at = 0; at < type.length; at++) {
    const code = type.charCodeAt(at);
    const letter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
    const other = (code >= 0x30 && code <= 0x39) || code === 0x5f || code === 0x2d;
    if (!letter && !other) return false;
  }
  return true;
}

/**
 * The parts of a tuple id. An id that merely begins with a parenthesis, "(a) or (b)", is no tuple: its first
 * parenthesis closes before the end. A plain id may hold any parentheses, "smile :)".
 */
function splitTuple(text: string, id: string, offset: number): readonly string[] {
  if (id.charCodeAt(0) !== OPEN) return [id];
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  let tuple = true;
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    if (code === OPEN) depth++;
    else if (code === CLOSE) {
      depth--;
      if (depth < 0) {
        throw new UrnError('parentheses', `")" at character ${offset + at} closes nothing in ${shown(text)}`);
      }
      if (depth === 0 && at < id.length - 1) tuple = false;
    } else if (code === COMMA && depth === 1) {
      parts.push(id.slice(start, at));
      start = at + 1;
    }
  }
  if (depth > 0) {
    throw new UrnError('parentheses', `${depth} "(" not closed at the end of ${shown(text)}`);
  }
  if (!tuple) return [id];
  parts.push(id.slice(start, -1));
  return parts;
}

function shown(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
}

function codePoint(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const columnsOf = (dataset: string): string => `urn:li:schemaField:(${dataset},`;

/** What separates parts of a URN, as clients encode it in the path of a column. */
const ENCODED = { '(': '%28', ')': '%29', ',': '%2C', '\u241f': '%E2%90%9F' } as const;

/** The URN of a column of a dataset, by its path in the schema. What separates parts of a URN is encoded. */
export const columnUrn = (dataset: string, path: string): string =>
  `${columnsOf(dataset)}${path.replaceAll(/[(),\u241f]/g, (sign) => ENCODED[sign as keyof typeof ENCODED])})`;

/** The path of a column in the schema, by the part of its URN. */
export const columnPath = (part: string): string =>
  part.replaceAll(/%28|%29|%2C|%E2%90%9F/gi, decodeURIComponent);

/** What a column belongs to, and its path in the schema; undefined unless the URN is that of a column. */
export function columnIn(urn: string): { readonly parent: string; readonly path: string } | undefined {
  const named = tryParseUrn(urn);
  const [parent, part] = named?.parts ?? [];
  if (named?.type !== 'schemaField' || parent === undefined || part === undefined) return undefined;
  return { parent, path: columnPath(part) };
}

/** The path of a column without the types of the second form, as people write it: `[version=2.0].[type=int].a` → `a`. */
export const simpleColumnPath = (path: string): string =>
  path.startsWith('[version=2.0]') ? path.replaceAll(/\[(?:version|type|key)=[^\]]*\]\.?/g, '') : path;

/** Tells the columns of a dataset by their URNs. */
export function columnOf(dataset: string): (urn: string) => boolean {
  const start = columnsOf(dataset);
  return (urn) => urn.startsWith(start);
}
