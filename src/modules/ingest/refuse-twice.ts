import { refuse } from '../../catalog/errors/index.js';
import type { AspectSpec } from '../../catalog/model/index.js';

/**
 * Refuses an aspect that members of one object name in two spellings: they have no order that would say which value is meant.
 * @param named takes the names that are known
 * @throws CatalogError PROPOSAL_MALFORMED
 */
export function refuseTwice(
  named: Map<AspectSpec, string>,
  aspect: AspectSpec,
  name: string,
  pointer: string,
): void {
  const earlier = named.get(aspect);
  if (earlier !== undefined)
    throw refuse('PROPOSAL_MALFORMED', `"${name}" and "${earlier}" both name ${aspect.name}`, pointer);
  named.set(aspect, name);
}
