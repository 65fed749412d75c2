import type { Entity } from './entity.js';

/**
 * What lies above an entity of a tree, the nearest first. A circle, which nothing but a write of both aspects at once could
 * make, ends where it meets itself.
 * @throws NOT_READ while one of them has not been read
 */
export function ancestors(from: Entity, parentOf: (entity: Entity) => Entity | undefined): Entity[] {
  const seen = new Set([from.urn]);
  const found: Entity[] = [];
  for (let at = parentOf(from); at !== undefined && !seen.has(at.urn); at = parentOf(at)) {
    seen.add(at.urn);
    found.push(at);
  }
  return found;
}
