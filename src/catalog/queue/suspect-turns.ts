/**
 * For so long a job of an unfinished try waits while there are others to run. From then on such jobs take turns with the
 * others: where new ones come all the time, they would wait for ever.
 */
const LONGEST_DEFERRAL_MS = 2000;

/** Whose turn it is in a queue: that of the jobs that a process may have died of, or that of the others. */
export class SuspectTurns {
  private from = 0;
  private wentLast = false;

  constructor(private readonly deferralMs = LONGEST_DEFERRAL_MS) {
    this.noneWaits();
  }

  /** Whether such a job goes next although others are due. */
  goesNext(): boolean {
    return !this.wentLast && performance.now() >= this.from;
  }

  /** The next one that comes has not waited yet. */
  noneWaits(): void {
    this.from = performance.now() + this.deferralMs;
  }

  /** @param suspect whether it was such a job that went */
  went(suspect: boolean): void {
    this.wentLast = suspect;
  }
}
