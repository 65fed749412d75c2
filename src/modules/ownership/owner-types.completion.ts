import { Injectable } from '@nestjs/common';
import { AspectCompletion } from '../../catalog/extension/index.js';
import { typeUrnOf, type Owner } from './owners.js';

/** Ownership carries `ownerTypes`: the owners grouped by the URN of their ownership type. */
@Injectable()
export class OwnerTypesCompletion extends AspectCompletion {
  readonly aspect = 'ownership';

  complete(value: Record<string, unknown>): void {
    if (!Array.isArray(value['owners'])) return;
    const ownerTypes: Record<string, string[]> = {};
    for (const entry of value['owners'] as Owner[]) {
      const owners = (ownerTypes[typeUrnOf(entry)] ??= []);
      if (!owners.includes(entry.owner)) owners.push(entry.owner);
    }
    value['ownerTypes'] = ownerTypes;
  }
}
