import { tryParseUrn } from '../../catalog/urn/index.js';
import { withArticle } from '../../catalog/with-article.js';
import { listCell, readList } from './cells.js';
import { changedList } from './changed-list.js';
import type { Value } from './csv-catalog.js';
import type { CsvField } from './csv-field.js';
import { columnEntry, putColumnEntry, type Subject } from './draft.js';

/** Says where something refers to other entities. */
interface References {
  readonly header: string;
  readonly aspect: string;
  /** The member of the aspect that lists them. */
  readonly list: string;
  /** The member of an entry that is the URN; undefined where the entry is the URN. */
  readonly urn?: string;
  /** What the URNs may be of. */
  readonly type: string;
  /** Whether people write it about columns as well, under the name of the aspect. */
  readonly ofColumns: boolean;
  /** What else the aspect must say. */
  also?(next: Value, current: Value | undefined): Value;
  /** A single one without brackets. */
  readonly bare?: boolean;
}

type Entry = string | Record<string, unknown>;

/** References to other entities by their URNs: tags, terms, domains. */
export function referenceField(references: References): CsvField {
  const { header, aspect, list, urn, type, ofColumns, bare = false } = references;
  const urnOf = (entry: Entry): string => (typeof entry === 'string' ? entry : String(entry[urn!]));
  const holder = (subject: Subject): Value | undefined =>
    subject.column === undefined
      ? subject.draft.value(aspect)
      : (columnEntry(subject)?.[aspect] as Value | undefined);
  const entriesOf = (subject: Subject): Entry[] => (holder(subject)?.[list] ?? []) as Entry[];
  const urnsIn = (cell: string): string[] =>
    [...new Set(readList(cell).map((text) => text.trim()))].filter(Boolean);
  return {
    headers: [header],
    aspects: (spec) => (spec.aspects.has(aspect) ? [aspect] : []),
    fits: ({ draft, column }) => (column === undefined ? draft.spec.aspects.has(aspect) : ofColumns),
    cells(subject) {
      const urns = entriesOf(subject).map(urnOf);
      return [bare && urns.length === 1 ? urns[0]! : listCell(urns)];
    },
    mentions([cell = ''], subject) {
      const there = new Set(entriesOf(subject).map(urnOf));
      return urnsIn(cell).filter((text) => !there.has(text) && tryParseUrn(text)?.type === type);
    },
    apply(subject, [cell = ''], mode, { line, plan, exists }) {
      const current = entriesOf(subject);
      const there = new Set(current.map(urnOf));
      const urns = urnsIn(cell);
      for (const text of urns) {
        if (there.has(text)) continue;
        const wrong =
          tryParseUrn(text)?.type !== type
            ? `is no URN of ${withArticle(type)}`
            : exists(text)
              ? undefined
              : 'does not exist';
        if (wrong !== undefined) plan.faults.push({ column: header, message: `${text} ${wrong}` });
      }
      const wanted = urns.map((name) => ({
        name,
        matches: (entry: Entry) => urnOf(entry) === name,
        make: (): Entry => (urn === undefined ? name : { [urn]: name }),
      }));
      // What is single in the file is replaced, as a description is.
      const replaces = bare && wanted.length > 0;
      const next = changedList(header, current, wanted, replaces ? { override: true } : mode, plan, urnOf);
      if (next === undefined) return;
      const before = holder(subject);
      const value = { ...before, [list]: next };
      const whole = { ...value, ...references.also?.(value, before) };
      if (subject.column === undefined) subject.draft.put(aspect, whole, line);
      else putColumnEntry(subject, { ...columnEntry(subject), [aspect]: whole }, line);
    },
  };
}
