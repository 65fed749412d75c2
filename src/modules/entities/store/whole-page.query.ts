import type { TextExpressions } from '../../../catalog/store/index.js';

/** A text or column of a line, one after the other, with the columns of a row `v` and of its head `e`. */
export type LineParts = (texts: TextExpressions) => readonly string[];

/** How lines are made. What has no form is left out. */
export interface LineForms {
  readonly head: LineParts;
  /** Ends the line of the head, before which its deletions and names come. */
  readonly headEnd: LineParts;
  readonly aspect: LineParts;
  readonly history: LineParts | undefined;
  readonly event: LineParts | undefined;
}

/** Tables of which an entity has lines, with their order within an entity. */
const LINES = {
  aspect: { table: 'aspect', order: 'v.aspect' },
  history: { table: 'aspect_history', order: 'v.aspect, v.version' },
  event: { table: 'timeseries_aspect', order: 'v.aspect, v.time, v.message' },
} as const;
const KINDS = ['aspect', 'history', 'event'] as const;

/** What the statements of a page are made of. */
export interface PageSql {
  readonly texts: TextExpressions;
  readonly forms: LineForms;
  /** Selects the heads `e` of the page, with a condition on the entity table of the same name. */
  readonly heads: string;
  /** Tables that have rows. */
  readonly filled: ReadonlySet<string>;
  /** Aspects that are left out. */
  readonly without: readonly string[];
}

const rowsOf = (kind: (typeof KINDS)[number], { texts, without }: PageSql): string =>
  `${LINES[kind].table} v WHERE v.entity_id = e.id AND e.live = 1${without
    .map((name) => ` AND v.aspect <> ${texts.literal(name)}`)
    .join('')}`;

/** Which kinds of lines there can be. */
const kindsOf = ({ forms, filled }: PageSql): ReadonlyArray<(typeof KINDS)[number]> =>
  KINDS.filter((kind) => forms[kind] !== undefined && filled.has(LINES[kind].table));

/** How much a page has: one row of `entities`, the `last` URN, and lines of each kind. */
export function pageCountSql(page: PageSql): string {
  const kinds = kindsOf(page);
  const sums = KINDS.map((kind) => `${kinds.includes(kind) ? `SUM(${kind})` : '0'} AS ${kind}`);
  const counts = kinds.map((kind) => `, (SELECT COUNT(*) FROM ${rowsOf(kind, page)}) AS ${kind}`);
  return `SELECT COUNT(*) AS entities, MAX(urn) AS last, ${sums.join(', ')}
    FROM (SELECT e.urn AS urn${counts.join('')} FROM ${page.heads})`;
}

/** One row: `bytes`, the lines of all entities of a page, in their order. */
export function pageTextSql(page: PageSql): string {
  const { texts, forms, filled } = page;
  const parts = [...forms.head(texts)];
  if (filled.has('deleted_aspect'))
    parts.push(
      someOf(
        texts,
        ',"deletedAspects":{',
        `${texts.quoted('d.aspect')} || ':' || d.version`,
        '}',
        'd.aspect',
        ['deleted_aspect d', 'd.entity_id = e.id'],
      ),
    );
  if (filled.has('claim'))
    parts.push(
      someOf(texts, ',"names":[', texts.quoted('c.name'), ']', 'c.name', ['claim c', 'c.entity_id = e.id']),
    );
  parts.push(...forms.headEnd(texts));
  for (const kind of kindsOf(page)) {
    const line = texts.joined(forms[kind]!(texts));
    const rows = `SELECT ${line} AS line FROM ${rowsOf(kind, page)} ORDER BY ${LINES[kind].order}`;
    parts.push(`(SELECT ${texts.all('line', '')} FROM (${rows}))`);
  }
  return `SELECT ${texts.bytes('text')} AS bytes FROM (SELECT ${texts.joined(parts)} AS text FROM ${page.heads})`;
}

/** A member of the line of a head; NULL for a head that has no rows. */
function someOf(
  texts: TextExpressions,
  open: string,
  column: string,
  close: string,
  order: string,
  [table, condition]: readonly [string, string],
): string {
  const list = texts.joined([texts.literal(open), texts.all('one', ','), texts.literal(close)]);
  return `(SELECT ${list} FROM (SELECT ${column} AS one FROM ${table} WHERE ${condition} ORDER BY ${order}) HAVING COUNT(*) > 0)`;
}
