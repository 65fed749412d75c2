import { refuse } from '../../catalog/errors/index.js';
import type { AspectSpec } from '../../catalog/model/index.js';

/**
 * Refuses an aspect that two members of a JSON object name, in two spellings: members have no order, so neither value comes last.
 * @param named the aspects so far, with the spelling of each; gets this one
 * @throws CatalogError PROPOSAL_MALFORMED
 */
export function refuseDuplicateAspect(
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
