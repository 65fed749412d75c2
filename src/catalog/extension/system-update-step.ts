/**
 * Extension point: a part of the system update (`npm run system-update`) that comes before the search index is built
 * anew. Found at boot; the steps run one after the other.
 */
export abstract class SystemUpdateStep {
  /** What it is called in the report. */
  abstract readonly name: string;
  /**
   * May run any number of times, also beside a live service and after it was interrupted.
   * @param report takes lines for the person who runs the update
   * @throws CatalogError when the update must not go on
   */
  abstract run(report: (line: string) => void): Promise<void>;
}
