import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { readJson } from '../../../catalog/json/index.js';
import { assignmentsOf, Properties, propertyUrnsOf } from '../properties.js';
import { isAlive } from '../property-cache.js';
import { PropertyHolders } from './property-holders.js';

const PAGE = 500;

/** Finds the values that are stored and can no longer be read, by reading all values there are. */
@Injectable()
export class UnreadableValues {
  constructor(
    private readonly holders: PropertyHolders,
    private readonly properties: Properties,
  ) {}

  /** How many entities have such values, by property. */
  async count(): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (let after = 0; ;) {
      const page = await this.holders.all(after, PAGE);
      const values = page.map(({ value }) => readJson(value) as Record<string, unknown>);
      const states = await this.properties.committed(values.flatMap(propertyUrnsOf));
      for (const { propertyUrn, generation } of values.flatMap(assignmentsOf)) {
        if (isAlive(states.get(propertyUrn), generation)) continue;
        found.set(propertyUrn, (found.get(propertyUrn) ?? 0) + 1);
      }
      const last = page.at(-1);
      if (last === undefined) return found;
      after = last.id;
      await setImmediate();
    }
  }
}
