/** Extension point: something this process depends on, and how it is. */
export abstract class HealthPart {
  abstract readonly name: string;
  /** Whether the service can answer nothing useful without it. */
  abstract readonly required: boolean;
  /**
   * Rejects when the part does not work. What it rejects with is logged once, until it works again; shown is the message of a CatalogError, which is
   * written for callers. An object that it resolves with is shown: numbers, no secrets.
   */
  abstract check(): Promise<unknown>;
  /** Why a part that works does so in part only, in words that any caller may read. */
  trouble?(): Promise<string | undefined>;
}
