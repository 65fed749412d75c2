import { Injectable } from '@nestjs/common';
import { SearchFieldProvider, type FieldsOfEntity } from '../../catalog/extension/index.js';
import { VALUES_ASPECT, type ValueType } from './property-definition.js';
import { dayIn, numberIn, type PropertyValue } from './property-value.js';
import { indexField } from './field-names.js';
import { assignmentsOf, Properties, propertyUrnsOf } from './properties.js';
import { isAlive } from './property-cache.js';

/**
 * Makes entities found by the values of their structured properties. Those of hidden properties stay: no client can name
 * their fields, and once the property comes back they are found at once.
 */
@Injectable()
export class PropertyFieldsProvider extends SearchFieldProvider {
  constructor(private readonly properties: Properties) {
    super();
  }

  async addFields(entities: readonly FieldsOfEntity[]): Promise<void> {
    const holders = entities.flatMap(({ state, fields }) => {
      const value = state.aspects.get(VALUES_ASPECT)?.value;
      return value ? [{ value, fields }] : [];
    });
    const states = await this.properties.committed(holders.flatMap(({ value }) => propertyUrnsOf(value)));
    for (const { value, fields } of holders) {
      for (const { propertyUrn, generation, values } of assignmentsOf(value)) {
        const state = states.get(propertyUrn);
        if (!state?.definition?.type || !isAlive(state, generation)) continue;
        const { type } = state.definition;
        fields.set(
          indexField(state),
          values.flatMap((v) => indexed(v, type)),
        );
      }
    }
  }
}

/** A value as the index holds it: numbers and days as numbers, everything else as text. */
function indexed(value: PropertyValue, type: ValueType): Array<string | number> {
  if (type === 'number') {
    const number = numberIn(value);
    return Number.isNaN(number) ? [] : [number];
  }
  if (!('string' in value)) return [];
  if (type !== 'date') return [value.string];
  const day = dayIn(value.string);
  return day === undefined ? [] : [day];
}
