import { sameJson } from '../../../catalog/json/same-json.js';

/** The current value with the given members; undefined when it has them already. */
export function merged(
  current: Record<string, unknown> | undefined,
  said: object,
): Record<string, unknown> | undefined {
  const next = { ...current, ...said };
  return current !== undefined && sameJson(next, current) ? undefined : next;
}
