/**
 * Search fields of properties that users define. They are not part of the schema: there may be any number of them, and
 * an index has a fixed shape whatever their number. A document holds them under names that begin with this prefix;
 * what follows is the key of the property. The values of one field are all numbers (dates as epoch milliseconds)
 * or all strings.
 */
export const PROPERTY_FIELD_PREFIX = 'structuredProperties.';

/** Between the name of a property and what tells its generations apart; no name of a property has a blank. */
const BEFORE_GENERATION = ' ';

/** The name of the field of one generation of a property in the index. */
export function propertyField(property: string, generation: string): string {
  return PROPERTY_FIELD_PREFIX + property + BEFORE_GENERATION + generation;
}

/** The name of a field as callers know it, for messages. */
export function fieldLabel(name: string): string {
  return isPropertyField(name) ? (name.split(BEFORE_GENERATION)[0] ?? name) : name;
}

export function isPropertyField(name: string): boolean {
  return name.startsWith(PROPERTY_FIELD_PREFIX);
}
