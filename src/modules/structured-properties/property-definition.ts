import { isRecord } from '../../catalog/model/index.js';
import { sameNeutralName } from '../../catalog/urn/index.js';
import {
  allowedText,
  sameValue,
  VALUE_TYPES,
  type PropertyValue,
  type ValueRules,
  type ValueType,
} from './property-value.js';

export { VALUE_TYPES, type ValueType } from './property-value.js';

export const PROPERTY_TYPE = 'structuredProperty';
export const PROPERTY_URN = `urn:li:${PROPERTY_TYPE}:`;
export const DEFINITION_ASPECT = 'propertyDefinition';
export const SETTINGS_ASPECT = 'structuredPropertySettings';
export const VALUES_ASPECT = 'structuredProperties';

/** The definition of a structured property (aspect `propertyDefinition`), with its rules. */
export class PropertyDefinition implements ValueRules {
  /** Undefined when the data type is none that the service knows. */
  readonly type: ValueType | undefined;
  readonly multiple: boolean;
  readonly allowed: readonly PropertyValue[];
  readonly immutable: boolean;
  readonly version: string | undefined;
  readonly entityTypes: readonly string[];
  readonly allowedPlatforms: readonly string[];
  /** Names of the entity types that a URN may be of; undefined when it may be of any. */
  readonly urnTypes: readonly string[] | undefined;

  /** @param value a valid value of the aspect. */
  constructor(readonly value: Readonly<Record<string, unknown>>) {
    this.type = valueTypeOf(String(value['valueType']));
    this.multiple = value['cardinality'] === 'MULTIPLE';
    this.allowed = allowedValuesOf(value['allowedValues']);
    this.immutable = value['immutable'] === true;
    this.version = typeof value['version'] === 'string' ? value['version'] : undefined;
    this.entityTypes = texts(value['entityTypes']).map(neutralName);
    this.allowedPlatforms = texts(value['allowedPlatforms']);
    const qualifier = value['typeQualifier'];
    const types = isRecord(qualifier) ? texts(qualifier['allowedTypes']) : [];
    this.urnTypes = types.length > 0 ? types.map(neutralName) : undefined;
  }

  get qualifiedName(): string {
    return String(this.value['qualifiedName']);
  }

  /** Whether it can be set on entities of this type. */
  appliesTo(entityType: string): boolean {
    return this.entityTypes.includes(entityType);
  }

  /**
   * Why this definition cannot become `next`: values that were right would be wrong. Undefined when it can. A greater
   * `version` is asked for before.
   * Source: reference behaviour, 5.1.
   */
  conflictWith(next: PropertyDefinition): { field: string; message: string } | undefined {
    if (!sameNeutralName(String(this.value['valueType']), String(next.value['valueType']))) {
      return {
        field: 'valueType',
        message: 'Value type cannot be changed as this is a backwards incompatible change',
      };
    }
    if (this.multiple && !next.multiple) {
      return {
        field: 'cardinality',
        message: 'Property definition cardinality cannot be changed from MULTI to SINGLE',
      };
    }
    if (next.allowed.length === 0) return undefined;
    const kept = (value: PropertyValue): boolean => next.allowed.some((other) => sameValue(other, value));
    if (this.allowed.length === 0 || !this.allowed.every(kept)) {
      return { field: 'allowedValues', message: 'Cannot restrict values that were previously allowed' };
    }
    return undefined;
  }

  /** The allowed values as an error names them: `[{string=a}, {double=1.0}]`. */
  allowedTexts(): string {
    return `[${this.allowed.map(allowedText).join(', ')}]`;
  }
}

/** The kind of values of a data type, whatever vendor word is in its URN. */
function valueTypeOf(dataType: string): ValueType | undefined {
  const name = neutralName(dataType);
  return VALUE_TYPES.find((type) => type === name);
}

/** Of the URN of a data type or entity type, the name without the vendor word. */
export function neutralName(urn: string): string {
  const id = urn.slice(urn.indexOf(':', 'urn:li:'.length) + 1);
  return id.slice(id.indexOf('.') + 1);
}

function allowedValuesOf(value: unknown): PropertyValue[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) =>
    isRecord(entry) && isRecord(entry['value']) ? [entry['value'] as unknown as PropertyValue] : [],
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
