import { createHash } from 'node:crypto';
import type { Model } from './model.js';

/** A short text that changes whenever the model (entities, aspects, their schemas) does. */
export function modelDigest(model: Model): string {
  const hash = createHash('sha256').update(JSON.stringify([...model.definitions]));
  // Schemas are among the definitions. What a file says of its entity or aspect beyond them is not.
  for (const { schema: _schema, ...aspect } of model.aspects.values()) hash.update(JSON.stringify(aspect));
  for (const { key, aspects, ...entity } of model.entities.values())
    hash.update(JSON.stringify([entity, key.name, [...aspects.keys()]]));
  return hash.digest('hex').slice(0, 12);
}
