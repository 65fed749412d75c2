import type { AuditStamp, SystemMetadata } from '../../../catalog/change/index.js';
import { withObservation, type Observation } from '../../entities/offline.js';
import type { AspectVersion } from './head.js';

/** The run of a write that names none. */
export const NO_RUN_ID = 'no-run-id-provided';

/** The system metadata of a new version: what the writer said, completed by what only the service knows. */
export function nextSystemMetadata(
  given: SystemMetadata,
  before: AspectVersion | undefined,
  stamp: AuditStamp,
  version = (before?.version ?? 0) + 1,
): SystemMetadata {
  return {
    ...given,
    ...seen(given, stamp),
    runId: given.runId ?? NO_RUN_ID,
    version: String(version),
    aspectCreated: before?.systemMetadata.aspectCreated ?? stamp,
    aspectModified: stamp,
  };
}

/** The observation of a write of an equal value; the value keeps the run that wrote it first. */
export function observationOf(
  given: SystemMetadata,
  { version, systemMetadata, observation }: AspectVersion,
  stamp: AuditStamp,
): Observation | undefined {
  const now = { version, ...seen(given, stamp) };
  const before = observation ?? systemMetadata;
  const same = now.lastObserved === before.lastObserved && now.lastRunId === before.lastRunId;
  return same ? undefined : now;
}

/** The system metadata of a version as clients see them. */
export function shownMetadata({ systemMetadata, observation }: AspectVersion): SystemMetadata {
  return observation ? withObservation(systemMetadata, observation) : systemMetadata;
}

const seen = ({ lastObserved, lastRunId, runId = NO_RUN_ID }: SystemMetadata, { time }: AuditStamp) => ({
  lastObserved: lastObserved ?? time,
  lastRunId: lastRunId ?? runId,
});
