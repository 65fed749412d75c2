/**
 * The entity tag of one stored value, without quotes: its version, and when it was written, because versions begin
 * again after an aspect was deleted. @param writtenAt epoch milliseconds.
 */
export function versionTag(version: number, writtenAt: number): string {
  return `${version}.${writtenAt.toString(36)}`;
}

/** The entity tag of an entity at a sequence, without quotes; no tag of an aspect looks like it. */
export function sequenceTag(sequence: number): string {
  return `e${sequence}`;
}
