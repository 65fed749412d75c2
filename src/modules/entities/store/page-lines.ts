import {
  nextNumber,
  nextText,
  TextBytes,
  type RowBytes,
  type RowStatement,
  type SqlReader,
  type SqlValue,
} from '../../../catalog/store/index.js';
import type { ClaimRow } from './claim.row.js';
import type { DeletedAspectRow } from './deleted-aspect.row.js';
import type { LineParts, PageHead } from './whole-page.query.js';

/** The most bytes of a character of a string. */
const WIDEST = 3;

/** Tells the parts of a line apart: those without a mark are columns. */
const MARKS = { literal: (text: string) => `'${text}`, quoted: (column: string) => `"${column}` };

/** Lines of one entity, one after the other. */
interface LineSpan {
  readonly start: number;
  end: number;
  count: number;
}

/** How lines are made of rows: texts and columns in turns, behind a beginning that all lines of an entity have. */
class LineForm {
  readonly columns: string[] = [];
  private readonly quoted: boolean[] = [];
  private readonly head: string[] = [];
  private readonly texts: Buffer[] = [];
  /** The last text of each column that was quoted: mostly it is that of the next row as well. */
  private readonly last: Array<{ column: Buffer; json: Buffer }> = [];

  constructor(parts: LineParts) {
    const between: string[][] = [];
    for (const part of parts(MARKS)) {
      const [, mark, column] = /^("?)v\.(\w+)$/.exec(part) ?? [];
      if (column !== undefined) {
        this.columns.push(column);
        this.quoted.push(mark !== '');
        between.push([]);
      } else (between.at(-1) ?? this.head).push(part);
    }
    this.texts = between.map((some) => Buffer.from(some.map((part) => part.slice(1)).join('')));
    this.last = between.map(() => ({ column: Buffer.alloc(0), json: Buffer.from('""') }));
  }

  beginning(head: PageHead): Buffer {
    const text = this.head.map((part) => {
      if (part.startsWith("'")) return part.slice(1);
      const value = head[part.replace(/^"?e\./, '') as 'urn' | 'type'];
      return part.startsWith('"') ? JSON.stringify(value) : value;
    });
    return Buffer.from(text.join(''));
  }

  /** Adds what comes after the beginning. */
  add(row: RowBytes, lines: PageLines): void {
    for (let i = 0; i < this.texts.length; i += 1) {
      row.next();
      if (this.quoted[i]!) this.addQuoted(i, row, lines);
      else lines.put(row.bytes, row.start, row.end);
      const text = this.texts[i]!;
      lines.put(text, 0, text.length);
    }
  }

  private addQuoted(i: number, { bytes, start, end }: RowBytes, lines: PageLines): void {
    const last = this.last[i]!;
    if (last.column.compare(bytes, start, end) !== 0) {
      last.column = Buffer.from(bytes.subarray(start, end));
      last.json = Buffer.from(JSON.stringify(last.column.toString()));
    }
    lines.put(last.json, 0, last.json.length);
  }
}

/** The lines of the entities of a page, made of rows that come in the order of the numbers of the entities. */
export class PageLines extends TextBytes {
  private readonly forms = new Map<LineParts, LineForm>();

  /**
   * Makes lines of the rows of a table.
   * @param from `rest` is the statement behind the name of the table; it orders the rows by `entity_id` first
   * @returns the statement to run, and where the lines of each entity stand once it has run
   */
  of(
    parts: LineParts,
    from: { table: string; rest: string; params: readonly SqlValue[] },
    heads: ReadonlyMap<number, PageHead>,
  ): { statement: RowStatement; spans: Map<number, LineSpan> } {
    const form = this.forms.get(parts) ?? new LineForm(parts);
    this.forms.set(parts, form);
    const spans = new Map<number, LineSpan>();
    let [last, beginning]: [number | undefined, Buffer] = [undefined, Buffer.alloc(0)];
    let span: LineSpan = { start: 0, end: 0, count: 0 };
    const each = (row: RowBytes): void => {
      const id = nextNumber(row);
      if (id !== last) {
        last = id;
        beginning = form.beginning(heads.get(id)!);
        spans.set(id, (span = { start: this.used, end: this.used, count: 0 }));
      }
      this.put(beginning, 0, beginning.length);
      form.add(row, this);
      span.end = this.used;
      span.count += 1;
    };
    const sql = `SELECT entity_id, ${form.columns.join(', ')} FROM ${from.table} ${from.rest}`;
    return { statement: { sql, params: from.params, each }, spans };
  }

  /** Adds a line. */
  text(line: string): LineSpan {
    const start = this.used;
    this.room(line.length * WIDEST);
    this.used += this.bytes.write(line, start);
    return { start, end: this.used, count: 1 };
  }
}

/** What the lines of heads have besides: it is there when the statements have been carried out. */
export function membersOf(
  { dialect }: SqlReader,
  heads: readonly PageHead[],
  filled: ReadonlySet<string>,
): {
  deleted: Map<number, DeletedAspectRow[]>;
  names: Map<number, ClaimRow[]>;
  statements: RowStatement[];
} {
  const among = dialect.in(
    'entity_id',
    heads.map(({ id }) => id),
  );
  const select = <R extends { entity_id: number }>(
    table: string,
    columns: string,
    rowOf: (row: RowBytes) => R,
  ): { found: Map<number, R[]>; statements: RowStatement[] } => {
    const found = new Map<number, R[]>();
    const sql = `SELECT entity_id, ${columns} FROM ${table} WHERE ${among.sql} ORDER BY entity_id, ${columns}`;
    const each = (bytes: RowBytes): void => {
      const row = rowOf(bytes);
      const known = found.get(row.entity_id);
      if (known) known.push(row);
      else found.set(row.entity_id, [row]);
    };
    return { found, statements: filled.has(table) ? [{ sql, params: among.params, each }] : [] };
  };
  const deleted = select('deleted_aspect', 'aspect, version', (row) => ({
    ...{ entity_id: nextNumber(row), aspect: nextText(row), version: nextNumber(row) },
  }));
  const names = select('claim', 'name', (row) => ({ entity_id: nextNumber(row), name: nextText(row) }));
  return {
    deleted: deleted.found,
    names: names.found,
    statements: [...deleted.statements, ...names.statements],
  };
}

/** @param row of the columns of a head, in their order */
export function headOf(row: RowBytes): PageHead {
  const [id, urn, type] = [nextNumber(row), nextText(row), nextText(row)];
  const [live, created_at, created_by] = [nextNumber(row), Number(nextText(row)), nextText(row)];
  return { id, urn, type, live, created_at, created_by };
}
