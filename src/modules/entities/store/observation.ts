import type { SystemMetadata } from '../../../catalog/change/index.js';

/**
 * What the last write of an equal value said. It stands beside the system metadata of the version, which stay as they are: the
 * change feed shows the same of a version at any time.
 */
export interface Observation extends Required<Pick<SystemMetadata, 'lastObserved' | 'lastRunId'>> {
  /** The version that it is about. One of another version says nothing: processes of an earlier release do not clear it. */
  readonly version: number;
}

/** The system metadata of a version as clients see them. @param observation JSON text; null where there was none */
export function observedMetadata(
  systemMetadata: string,
  version: number,
  observation: string | null,
): string {
  if (observation === null) return systemMetadata;
  const { version: of, ...seen } = JSON.parse(observation) as Observation;
  if (of !== version) return systemMetadata;
  return JSON.stringify({ ...(JSON.parse(systemMetadata) as SystemMetadata), ...seen });
}
