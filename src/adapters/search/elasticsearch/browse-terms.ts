import { createHash } from 'node:crypto';
import {
  BROWSE_V2_SEPARATOR,
  partsOfPath,
  type FieldMap,
  type SearchDocument,
} from '../../../catalog/search/index.js';

/** Longer names of groups are cut: a path of that length is no path. */
const MAX_NAME = 1000;

/** Levels of the tree that have columns of their own; deeper ones share the last. */
const LEVELS = 12;

/** A place in the tree of a browse field, short whatever the length of the path. */
export function placeKey(field: string, path: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([field, ...path]))
    .digest('hex')
    .slice(0, 24);
}

/**
 * Two columns for the places at that depth: the groups right below them, and those of these groups that have groups
 * themselves.
 */
export function groupColumns(depth: number): { groups: string; deeper: string } {
  const level = Math.min(depth, LEVELS - 1);
  return { groups: `in.${level}`, deeper: `on.${level}` };
}

/** The names of all columns of groups. */
export function allGroupColumns(): string[] {
  return Array.from({ length: LEVELS }, (_, depth) => Object.values(groupColumns(depth))).flat();
}

/**
 * The terms that a document is found by in the tree of its browse paths.
 *
 * `paths` has these for each place on the way to the document:
 * - `b:<place>`: the document is at this place or below it,
 * - `e:<place>`: the document is at this place itself.
 *
 * The columns have `<place>:<name>`: the document is in the group of that name below the place, or deeper. Each level
 * of the tree has columns of its own, so a document hardly has more than one value in a column.
 */
export function browseTerms(
  schema: FieldMap,
  fields: SearchDocument['fields'],
): { paths: string[]; columns: Record<string, string[]> } {
  const paths = new Set<string>();
  const columns = new Map<string, Set<string>>();
  const add = (column: string, term: string) => {
    let terms = columns.get(column);
    if (!terms) columns.set(column, (terms = new Set()));
    terms.add(term);
  };
  for (const { name, kind } of schema.values()) {
    if (kind !== 'BROWSE_PATH' && kind !== 'BROWSE_PATH_V2') continue;
    const separator = kind === 'BROWSE_PATH' ? '/' : BROWSE_V2_SEPARATOR;
    for (const value of fields[name] ?? []) {
      const parts = partsOfPath(String(value), separator);
      for (let depth = 0; depth <= parts.length; depth++) {
        const place = placeKey(name, parts.slice(0, depth));
        paths.add(`b:${place}`);
        const part = parts[depth];
        if (part === undefined) {
          paths.add(`e:${place}`);
          continue;
        }
        const term = `${place}:${part.toWellFormed().slice(0, MAX_NAME)}`;
        const { groups, deeper } = groupColumns(depth);
        add(groups, term);
        if (depth + 1 < parts.length) add(deeper, term);
      }
    }
  }
  return {
    paths: [...paths],
    columns: Object.fromEntries([...columns].map(([column, terms]) => [column, [...terms]])),
  };
}
