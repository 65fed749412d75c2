import type { TextExpressions } from '../../../catalog/store/index.js';
import type { ClaimRow } from './claim.row.js';
import type { DeletedAspectRow } from './deleted-aspect.row.js';
import type { EntityRow } from './entity.row.js';

/** A head, as far as an export tells of it. */
export type PageHead = Pick<EntityRow, 'id' | 'urn' | 'type' | 'live' | 'created_at' | 'created_by'>;

/** A text or column of a line, one after the other, with the columns of a row `v` and of its head `e`. */
export type LineParts = (texts: Pick<TextExpressions, 'literal' | 'quoted'>) => readonly string[];

/** How lines are made. What has no form is left out. */
export interface LineForms {
  /** @param members of the line that only some heads have, each with a comma before it */
  readonly head: (texts: TextExpressions, members: readonly string[]) => readonly string[];
  /** The same line, where the database does not make it. */
  readonly headText: (
    head: PageHead,
    deleted: readonly DeletedAspectRow[] | undefined,
    names: readonly ClaimRow[] | undefined,
  ) => string;
  readonly aspect: LineParts;
  readonly history: LineParts | undefined;
  readonly event: LineParts | undefined;
}

/** Tables whose rows may be many for one aspect, and what orders these. */
export const KEYS = {
  aspect_history: ['version'],
  timeseries_aspect: ['time', 'message'],
} as const;

/** Tables of which an entity has lines, with what orders the rows of an entity. */
export const LINES = {
  aspect: { table: 'aspect', order: ['aspect'] },
  history: { table: 'aspect_history', order: ['aspect', ...KEYS.aspect_history] },
  event: { table: 'timeseries_aspect', order: ['aspect', ...KEYS.timeseries_aspect] },
} as const;
export type LineKind = keyof typeof LINES;
export const KINDS: readonly LineKind[] = ['aspect', 'history', 'event'];

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

const rowsOf = (kind: LineKind, { texts, without }: PageSql): string =>
  `${LINES[kind].table} v WHERE v.entity_id = e.id AND e.live = 1${without
    .map((name) => ` AND v.aspect <> ${texts.literal(name)}`)
    .join('')}`;

/** Which kinds of lines there can be. */
const kindsOf = ({ forms, filled }: PageSql): readonly LineKind[] =>
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
  const version = texts.joined([texts.quoted('d.aspect'), texts.literal(':'), 'd.version']);
  const members = [
    { table: 'deleted_aspect', open: ',"deletedAspects":{', one: version, close: '}', order: 'aspect' },
    { table: 'claim', open: ',"names":[', one: texts.quoted('d.name'), close: ']', order: 'name' },
  ];
  const parts = [
    ...forms.head(
      texts,
      members.filter(({ table }) => filled.has(table)).map((member) => memberSql(texts, member)),
    ),
  ];
  for (const kind of kindsOf(page)) {
    const line = texts.joined(forms[kind]!(texts));
    const order = LINES[kind].order.map((column) => `v.${column}`).join(', ');
    parts.push(
      `(SELECT ${texts.all('line', '')} FROM (SELECT ${line} AS line FROM ${rowsOf(kind, page)} ORDER BY ${order}))`,
    );
  }
  return `SELECT ${texts.bytes('text')} AS bytes FROM (SELECT ${texts.joined(parts)} AS text FROM ${page.heads})`;
}

/** What a table has of a head as a member of its line; NULL where it has no rows. */
function memberSql(
  texts: TextExpressions,
  { table, open, one, close, order }: Record<'table' | 'open' | 'one' | 'close' | 'order', string>,
): string {
  const list = texts.joined([texts.literal(open), texts.all('one', ','), texts.literal(close)]);
  return `(SELECT ${list} FROM (SELECT ${one} AS one FROM ${table} d WHERE d.entity_id = e.id ORDER BY d.${order})
    HAVING COUNT(*) > 0)`;
}
