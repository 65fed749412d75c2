import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Parser } from 'csv-parse';

/** A file that cannot be read on; the message names the line. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** One row: cells by the name of their column. */
export interface CsvRow {
  /** Where it begins; counted from 1. */
  readonly line: number;
  readonly cells: ReadonlyMap<string, string>;
}

/** What a file is: which columns it has, and what stands between its cells. */
export interface CsvHead {
  readonly columns: readonly string[];
  readonly delimiter: string;
}

/** Most characters of a row: what is longer is no table. */
const LONGEST_ROW = 8 * 1024 * 1024;
const BOM = '\ufeff';

/**
 * Reads a file as spreadsheets write it: UTF-8 with or without a byte order mark, or UTF-16 with one; commas, semicolons or tabs;
 * lines that end with CR LF, LF or CR; `sep=;` in front; empty cells and rows at the end.
 * @param begin called with the first row, before the rows
 * @throws CsvError
 */
export async function* readCsv(path: string, begin: (head: CsvHead) => void): AsyncGenerator<CsvRow> {
  const texts = decoded(path);
  const { text, skipped } = withoutSeparatorLine(await firstLines(texts));
  const delimiter = skipped?.delimiter ?? delimiterOf(text);
  const { CsvError: ParserError, parse } = await import('csv-parse');
  const parser: Parser = parse({
    delimiter,
    info: true,
    max_record_size: LONGEST_ROW,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const source = Readable.from(joined(text, texts));
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  let line = 1 + (skipped?.lines ?? 0);
  let columns: string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      const at = line;
      line = info.lines + (skipped?.lines ?? 0) + 1;
      if (columns === undefined) {
        columns = columnsOf(record, at);
        begin({ columns, delimiter });
      } else if (record.some((cell) => cell !== '')) yield { line: at, cells: cellsOf(record, columns, at) };
    }
  } catch (error) {
    if (!(error instanceof ParserError)) throw error;
    const { lines } = error as { lines?: number };
    throw new CsvError(`line ${(lines ?? line) + (skipped?.lines ?? 0)}: ${error.message}`);
  }
  if (columns === undefined) throw new CsvError(`${path} is empty: the first line names the columns`);
}

async function* decoded(path: string): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let line = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const wide = chunk[0] === 0xff && chunk[1] === 0xfe;
    decoder ??= new TextDecoder(wide ? 'utf-16le' : 'utf-8', { fatal: true });
    const text = decode(() => decoder!.decode(chunk, { stream: true }), line, chunk);
    line += text.split('\n').length - 1;
    if (text !== '') yield text;
  }
  if (decoder) decode(() => decoder.decode(), line);
}

function decode(read: () => string, line: number, chunk: Buffer = Buffer.alloc(0)): string {
  try {
    return read();
  } catch {
    throw new CsvError(
      `line ${line + newlinesBeforeFault(chunk)}: this is not UTF-8. Save the file as "CSV UTF-8" in your spreadsheet program`,
    );
  }
}

/** Newlines of a chunk before its first line that is not UTF-8. */
function newlinesBeforeFault(chunk: Buffer): number {
  let count = 0;
  for (
    let start = 0, end = chunk.indexOf('\n');
    end >= 0;
    start = end + 1, end = chunk.indexOf('\n', start)
  ) {
    if (!isUtf8(chunk.subarray(start, end))) break;
    count += 1;
  }
  return count;
}

/** The beginning, with a whole first and second line where there are. */
async function firstLines(texts: AsyncGenerator<string>): Promise<string> {
  let text = '';
  while ((text.match(/\n/g)?.length ?? 0) < 2 && text.length < LONGEST_ROW) {
    const next = await texts.next();
    if (next.done) break;
    text += next.value;
  }
  return text.startsWith(BOM) ? text.slice(1) : text;
}

async function* joined(first: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first;
  yield* rest;
}

function withoutSeparatorLine(text: string): { text: string; skipped?: { delimiter: string; lines: 1 } } {
  const found = /^sep=([,;\t])(?:\r\n|\n|\r)/i.exec(text);
  if (!found) return { text };
  return { text: text.slice(found[0].length), skipped: { delimiter: found[1]!, lines: 1 } };
}

/** What the names of the columns are divided by. */
function delimiterOf(text: string): string {
  const header = text.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0]!;
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: header.split(sign).length }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).sign;
}

function columnsOf(record: readonly string[], line: number): string[] {
  const columns = record.map((name) => name.trim());
  while (columns.at(-1) === '') columns.pop();
  const repeated = columns.find((name, i) => columns.indexOf(name) < i);
  if (repeated !== undefined) throw new CsvError(`line ${line}: there are two columns "${repeated}"`);
  return columns;
}

function cellsOf(record: readonly string[], columns: readonly string[], line: number): Map<string, string> {
  const extra = record.findIndex((cell, i) => i >= columns.length && cell !== '');
  if (extra >= 0) throw new CsvError(`line ${line}: cell ${extra + 1} has no column: a quote may be missing`);
  return new Map(columns.map((name, i) => [name, record[i] ?? '']));
}

/** Makes lines of rows, as RFC 4180 has them. */
export async function csvWriter(delimiter: string): Promise<(rows: readonly string[][]) => string> {
  const { stringify } = await import('csv-stringify/sync');
  return (rows) =>
    stringify([...rows], { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n\t;,]|^\s|\s$/ });
}

/** In front of a file it tells spreadsheet programs that this is UTF-8. */
export const BYTE_ORDER_MARK = BOM;
