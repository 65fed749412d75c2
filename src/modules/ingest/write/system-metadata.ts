import type { AuditStamp, SystemMetadata } from '../../../catalog/change/index.js';
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
  const runId = given.runId ?? NO_RUN_ID;
  return {
    ...given,
    lastObserved: given.lastObserved ?? stamp.time,
    runId,
    lastRunId: given.lastRunId ?? runId,
    version: String(version),
    aspectCreated: before?.systemMetadata.aspectCreated ?? stamp,
    aspectModified: stamp,
  };
}
