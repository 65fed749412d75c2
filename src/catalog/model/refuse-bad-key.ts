import { refuse } from '../errors/index.js';
import { EntityKeyError } from './entity-keys.js';

/**
 * Does `work` with a key or a URN of a request; a fault of the key is one of the request.
 * @param pointer where the key or the URN stands in the request
 * @throws CatalogError URN_MALFORMED, and what `work` throws
 */
export function refuseBadKey<T>(pointer: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof EntityKeyError) throw refuse('URN_MALFORMED', error.message, pointer);
    throw error;
  }
}
