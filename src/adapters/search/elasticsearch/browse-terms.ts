import { createHash } from 'node:crypto';
import { BROWSE_V2_SEPARATOR, type FieldMap, type SearchDocument } from '../../../catalog/search/index.js';

/** Longer names of groups are cut: a path of that length is no path. */
const MAX_NAME = 1000;

/** A place in the tree of a browse field, short whatever the length of the path. */
export function placeKey(field: string, path: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([field, ...path]))
    .digest('hex')
    .slice(0, 24);
}

/**
 * What a document is found by in the tree of its browse paths, for every place on the way to it:
 * - `b:<place>` it is there or below,
 * - `e:<place>` it is right there,
 * - `g:<place>:<name>` it is in that group below the place,
 * - `d:<place>:<name>` it is in a group below that group.
 */
export function browseTerms(schema: FieldMap, fields: SearchDocument['fields']): string[] {
  const terms = new Set<string>();
  for (const { name, kind } of schema.values()) {
    if (kind !== 'BROWSE_PATH' && kind !== 'BROWSE_PATH_V2') continue;
    const separator = kind === 'BROWSE_PATH' ? '/' : BROWSE_V2_SEPARATOR;
    for (const value of fields[name] ?? []) addPath(terms, name, partsOf(String(value), separator));
  }
  return [...terms];
}

function addPath(terms: Set<string>, field: string, parts: readonly string[]): void {
  for (let depth = 0; depth <= parts.length; depth++) {
    const place = placeKey(field, parts.slice(0, depth));
    terms.add(`b:${place}`);
    const part = parts[depth];
    if (part === undefined) {
      terms.add(`e:${place}`);
      continue;
    }
    const name = part.toWellFormed().slice(0, MAX_NAME);
    terms.add(`g:${place}:${name}`);
    if (depth + 1 < parts.length) terms.add(`d:${place}:${name}`);
  }
}

function partsOf(value: string, separator: string): string[] {
  return value.split(separator).filter((part) => part !== '');
}
