import { PropertyDefinition } from '../../modules/structured-properties/property-definition.js';
import {
  faultOf,
  immutableFault,
  numberIn,
  sameValue,
  valueText,
  type Assignment,
  type PropertyValue,
} from '../../modules/structured-properties/property-value.js';
import { listCell, numberCell, readList, readNumber, readText, textCell } from './cells.js';
import { changedList } from './changed-list.js';
import type { CsvField } from './csv-field.js';
import type { Subject } from './draft.js';

const ASPECT = 'structuredProperties';

/**
 * The values of a structured property; its URN is the name of the column.
 * @param comma whether numbers have decimal commas
 */
export function propertyField(urn: string, definition: PropertyDefinition, comma: boolean): CsvField {
  const assignments = ({ draft }: Subject): Assignment[] =>
    (draft.value(ASPECT)?.['properties'] ?? []) as Assignment[];
  const valuesOf = (subject: Subject): PropertyValue[] =>
    assignments(subject).find(({ propertyUrn }) => propertyUrn === urn)?.values ?? [];
  const isNumber = definition.type === 'number';
  const plain = (value: PropertyValue): string =>
    isNumber ? numberCell(numberIn(value), comma) : 'string' in value ? value.string : String(value.double);
  const read = (cell: string): PropertyValue[] => {
    if (cell === '') return [];
    const texts = definition.multiple ? readList(cell) : [isNumber ? cell : readText(cell)];
    return texts.map((text) => {
      if (!isNumber) return { string: text };
      const number = readNumber(text, comma);
      const double = numberIn({ string: number });
      return Number.isNaN(double) ? { string: number } : { double };
    });
  };
  return {
    headers: [urn],
    aspects: (spec) => (spec.aspects.has(ASPECT) ? [ASPECT] : []),
    fits: ({ draft, column }) => column === undefined && definition.appliesTo(draft.spec.name),
    cells(subject) {
      const values = valuesOf(subject);
      if (definition.multiple) return [listCell(values.map(plain))];
      const [value] = values;
      return [value === undefined ? '' : isNumber ? plain(value) : textCell(plain(value))];
    },
    mentions: () => [],
    apply(subject, [cell = ''], mode, { line, plan }) {
      const current = valuesOf(subject);
      const values = read(cell);
      const fail = (message: string): void => void plan.faults.push({ column: urn, message });
      for (const value of values) {
        const fault = current.some((other) => sameValue(other, value))
          ? undefined
          : faultOf(value, definition);
        if (fault !== undefined) fail(`${valueText(value)} ${fault}`);
      }
      const wanted = values.map((value) => ({
        name: valueText(value),
        matches: (other: PropertyValue) => sameValue(other, value),
        make: () => value,
      }));
      const whole = !definition.multiple && values.length > 0 ? { override: true } : mode;
      const next = changedList(urn, current, wanted, whole, plan, valueText);
      if (next === undefined) return;
      if (definition.immutable && current.length > 0) fail(immutableFault(urn));
      const others = assignments(subject).filter(({ propertyUrn }) => propertyUrn !== urn);
      const own = assignments(subject).find(({ propertyUrn }) => propertyUrn === urn);
      const properties = next.length === 0 ? others : [...others, { ...own, propertyUrn: urn, values: next }];
      subject.draft.put(ASPECT, { ...subject.draft.value(ASPECT), properties }, line);
    },
  };
}
