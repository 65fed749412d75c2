/**
 * Search fields of properties that users define. They are not part of the schema: there may be any number of them, and
 * an index has a fixed shape whatever their number. A document holds them under names that begin with this prefix;
 * what follows is the key of the property. The values of one field are all numbers (dates as epoch milliseconds)
 * or all strings.
 */
export const PROPERTY_FIELD_PREFIX = 'structuredProperties.';

export function isPropertyField(name: string): boolean {
  return name.startsWith(PROPERTY_FIELD_PREFIX);
}
