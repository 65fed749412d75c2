/** Knows how far the search index follows the change log. */
export abstract class IndexBarrier {
  /**
   * Resolves when everything that was committed before the call can be found.
   * @throws CatalogError SEARCH_UNAVAILABLE when that takes longer than `timeoutMs`.
   */
  abstract reached(timeoutMs: number): Promise<void>;

  /** What a search waits for: as {@link reached}, or less where that would keep it waiting for the writes of others. */
  beforeSearch(timeoutMs: number): Promise<void> {
    return this.reached(timeoutMs);
  }
}
