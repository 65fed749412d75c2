/**
 * For so long a job of an unfinished try waits while there are others to run. From then on such jobs take turns with the
 * others: where new ones come all the time, they would wait for ever.
 */
const LONGEST_DEFERRAL_MS = 2000;

/**
 * Whose turn it is in a queue: that of the jobs that a process may have died of, which run one by one, or that of the others,
 * which run in batches. Both get as much time: one job after each batch would leave hundreds of them, as a process that was
 * killed at the wrong moment leaves, waiting for hundreds of batches.
 */
export class SuspectTurns {
  private from = 0;
  /** Milliseconds that are left to such jobs after the last turn of the others: one at least. */
  private left = 1;

  constructor(private readonly deferralMs = LONGEST_DEFERRAL_MS) {
    this.noneWaits();
  }

  /** Whether such a job goes next although others are due. */
  goesNext(): boolean {
    return this.left > 0 && performance.now() >= this.from;
  }

  /** The next one that comes has not waited yet. */
  noneWaits(): void {
    this.from = performance.now() + this.deferralMs;
  }

  /**
   * Runs a turn, and measures it.
   * @param suspect whether it is one of such jobs
   */
  async take<T>(suspect: boolean, turn: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await turn();
    } finally {
      const ms = performance.now() - start;
      this.left = suspect ? this.left - ms : Math.max(ms, 1);
    }
  }
}
