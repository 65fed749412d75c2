import { refuse } from '../../catalog/errors/index.js';

/** An entity, and which versions of its aspects are meant. */
export interface VersionedUrn {
  urn: string;
  /** By the name of the aspect, as it was given. */
  versions: ReadonlyMap<string, number>;
}

/** Between the two parts: as an object of Rest.li, or as clients of the field print a pair. */
const BETWEEN = /,versionStamp:| , /;

/**
 * Reads `(urn:<urn>,versionStamp:<aspect>:<version>;…)`, `(<urn> , <aspect>:<version>;…)`, or a URN alone.
 * @throws CatalogError PARAMETER_INVALID
 */
export function readVersionedUrn(text: string, pointer: string): VersionedUrn {
  if (!text.startsWith('(')) return { urn: text, versions: new Map() };
  const [urn = '', stamp = '', ...more] = text.slice(1, -1).split(BETWEEN);
  if (!text.endsWith(')') || more.length > 0)
    throw refuse('PARAMETER_INVALID', 'an id has the form (urn:<urn>,versionStamp:<stamp>)', pointer);
  return { urn: urn.replace(/^urn:(?=urn:)/, ''), versions: readStamp(stamp, pointer) };
}

/** `<aspect>:<version>;…`; the field's client prints what it does not have as `null`. */
function readStamp(stamp: string, pointer: string): Map<string, number> {
  const parts = stamp === 'null' ? [] : stamp.split(';').filter((part) => part !== '');
  return new Map(
    parts.map((part) => {
      const [, aspect, version] = /^(\w+):(\d{1,15})$/.exec(part) ?? [];
      if (aspect === undefined || version === undefined)
        throw refuse('PARAMETER_INVALID', 'a version stamp has the form <aspect>:<version>;…', pointer);
      return [aspect, Number(version)];
    }),
  );
}
