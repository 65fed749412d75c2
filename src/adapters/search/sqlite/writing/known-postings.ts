import type { TermValue } from '../columns/terms.js';

/** So many lists are known: as many values as a batch of a thousand tables with their columns has. */
const MOST_KNOWN = 16_384;

/** A posting list that was written to, and its last container. */
export interface KnownPosting {
  readonly id: number;
  chunk: number;
  /** What the container takes; documents can be appended to a list only. */
  bytes: number;
}

/**
 * The posting lists that were written to, by field and value: to look one up takes as long as to append to it.
 * It must not outlive a transaction that was rolled back.
 */
export class KnownPostings {
  private readonly fields = new Map<number, Map<TermValue, KnownPosting>>();
  private size = 0;

  of(field: number, value: TermValue): KnownPosting | undefined {
    return this.fields.get(field)?.get(value);
  }

  /** Keeps the list as long as there is room: those that come first are mostly those of common values. */
  keep(field: number, value: TermValue, posting: KnownPosting): void {
    let values = this.fields.get(field);
    if (!values) this.fields.set(field, (values = new Map<TermValue, KnownPosting>()));
    if (!values.has(value)) {
      if (this.size >= MOST_KNOWN) return;
      this.size += 1;
    }
    values.set(value, posting);
  }

  /** To be called when the list of a value is gone, as its number may be given again. */
  drop(field: number, value: TermValue): void {
    if (this.fields.get(field)?.delete(value)) this.size -= 1;
  }

  clear(): void {
    this.fields.clear();
    this.size = 0;
  }
}
