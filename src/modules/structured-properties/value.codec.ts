import { Injectable } from '@nestjs/common';
import { AspectCodec, type TransactionView } from '../../catalog/extension/index.js';
import { sameJson } from '../../catalog/json/same-json.js';
import { VALUES_ASPECT } from './property-definition.js';
import type { Assignment } from './property-value.js';
import { assignmentsOf, Properties, propertyUrnsOf } from './properties.js';
import { isAlive, isShown, type PropertyState } from './property-cache.js';

/**
 * Stores each value of a structured property with the generation of its definition. A write keeps the values of soft-deleted
 * properties, which clients do not see, and drops those of an earlier generation. See docs/adr/0007.
 */
@Injectable()
export class ValueCodec extends AspectCodec {
  readonly aspect = VALUES_ASPECT;

  constructor(private readonly properties: Properties) {
    super();
  }

  async shown(stored: Record<string, unknown>, view: TransactionView): Promise<Record<string, unknown>> {
    return shownValue(stored, await this.properties.within(view, propertyUrnsOf(stored)));
  }

  async store(
    next: Record<string, unknown>,
    stored: Record<string, unknown> | undefined,
    view: TransactionView,
  ): Promise<Record<string, unknown>> {
    const urns = [...propertyUrnsOf(next), ...propertyUrnsOf(stored)];
    const states = await this.properties.within(view, urns);
    const given = assignmentsOf(next).map((entry) => withGeneration(entry, states.get(entry.propertyUrn)));
    const named = new Set(given.map(({ propertyUrn }) => propertyUrn));
    const before = assignmentsOf(stored);
    const alive = before.filter((entry) => isAlive(states.get(entry.propertyUrn), entry.generation));
    const hidden = alive.filter(
      ({ propertyUrn }) => !isShown(states.get(propertyUrn)) && !named.has(propertyUrn),
    );
    // What is equal stays as it is, order included: no new version.
    const visible = alive.filter((entry) => !hidden.includes(entry));
    const properties = sameJson(visible, given) ? alive : [...given, ...hidden];
    return { ...next, properties };
  }
}

function withGeneration(entry: Assignment, state: PropertyState | undefined): Assignment {
  return state ? { ...entry, generation: state.generation } : entry;
}

/** A stored value as clients see it. */
export function shownValue(
  stored: Record<string, unknown>,
  states: ReadonlyMap<string, PropertyState>,
): Record<string, unknown> {
  const properties = assignmentsOf(stored).flatMap(({ generation, ...entry }) => {
    const state = states.get(entry.propertyUrn);
    return isShown(state) && isAlive(state, generation) ? [entry] : [];
  });
  return { ...stored, properties };
}

/** The entries of soft-deleted properties: they are shown again when these are restored. */
export function hiddenEntries(
  stored: Record<string, unknown>,
  states: ReadonlyMap<string, PropertyState>,
): Assignment[] {
  return assignmentsOf(stored).filter(({ propertyUrn, generation }) => {
    const state = states.get(propertyUrn);
    return isAlive(state, generation) && !isShown(state);
  });
}
