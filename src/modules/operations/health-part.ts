/** Something this process depends on. */
export interface HealthPart {
  readonly name: string;
  /** Whether the service can answer nothing useful without it. */
  readonly required: boolean;
  /**
   * Rejects when the part does not work. What it rejects with is logged; shown is the message of a CatalogError, which is
   * written for callers. An object that it resolves with is shown: figures, no secrets.
   */
  check(): Promise<unknown>;
  /** Why a part that works does so in part only, in words for everybody. */
  trouble?(): Promise<string | undefined>;
}

/** Injection token of further {@link HealthPart}s (queue, search), a list; the database is always one. */
export const HEALTH_PARTS = Symbol('HealthParts');
