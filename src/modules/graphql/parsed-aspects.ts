import { readJson } from '../../catalog/json/index.js';
import type { StoredAspect } from '../entities/index.js';

export type Value = Record<string, unknown>;

/** Characters of JSON whose values are kept; a value takes three to four bytes for each. */
const MAX_CHARACTERS = 8 * 1024 * 1024;

/**
 * Values of stored aspects that were parsed recently, for all requests. What is stored is never changed, and a new value is
 * a new aspect: so they are never stale. They are shared as well: do not change them.
 */
export class ParsedAspects {
  /** Two halves, so that use need not be noted each time: what is used moves to the young one, and the old one goes. */
  private young = new Map<StoredAspect, Value>();
  private old = new Map<StoredAspect, Value>();
  private characters = 0;

  constructor(private readonly limit = MAX_CHARACTERS) {}

  of(aspect: StoredAspect): Value {
    const found = this.young.get(aspect);
    if (found) return found;
    const value = this.old.get(aspect) ?? (readJson(aspect.value) as Value);
    const size = aspect.value.length;
    // One giant must not drive out all others.
    if (size > this.limit / 8) return value;
    if (this.characters + size > this.limit / 2) {
      this.old = this.young;
      this.young = new Map();
      this.characters = 0;
    }
    this.young.set(aspect, value);
    this.characters += size;
    return value;
  }
}
