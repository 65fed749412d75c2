import { atOnce, eachInSteps, type Steps } from '../../catalog/schedule/index.js';
import { Injectable } from '@nestjs/common';
import { AspectCompletion } from '../../catalog/extension/index.js';
import { typeUrnOf, type Owner } from './owners.js';

/** Ownership carries `ownerTypes`: the owners grouped by the URN of their ownership type. */
@Injectable()
export class OwnerTypesCompletion extends AspectCompletion {
  readonly aspect = 'ownership';

  complete(value: Record<string, unknown>): void {
    atOnce(this.completeInSteps(value));
  }

  override *completeInSteps(value: Record<string, unknown>): Steps<void> {
    if (!Array.isArray(value['owners'])) return;
    const ownerTypes = new Map<string, Set<string>>();
    yield* eachInSteps(value['owners'] as Owner[], (entry) => {
      const type = typeUrnOf(entry);
      const owners = ownerTypes.get(type);
      if (owners) owners.add(entry.owner);
      else ownerTypes.set(type, new Set([entry.owner]));
    });
    value['ownerTypes'] = Object.fromEntries([...ownerTypes].map(([type, owners]) => [type, [...owners]]));
  }
}
