/** Something this process depends on. */
export interface HealthPart {
  readonly name: string;
  /** Whether the service can answer nothing useful without it. */
  readonly required: boolean;
  /**
   * Rejects when the part does not work; what it rejects with is logged, not shown. An object that it resolves with
   * is shown: figures, no secrets.
   */
  check(): Promise<unknown>;
}

/** Injection token of further {@link HealthPart}s (queue, search), a list; the database is always one. */
export const HEALTH_PARTS = Symbol('HealthParts');
