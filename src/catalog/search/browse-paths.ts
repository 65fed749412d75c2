import type { BrowsePathSpec, EntitySpec } from '../model/specs.js';
import { tryParseUrn, type Urn } from '../urn/urn.js';

/** The field of the browse paths that people give. */
export const BROWSE_PATHS_FIELD = 'browsePaths';

/** Between the entries of a browse path of the second form, and before the first. */
export const BROWSE_V2_SEPARATOR = '␟';
/** Stands for the separator within an entry: the control character that it is a picture of. */
const WITHIN = '\u001f';

/** A browse path of the second form as one value of the index. */
export function browsePathV2Of(entries: readonly string[]): string {
  return entries.map((entry) => BROWSE_V2_SEPARATOR + entry.replaceAll(BROWSE_V2_SEPARATOR, WITHIN)).join('');
}

/** The entries of a browse path, from the top down. */
export function partsOfPath(path: string, separator: string): string[] {
  const parts = path.split(separator).filter((part) => part !== '');
  return separator === BROWSE_V2_SEPARATOR
    ? parts.map((part) => part.replaceAll(WITHIN, BROWSE_V2_SEPARATOR))
    : parts;
}

/**
 * The browse path of an entity that was written without one: environment, platform, and the folders in its name. What
 * runs within another entity (a job in its flow) lies below that one. Undefined when such entities have no path.
 */
export function derivedBrowsePath(entity: EntitySpec, urn: string): string | undefined {
  const { browsePath } = entity;
  const parsed = browsePath && tryParseUrn(urn);
  const parts = parsed ? partsOf(entity, browsePath, parsed) : [];
  return parts.length === 0 ? undefined : `/${parts.join('/').toLowerCase()}`;
}

function partsOf(entity: EntitySpec, { levels, folders }: BrowsePathSpec, urn: Urn): string[] {
  const names = entity.key.keyFields ?? [];
  const values = names.length === 1 ? [urn.id] : urn.parts;
  const key = new Map(names.map((name, i) => [name, values[i] ?? '']));
  const places = levels.flatMap((field) => placesIn(key.get(field) ?? ''));
  return folders === undefined ? places : [...places, ...foldersOf(key.get(folders) ?? '')];
}

/** A plain value as it is, a platform by its name, a flow as the path to it and its own name. */
function placesIn(value: string): string[] {
  const urn = tryParseUrn(value);
  if (!urn) return value === '' ? [] : [value];
  const [first = '', name, ...rest] = urn.parts;
  if (name === undefined) return [first];
  return [first, ...rest, name].flatMap(placesIn);
}

/** A name with slashes is a path already, else its dots part it; the last part is the entity itself. */
function foldersOf(name: string): string[] {
  return name
    .split(name.includes('/') ? '/' : '.')
    .slice(0, -1)
    .filter((part) => part !== '');
}
