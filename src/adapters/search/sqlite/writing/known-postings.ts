import type { TermValue } from '../columns/terms.js';

/** So many numbers are kept: as many values as a batch of a thousand tables with their columns has. */
const MOST_KNOWN = 16_384;

/**
 * The numbers of posting lists that were written to, by field and value: to look one up takes as long as to append to it.
 * It must not outlive a transaction that was rolled back.
 */
export class KnownPostings {
  private readonly fields = new Map<number, Map<TermValue, number>>();
  private size = 0;

  of(field: number, value: TermValue): number | undefined {
    return this.fields.get(field)?.get(value);
  }

  /** Keeps the number as long as there is room: those that come first are mostly those of common values. */
  keep(field: number, value: TermValue, posting: number): void {
    let values = this.fields.get(field);
    if (!values) this.fields.set(field, (values = new Map<TermValue, number>()));
    if (this.size >= MOST_KNOWN || values.has(value)) return;
    values.set(value, posting);
    this.size += 1;
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
