import type { StoredEntity } from './stored-entity.js';

/** Characters of JSON kept; about as many bytes, and as many again for answers made of them. */
const MAX_CHARACTERS = 24 * 1024 * 1024;
/** What an entry costs beside its JSON. */
const OVERHEAD = 512;

/**
 * An LRU cache of entity states. An entry is valid for the sequence it was read at, which the reader must compare with
 * the head in the store: so it is never stale, whichever process wrote.
 */
export class EntityCache {
  private readonly entries = new Map<string, { state: StoredEntity; size: number; usedAt: number }>();
  private total = 0;
  /** How often something was put in: between two times the order of use need not be kept. */
  private insertions = 0;

  constructor(private readonly limit = MAX_CHARACTERS) {}

  get(key: string): StoredEntity | undefined {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.usedAt !== this.insertions) {
      entry.usedAt = this.insertions;
      // The order of the map is the order of use.
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return entry.state;
  }

  set(key: string, state: StoredEntity): void {
    const size = sizeOf(state);
    this.delete(key);
    // One giant must not drive out all others.
    if (size > this.limit / 8) return;
    this.insertions += 1;
    this.entries.set(key, { state, size, usedAt: this.insertions });
    this.total += size;
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.limit) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.total -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }
}

function sizeOf(state: StoredEntity): number {
  let size = OVERHEAD;
  for (const aspect of state.aspects.values())
    size += OVERHEAD + aspect.value.length + aspect.systemMetadata.length;
  return size;
}
