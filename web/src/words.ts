/** `DATA_JOB`, `dataJob` → `Data job`; `mlModel`, `MLMODEL` → `ML model`. */
export function inWords(name: string): string {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(ml|data)(?=model|feature|primary|owner)/g, '$1 ')
    .replace(/\b(?:ai|api|er|id|ml|sql|urls?|urns?)\b/g, (word) => word.toUpperCase().replace(/S$/, 's'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const numbers = new Intl.NumberFormat('en');

const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** @param milliseconds since the epoch */
export const timeText = (milliseconds: number): string => times.format(milliseconds);

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** @param milliseconds since the epoch, of a day in UTC */
export const dayText = (milliseconds: number): string => days.format(milliseconds);

/** The platform that a URN names, such as `hive`. */
export function platformOf(urn: string): string | undefined {
  return (
    /urn:li:dataPlatform:([^,()]+)/.exec(urn)?.[1] ??
    /urn:li:(?:chart|dashboard|dataFlow):\(([^,]+),/.exec(urn)?.[1]
  );
}

/** What a column belongs to, and its path; undefined unless the URN names one. */
export function columnOf(urn: string): { table: string; path: string } | undefined {
  const [, table, path] = /^urn:li:schemaField:\((urn:li:.*\)),([^,]*)\)$/.exec(urn) ?? [];
  if (table === undefined || path === undefined) return undefined;
  return { table, path: path.replaceAll(/%28|%29|%2C|%E2%90%9F/gi, decodeURIComponent) };
}

/** What a URN says after its type, for people who see nothing better. */
export function lastOf(urn: string): string {
  const column = columnOf(urn);
  if (column) return plainPath(column.path);
  const key = urn.split(':').slice(3).join(':');
  const parts = key.replace(/^\(|\)$/g, '').split(',');
  return (parts.length > 2 ? parts[1] : parts.at(-1)) ?? urn;
}

/** The environment that a URN names, such as `PROD`. */
const environmentOf = (urn: string): string | undefined =>
  /^urn:li:(?:dataset|mlModel|mlModelGroup):\(.*,([A-Z][A-Z_]*)\)$/.exec(urn)?.[1];

/** Where a URN says that its entity is: platform, what its whole name has before the name, environment. */
export function placeOf(urn: string, displayName: string | null): string[] {
  const whole = lastOf(urn);
  const name = displayName ?? whole;
  const within = whole.endsWith(`.${name}`) ? whole.slice(0, -name.length - 1) : undefined;
  return [platformOf(urn), within, environmentOf(urn)].filter((part) => part !== undefined);
}

/** Types of entities, for people: by the name that URNs or GraphQL have for it. */
export function typeText(name: string): string {
  // What the catalog keeps for itself: its policies, views, roles, …
  const words = inWords(name).replace(/^Data hub /, 'Catalog ');
  return { Corpuser: 'User', 'Corp user': 'User', 'Corp group': 'Group' }[words] ?? words;
}

/** The type that a URN names, in words. */
export const kindOf = (urn: string): string => typeText(urn.split(':')[2] ?? 'Entity');

/** Words of a query that are worth marking. */
export function wordsOf(query: string): string[] {
  return query
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1 && !/^(AND|OR|NOT)$/.test(word))
    .slice(0, 12);
}

/** `[version=2.0].[type=struct].a.[type=int].b` → `a.b`. */
export const plainPath = (path: string): string => path.replace(/\[[^\]]*\]\.?/g, '');
