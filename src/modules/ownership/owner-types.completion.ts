import { Injectable } from '@nestjs/common';
import { AspectCompletion } from '../../catalog/extension/index.js';
import { isRecord } from '../../catalog/model/index.js';

/** Ownership type of an owner that names only one of the old words. */
const SYSTEM_OWNERSHIP_TYPE = 'urn:li:ownershipType:__system__';

/** Ownership carries `ownerTypes`: the owners grouped by the URN of their ownership type. */
@Injectable()
export class OwnerTypesCompletion extends AspectCompletion {
  readonly aspect = 'ownership';

  complete(value: Record<string, unknown>): void {
    if (!Array.isArray(value['owners'])) return;
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
}
