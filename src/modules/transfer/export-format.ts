import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { SystemMetadata } from '../../catalog/change/index.js';
import { readJson } from '../../catalog/json/index.js';
import { CHECK_BYTES } from './line-checksums.js';

/** Raised when a reader of the version before could not read a file. */
export const EXPORT_FORMAT = 1;

/** What an export holds besides entities with the latest values of their aspects, and which entities. */
export interface ExportSelection {
  /** Only entities of these types; none: of all. */
  readonly entityTypes: readonly string[];
  /** Only entities whose URN has one of these forms, where `*` stands for any text; none: all. */
  readonly urns: readonly string[];
  /** Only entities that a search for this finds. */
  readonly query?: string;
  /** Earlier values, and what is known of deleted entities. */
  readonly history: boolean;
  /** Events of time-series aspects. */
  readonly timeseries: boolean;
  /** Aspects that the model marks as secret, which no other surface shows. */
  readonly secrets: boolean;
  /** What is known of access tokens, without the tokens. */
  readonly tokens: boolean;
}

interface Stamp {
  /** Epoch milliseconds. */
  readonly time: number;
  readonly actor: string;
}

export interface HeaderLine extends ExportSelection {
  readonly kind: 'catalog-export';
  readonly format: number;
  /** Fingerprint of the model of the catalog. */
  readonly model: string;
}

/** Comes before all lines of its entity. */
export interface EntityLine {
  readonly kind: 'entity';
  readonly entityType: string;
  readonly entityUrn: string;
  readonly created: Stamp;
  /** It was deleted, and nothing but this is left of it. */
  readonly deleted?: true;
  /** The versions of deleted aspects, from which later values count on. */
  readonly deletedAspects?: Readonly<Record<string, number>>;
  /** Names that belong to this entity alone, such as those of search fields. */
  readonly names?: readonly string[];
}

interface OfAspect {
  readonly entityType: string;
  readonly entityUrn: string;
  readonly aspectName: string;
  readonly aspect: { readonly json: Record<string, unknown> };
  readonly systemMetadata: SystemMetadata;
  readonly created: Stamp;
}

/** `aspect`: the latest value. `history`: an earlier one. */
export interface ValueLine extends OfAspect {
  readonly kind: 'aspect' | 'history';
  readonly version: number;
}

export interface EventLine extends OfAspect {
  readonly kind: 'event';
  /** Epoch milliseconds. */
  readonly time: number;
  /** Tells events of one instant apart. */
  readonly message: string;
}

export interface TokenLine {
  readonly kind: 'token';
  readonly id: string;
}

/** Lines of each kind. */
export type ExportCounts = Record<'entities' | 'aspects' | 'history' | 'events' | 'tokens', number>;

export interface EndLine extends ExportCounts {
  readonly kind: 'end';
  /** Lines before this one. */
  readonly lines: number;
  /** Where the change feed goes on; readers may see changes again that are in the file. */
  readonly cursor?: string;
  /** Of all bytes before this line, hexadecimal. */
  readonly sha256: string;
}

/** What stands between the header and the end. */
export type BodyLine = EntityLine | ValueLine | EventLine | TokenLine;
export type ExportLine = HeaderLine | BodyLine | EndLine;

/** A file that is no export, or not the one that was written; the message names the line. */
export class ExportFileError extends Error {
  override readonly name = 'ExportFileError';
}

const NEWLINE = '\n';

/** A line of a file, counted from 1. */
export interface NumberedLine<L = ExportLine> {
  readonly number: number;
  readonly line: L;
  /** Length in bytes, newline included. */
  readonly bytes: number;
}

/**
 * Reads the lines of an export and checks each before it is answered.
 * @throws ExportFileError naming the line that was changed, or after which the file was cut
 */
export async function* readExport(lines: AsyncIterable<Buffer>): AsyncGenerator<NumberedLine> {
  const hash = createHash('sha256');
  let check = 0;
  let number = 0;
  let end: EndLine | undefined;
  for await (const text of lines) {
    number += 1;
    if (end) throw new ExportFileError(`line ${number}: it stands behind the end of the export`);
    const own = checkOf(text, check);
    const intact = own !== undefined;
    check = own ?? 0;
    const line = intact ? (readJson(text.toString()) as ExportLine) : undefined;
    if (number === 1) checkHeader(line ?? headerOf(text), intact);
    if (line === undefined)
      throw new ExportFileError(
        `line ${number}: it is not the line that was written: it was changed or cut, or lines are missing, added or moved`,
      );
    if (line.kind === 'end') {
      checkEnd(line, number, hash.digest('hex'));
      end = line;
    } else hash.update(text).update(NEWLINE);
    yield { number, line, bytes: text.length + 1 };
  }
  if (end === undefined)
    throw new ExportFileError(
      `line ${number + 1}: the export ends before its last line: the rest is missing`,
    );
}

/** The check of a line, after that of the line before; undefined where the line does not have it. */
export function checkOf(text: Buffer, before: number): number | undefined {
  const check = crc32(text.subarray(0, Math.max(0, text.length - CHECK_BYTES)), before);
  return text.toString('latin1', text.length - CHECK_BYTES) === `,"check":"${hexOf(check)}"}`
    ? check
    : undefined;
}

/** Whether a file begins as an export does. */
export function isExport(beginning: Buffer): boolean {
  return beginning.subarray(0, 24).toString('latin1').startsWith('{"kind":"catalog-export"');
}

function headerOf(text: Buffer): unknown {
  try {
    return readJson(text.toString());
  } catch {
    return undefined;
  }
}

function checkHeader(line: unknown, intact: boolean): void {
  const { kind, format } = (line ?? {}) as Partial<HeaderLine>;
  if (kind !== 'catalog-export') throw new ExportFileError('line 1: it is no header of an export (/kind)');
  if (format !== EXPORT_FORMAT && intact)
    throw new ExportFileError(
      `line 1: it is of format ${String(format)}, and this version reads format ${EXPORT_FORMAT} (/format)`,
    );
}

function checkEnd({ lines, sha256 }: EndLine, number: number, found: string): void {
  if (lines !== number - 1)
    throw new ExportFileError(
      `line ${number}: ${lines} lines were written before it, here are ${number - 1} (/lines)`,
    );
  if (sha256 !== found)
    throw new ExportFileError(`line ${number}: the lines before it have another checksum (/sha256)`);
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const byteOf = (check: number, shift: number): string => BYTES[(check >>> shift) & 0xff] ?? '';

/** Eight digits; each line has a check, and numbers of more than 31 bits are slow to print. */
function hexOf(check: number): string {
  return byteOf(check, 24) + byteOf(check, 16) + byteOf(check, 8) + byteOf(check, 0);
}
