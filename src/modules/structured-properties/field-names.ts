import { propertyField } from '../../catalog/search/index.js';
import type { PropertyState } from './property-cache.js';

/** The claim that makes the name of a search field one property's own: dots and underscores are one there. */
export function fieldClaim(name: string): string {
  return `property:${name.replaceAll('.', '_')}`;
}

/**
 * The name of the field in the index. Each generation has a field of its own, so what documents still hold of an
 * earlier one is never found.
 */
export function indexField({ definition, generation }: PropertyState): string {
  return propertyField(String(definition?.qualifiedName), generation);
}
