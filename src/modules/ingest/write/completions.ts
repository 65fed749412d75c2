import { isRecord } from '../../../catalog/model/index.js';

/** Ownership type of an owner that names only one of the old words. */
const SYSTEM_OWNERSHIP_TYPE = 'urn:li:ownershipType:__system__';

/**
 * What the service adds to a value before it is judged and stored. Today that is one thing: ownership carries
 * `ownerTypes`, the owners grouped by the URN of their ownership type, which is derived from `owners` alone.
 */
export function complete(aspect: string, value: Record<string, unknown>): void {
  if (aspect !== 'ownership' || !Array.isArray(value['owners'])) return;
  const ownerTypes: Record<string, string[]> = {};
  for (const entry of value['owners']) {
    if (!isRecord(entry) || typeof entry['owner'] !== 'string') continue;
    const type =
      typeof entry['typeUrn'] === 'string'
        ? entry['typeUrn']
        : SYSTEM_OWNERSHIP_TYPE + String(entry['type']).toLowerCase();
    const owners = (ownerTypes[type] ??= []);
    if (!owners.includes(entry['owner'])) owners.push(entry['owner']);
  }
  value['ownerTypes'] = ownerTypes;
}
