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

  /**
   * What `ask` finds in the index after {@link beforeSearch}. It may be asked at once, and once more when the first
   * answer proves to be from before a write that it should have.
   */
  async current<T>(timeoutMs: number, ask: () => Promise<T>): Promise<T> {
    await this.beforeSearch(timeoutMs);
    return ask();
  }
}
