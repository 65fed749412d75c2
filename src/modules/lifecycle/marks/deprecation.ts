import type { AuditStamp } from '../../../catalog/change/index.js';
import { sameJson } from '../../../catalog/json/same-json.js';

/** What is said of a thing that should not be used any more, or may be again. */
export interface DeprecationRequest {
  readonly deprecated: boolean;
  /** Epoch milliseconds. */
  readonly decommissionTime?: number | undefined;
  readonly note?: string | undefined;
  /** URN of what to use instead. */
  readonly replacement?: string | undefined;
}

/** The aspect as it shall be; undefined when it says so already. */
export function deprecationOf(
  current: Record<string, unknown> | undefined,
  { deprecated, decommissionTime, note, replacement }: DeprecationRequest,
  stamp: AuditStamp,
): Record<string, unknown> | undefined {
  const said = {
    deprecated,
    note: note ?? '',
    ...(decommissionTime !== undefined && { decommissionTime }),
    ...(replacement !== undefined && { replacement }),
  };
  if (current !== undefined && sameJson({ ...said, actor: current['actor'] }, current)) return undefined;
  return { ...said, actor: stamp.actor };
}
