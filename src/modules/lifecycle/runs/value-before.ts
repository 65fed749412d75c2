import type { SystemMetadata } from '../../../catalog/change/index.js';
import { readJson } from '../../../catalog/json/index.js';
import type { StoredVersion } from '../../entities/index.js';

/** The property of system metadata by which a version says that it brought back the value of an earlier one. */
const RESTORED = 'restoredVersion';

/** What stood before a run: a value of another writer, nothing, or it is no longer known. */
export type Before = StoredVersion | 'nothing' | 'unknown';

/**
 * The value of an aspect before `run` wrote it: the newest earlier version of another run. A version that restored an
 * earlier one counts as that earlier one, so that what was undone in between stays undone.
 * @param latest the version of the run
 * @param deleted the version with which the aspect was last deleted; 0 when it never was. Nothing comes before it.
 */
export async function valueBefore(
  run: string,
  latest: StoredVersion,
  earlier: (version: number) => Promise<StoredVersion | undefined>,
  deleted = 0,
): Promise<Before> {
  let at = latest;
  while (metadataOf(at).runId === run) {
    const next = (await restoredBy(at, earlier)) ?? at.version - 1;
    if (next <= deleted) return 'nothing';
    const found = await earlier(next);
    if (found === undefined) return 'unknown';
    at = found;
  }
  return at;
}

/** The system metadata of a new version that brings back `before`: where the value came from, and that it did. */
export function restoringMetadata(before: StoredVersion): SystemMetadata {
  const metadata = metadataOf(before);
  return { ...metadata, properties: { ...metadata.properties, [RESTORED]: String(before.version) } };
}

/** The version that `at` brought back. Clients may send any properties, so only an equal value is believed. */
async function restoredBy(
  at: StoredVersion,
  earlier: (version: number) => Promise<StoredVersion | undefined>,
): Promise<number | undefined> {
  const version = Number(metadataOf(at).properties?.[RESTORED]);
  if (!Number.isSafeInteger(version) || version < 1 || version >= at.version) return undefined;
  return (await earlier(version))?.value === at.value ? version : undefined;
}

function metadataOf({ system_metadata }: StoredVersion): SystemMetadata {
  return readJson(system_metadata) as SystemMetadata;
}
