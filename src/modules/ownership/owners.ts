import type { AuditStamp } from '../../catalog/change/index.js';

/** An owner in the aspect: who, and in which role. */
export interface Owner extends Record<string, unknown> {
  readonly owner: string;
  readonly type: string;
  readonly typeUrn?: string;
}

const SYSTEM_TYPE = 'urn:li:ownershipType:__system__';

/** Roles that ship with the service: their URNs need no entity. */
export const isSystemType = (urn: string): boolean => urn.startsWith(SYSTEM_TYPE);

/** The role in both ways it is written: a word of old, and the URN of an ownership type. */
export function roleOf(type: string | undefined, typeUrn: string | undefined, types: readonly string[]) {
  if (typeUrn === undefined) {
    const word = type ?? 'NONE';
    return { type: word, typeUrn: SYSTEM_TYPE + word.toLowerCase() };
  }
  const word = isSystemType(typeUrn) ? typeUrn.slice(SYSTEM_TYPE.length).toUpperCase() : 'CUSTOM';
  return { type: types.includes(word) ? word : 'CUSTOM', typeUrn };
}

/** The URN of the role of a stored owner, whichever way it was written. */
export function typeUrnOf({ type, typeUrn }: Pick<Owner, 'type' | 'typeUrn'>): string {
  return typeUrn ?? SYSTEM_TYPE + type.toLowerCase();
}

const sameOwner = (a: Owner, b: Owner): boolean => a.owner === b.owner && typeUrnOf(a) === typeUrnOf(b);

/** Adds owners, each once in each role; undefined when all of them are there. */
export function withOwners(owners: readonly Owner[], added: readonly Owner[]): Owner[] | undefined {
  const next = [...owners];
  for (const owner of added) if (!next.some((other) => sameOwner(owner, other))) next.push(owner);
  return next.length === owners.length ? undefined : next;
}

/** Takes owners away, in one role or in all; undefined when none of them is there. */
export function withoutOwners(
  owners: readonly Owner[],
  gone: ReadonlySet<string>,
  typeUrn: string | undefined,
): Owner[] | undefined {
  const rest = owners.filter(
    (owner) => !gone.has(owner.owner) || (typeUrn !== undefined && typeUrnOf(owner) !== typeUrn),
  );
  return rest.length === owners.length ? undefined : rest;
}

/** What the ownership of a thing says at first: its creator is its owner. */
export function madeBy(stamp: AuditStamp): Record<string, unknown> {
  const owner = {
    owner: stamp.actor,
    ...roleOf('TECHNICAL_OWNER', undefined, []),
    source: { type: 'MANUAL' },
  };
  return { owners: [owner], lastModified: stamp };
}
