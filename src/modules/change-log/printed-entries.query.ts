import type { ChangeLogEntry } from '../../catalog/change/index.js';
import type { JsonStrings } from '../../catalog/json/index.js';
import {
  columnsOf,
  nextNumber,
  nextText,
  releaseBytes,
  TextBytes,
  type Database,
  type RowBytes,
  type TextExpressions,
  type TextForms,
} from '../../catalog/store/index.js';
import type { AspectHistoryRow, AspectRow, EntityRow } from '../entities/index.js';
import type { ChangeLogRow } from './entities/change-log.row.js';
import { RowText, ROW_TEXTS, type RowPart } from './row-text.js';

const c = columnsOf<ChangeLogRow>('c');
const e = columnsOf<EntityRow>('e');
const a = columnsOf<AspectRow>('a');
const h = columnsOf<AspectHistoryRow>('h');
const b = columnsOf<AspectHistoryRow>('b');

/** What an entry says. @typeParam T see {@link TextForms} */
export interface EntryColumns<T> extends Record<
  'entityType' | 'urn' | 'changeType' | 'aspect' | 'time' | 'actor',
  T
> {
  /** The value after the change. */
  readonly after: { readonly value: T; readonly systemMetadata: T };
  /** The value before it, and whether there was one. */
  readonly before: { readonly value: T; readonly systemMetadata: T; readonly isThere: T };
}

/** What is made of entries. */
export interface EntryTexts {
  /** The text of an entry of a versioned aspect. */
  entry<T>(texts: TextForms<T>, columns: EntryColumns<T>): T;
  /** What an answer has of these texts: to quote them where they are read takes the database several times as long. */
  readonly strings: JsonStrings;
}

/** Entries that follow each other, as they are printed. */
export interface PrintedEntries {
  /** How many, those of time series included, which have no text. */
  readonly entries: number;
  /** Bytes of the texts of the entries, as an answer has them or as the database does. */
  readonly size: number;
  /** The strings that an answer has of them, each with a line feed before it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What they are about, and whether they have a text; each once. */
  readonly kinds: ReadonlyArray<Pick<ChangeLogEntry, 'entityType' | 'aspect'> & { readonly told: boolean }>;
  /** Positions of those that have no text. */
  readonly silent: readonly number[];
  /** Position of the last one. */
  readonly last: number;
}

/** Whether the value after a change went with its entity. */
export const GONE = `EXISTS (SELECT 1 FROM deleted_version) AND EXISTS (
  SELECT 1 FROM deleted_version d WHERE d.entity_id = ${c.entity_id} AND d.aspect = ${c.aspect} AND d.sequence >= ${c.sequence})`;
/** The values after and before a change, of the same life of the entity: of most changes they are the latest one, and none. */
const AFTER = {
  value: `COALESCE(${a.value}, ${h.value})`,
  systemMetadata: `COALESCE(${a.system_metadata}, ${h.system_metadata})`,
};
const SAME = `${c.version_before} = ${c.version_after}`;
const BEFORE = {
  value: `CASE WHEN ${SAME} THEN ${AFTER.value} ELSE ${b.value} END`,
  systemMetadata: `CASE WHEN ${SAME} THEN ${AFTER.systemMetadata} ELSE ${b.system_metadata} END`,
  isThere: `${SAME} OR ${b.version} IS NOT NULL`,
};
/** Whether what an entry says is found elsewhere. To ask for the values again would read them again. */
const ABSENT = `${GONE} OR ${c.event} IS NULL AND (${a.version} IS NULL AND ${h.version} IS NULL
  OR ${c.version_before} > 0 AND NOT (${BEFORE.isThere}))`;

const COLUMNS: EntryColumns<string> = {
  ...{ entityType: e.type, urn: e.urn, changeType: c.change_type, aspect: c.aspect },
  ...{ time: c.time, actor: c.actor, after: AFTER, before: BEFORE },
};

/** With the position before the entries and their number as parameters. */
const ENTRIES = `FROM change_log c JOIN entity e ON ${e.id} = ${c.entity_id}
  LEFT JOIN aspect a ON ${a.entity_id} = ${c.entity_id} AND ${a.aspect} = ${c.aspect} AND ${a.version} = ${c.version_after}
  LEFT JOIN aspect_history h ON ${a.version} IS NULL
    AND ${h.entity_id} = ${c.entity_id} AND ${h.aspect} = ${c.aspect} AND ${h.version} = ${c.version_after}
  LEFT JOIN aspect_history b ON ${c.version_before} > 0
    AND ${b.entity_id} = ${c.entity_id} AND ${b.aspect} = ${c.aspect} AND ${b.version} = ${c.version_before}
  WHERE ${c.position} > ? ORDER BY ${c.position} LIMIT ?`;

/** What becomes of an entry. */
const [TOLD, SILENT, MISSED] = ['0', '1', '2'];
/** What an entry is about, and what becomes of it. */
const KIND = [
  ...[e.type, `' '`, c.aspect, `' '`],
  `CASE WHEN ${ABSENT} THEN '${MISSED}' WHEN ${c.event} IS NULL THEN '${TOLD}' ELSE '${SILENT}' END`,
];

/** What an entry is assumed to take that none was printed before. */
const FIRST_ENTRY = 2_000;

/** Reads entries as texts: those that the database makes, or that are made of the bytes of its rows. */
export class PrintedEntriesQuery {
  private readonly forms = new Map<EntryTexts, RowText>();
  private readonly statements = new Map<EntryTexts, string>();
  /** Bytes of an entry of those that were printed last. */
  private entry = FIRST_ENTRY;

  constructor(private readonly database: Database) {}

  async read(
    position: number,
    limit: number,
    made: EntryTexts,
    aside: boolean,
  ): Promise<PrintedEntries | undefined> {
    const { texts } = this.database.dialect;
    return texts === undefined
      ? this.ofRows(position, limit, made)
      : this.ofTexts(position, limit, made, texts, aside);
  }

  private async ofTexts(
    position: number,
    limit: number,
    made: EntryTexts,
    texts: TextExpressions,
    aside: boolean,
  ): Promise<PrintedEntries | undefined> {
    const sql = this.statements.get(made) ?? statementOf(made, texts);
    this.statements.set(made, sql);
    const [row] = await this.database[aside ? 'allAside' : 'all']<
      Pick<PrintedEntries, 'entries'> & {
        bytes: PrintedEntries['bytes'] | null;
        kinds: string | null;
        last: number | null;
      }
    >(sql, [position, limit]);
    // Of all entries, in their order: to have each once takes the database longer.
    const kinds = row?.kinds?.split(',') ?? [];
    const each = new Set(kinds);
    const fates = new Set([...each].map(fateOf));
    if (row === undefined || fates.has(MISSED)) return undefined;
    const lines = row.bytes ?? new Uint8Array();
    const bytes = made.strings.of(lines);
    releaseBytes(lines);
    return {
      ...{ entries: row.entries, size: bytes.length, bytes, kinds: [...each].map(kindOf) },
      silent: fates.has(SILENT) ? silentOf(kinds, position) : [],
      last: row.last ?? position,
    };
  }

  private async ofRows(
    position: number,
    limit: number,
    made: EntryTexts,
  ): Promise<PrintedEntries | undefined> {
    const form = this.forms.get(made) ?? new RowText(lineOf(ROW_TEXTS, made.entry(ROW_TEXTS, ROW_COLUMNS)));
    this.forms.set(made, form);
    // Mostly they find room in what is reserved, without copying.
    const text = new TextBytes(Buffer.allocUnsafeSlow(Math.ceil(1.25 * this.entry * limit)));
    const kinds = new Set<string>();
    const silent: number[] = [];
    let [entries, size, last, missed] = [0, 0, position, false];
    const each = (row: RowBytes): void => {
      last = nextNumber(row);
      entries += 1;
      const kind = nextText(row);
      const fate = fateOf(kind);
      kinds.add(kind);
      if (fate === MISSED) missed = true;
      else if (fate === SILENT) silent.push(last);
      else if (!missed) size += form.add(row, text);
    };
    const sql = `SELECT ${[c.position, `CONCAT(${KIND.join(', ')})`, ...form.columns].join(', ')} ${ENTRIES}`;
    await this.database.eachRow?.([{ sql, params: [position, limit], each }]);
    if (missed) return undefined;
    if (entries > silent.length) this.entry = text.length / (entries - silent.length);
    const bytes = made.strings.of(text.part());
    releaseBytes(text.part());
    return { entries, size, bytes, kinds: [...kinds].map(kindOf), silent, last };
  }
}

const lineOf = <T>(texts: TextForms<T>, text: T): T => texts.joined([texts.literal('\n'), text]);

/** One row has the texts of all entries. */
function statementOf(made: EntryTexts, texts: TextExpressions): string {
  return `SELECT COUNT(*) AS entries, MAX(position) AS last, ${texts.all('kind', ',')} AS kinds,
       ${texts.bytes('line')} AS bytes
     FROM (
       SELECT CASE WHEN ${c.event} IS NULL THEN ${lineOf(texts, made.entry(texts, COLUMNS))} END AS line,
         ${c.position} AS position, ${texts.joined(KIND)} AS kind ${ENTRIES}) made`;
}

const part = (column: string): readonly RowPart[] => [{ column, quoted: false }];
const ROW_COLUMNS: EntryColumns<readonly RowPart[]> = {
  ...{ entityType: part(e.type), urn: part(e.urn), changeType: part(c.change_type), aspect: part(c.aspect) },
  ...{ time: part(c.time), actor: part(c.actor) },
  after: { value: part(AFTER.value), systemMetadata: part(AFTER.systemMetadata) },
  before: {
    ...{ value: part(BEFORE.value), systemMetadata: part(BEFORE.systemMetadata) },
    isThere: part(BEFORE.isThere),
  },
};

/** Positions of the entries without a text, of those behind a position. */
const silentOf = (kinds: readonly string[], position: number): number[] =>
  kinds.flatMap((kind, i) => (fateOf(kind) === SILENT ? [position + 1 + i] : []));

const fateOf = (kind: string): string => kind.at(-1)!;

function kindOf(kind: string): PrintedEntries['kinds'][number] {
  const [entityType, aspect] = kind.split(' ') as [string, string];
  return { entityType, aspect, told: fateOf(kind) === TOLD };
}
