import type { SystemMetadata } from '../../../catalog/change/index.js';
import { readJson } from '../../../catalog/json/index.js';

/**
 * What the last write of an equal value said. Kept beside the system metadata of the version, which never change: the
 * change feed shows the same of a version at any time.
 */
export interface Observation extends Required<Pick<SystemMetadata, 'lastObserved' | 'lastRunId'>> {
  /** The version that it is about. One of another version says nothing: processes of an earlier release do not clear it. */
  readonly version: number;
}

/** The observation of a version. @param text JSON; null where there was none */
export function observationOfVersion(text: string | null, version: number): Observation | undefined {
  const observation = text === null ? undefined : (readJson(text) as Observation);
  return observation?.version === version ? observation : undefined;
}

/** The system metadata of a version as clients see them. */
export function withObservation(
  systemMetadata: SystemMetadata,
  { lastObserved, lastRunId }: Observation,
): SystemMetadata {
  return { ...systemMetadata, lastObserved, lastRunId };
}
