import type { AuditStamp } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { jsonPointer } from '../../../catalog/json/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';
import { isRecord, type ArrayKeys } from '../../../catalog/model/index.js';
import { edgeFault, isLineagePath, LINEAGE_KEYS } from './fine-grained-lineage.js';
import { keysOf } from './keyed-arrays.js';

/** An element of a keyed array that a path runs through or ends at. */
export interface Crossing {
  /** Path of the element in the encoded document. */
  path: string[];
  keys: ArrayKeys;
  given: string[];
}

/**
 * Refuses what an operation has made of the elements on its way, where their keys are no longer those of their place.
 * @throws CatalogError PATCH_MALFORMED, below the operation
 */
export function refuseMovedKeys(
  document: unknown,
  { path: place, crossings }: { path: readonly string[]; crossings: readonly Crossing[] },
  lineage: string | undefined,
): void {
  for (const { path, keys, given } of crossings) {
    const element = at(document, path);
    if (isRecord(element)) refuseOtherKeys(element, keys, given, '/path');
  }
  if (lineage === undefined || !isLineagePath(place, lineage)) return;
  const edge = place.slice(0, 1 + LINEAGE_KEYS);
  const fault = edgeFault(at(document, edge), edge);
  if (fault !== undefined) throw refuse('PATCH_MALFORMED', fault, '/value');
}

/** @throws CatalogError PATCH_MALFORMED, below the operation, when an element has other keys than its path says */
export function refuseOtherKeys(
  element: unknown,
  keys: ArrayKeys,
  given: readonly string[],
  pointer: string,
): void {
  const own = keysOf(element, keys);
  keys.forEach((names, i) => {
    const [inPath, inValue] = [given[i] ?? '', own[i] ?? ''];
    // A field that the element lacks is filled in from the path; one inside another field cannot be.
    const absent = inValue === '' && (names.length === 1 || (names.length === 0 && isRecord(element)));
    if (inPath === inValue || absent) return;
    const name = names.join('/') || 'the element';
    const message = `the path says that ${name} is "${shorten(inPath)}", the value that it is "${shorten(inValue)}": they must agree`;
    throw refuse('PATCH_MALFORMED', message, pointer === '/value' ? pointer + jsonPointer(names) : pointer);
  });
}

/**
 * The value of an operation, with the source that only its path names: clients leave out the record that would say it.
 * The stamp completes that record. The record of an equal element stays, so that the same patch again changes nothing.
 * @param there what the path leads to now
 */
export function attributed(
  { value, stamp }: { value: unknown; stamp?: AuditStamp | undefined },
  keys: ArrayKeys,
  given: readonly string[],
  there: unknown,
): unknown {
  const [i = -1] = keys.flatMap(([record, name], at) =>
    record === ATTRIBUTION && name === 'source' ? [at] : [],
  );
  const source = given[i] ?? '';
  if (source === '' || stamp === undefined || !isRecord(value) || value[ATTRIBUTION] !== undefined)
    return value;
  const before = isRecord(there) ? there[ATTRIBUTION] : undefined;
  const same = { ...value, [ATTRIBUTION]: before };
  if (before !== undefined && sameJson(same, there)) return same;
  return { ...value, [ATTRIBUTION]: { ...stamp, source, sourceDetail: {} } };
}

/** The record that says where an element came from. */
const ATTRIBUTION = 'attribution';

const shorten = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

/** What lies at a path; undefined when it leads nowhere. */
export function at(document: unknown, path: readonly string[]): unknown {
  let value = document;
  for (const segment of path) {
    if (Array.isArray(value)) value = /^\d+$/.test(segment) ? (value[Number(segment)] as unknown) : undefined;
    else if (isRecord(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}
