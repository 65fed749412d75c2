import { refuse } from '../../../catalog/errors/index.js';
import { searchPage } from '../../search/index.js';
import type { LineageFindings, LineageHit } from './lineage-search.js';
import { pathTo, type LineageNode } from './lineage-walk.js';

/** The most URNs in the paths of one answer: a walk may come to thousands, each by a way of thousands. */
const MAX_STEPS = 200_000;

/** The hits of a page as the aspect API answers them. @throws CatalogError PARAMETER_INVALID, see {@link Paths} */
export function lineageHits(found: LineageFindings, page: readonly LineageHit[], pageSize: number) {
  const hits = page.map((hit) => ({ ...hit.found, urn: hit.urn }));
  const paths = new Paths();
  return {
    ...searchPage({ total: found.hits.length, hits, facets: found.facets }, pageSize, false),
    entities: page.map(({ urn, found: { matchedFields }, degrees, nodes }) => ({
      entity: urn,
      matchedFields,
      paths: nodes.map((node) => paths.to(node)),
      degree: degrees[0]!,
      degrees,
    })),
    isPartial: found.truncated,
  };
}

/** What a walk came to, as relationships. @throws CatalogError PARAMETER_INVALID, see {@link Paths} */
export function lineageRelationships(nodes: readonly LineageNode[]) {
  const paths = new Paths();
  return nodes.map((node) => ({
    type: node.type,
    entity: node.urn,
    degree: node.degree,
    degrees: [node.degree],
    paths: [paths.to(node)],
  }));
}

/** The ways of one answer, which all together are bounded. */
class Paths {
  private steps = 0;

  /** @throws CatalogError PARAMETER_INVALID when they are too long together */
  to(node: LineageNode): string[] {
    this.steps += node.degree + 1;
    if (this.steps <= MAX_STEPS) return pathTo(node);
    const message = `the paths of this page have more than ${MAX_STEPS} URNs: ask for fewer hits, or for fewer steps with maxHops`;
    throw refuse('PARAMETER_INVALID', message, '/count');
  }
}
