/** Counts the rounds of the event loop, to tell whether others had their turn between two pieces of work. */
export class EventLoopRounds {
  /** The round that goes on now. */
  current = 0;
  private watching = true;

  constructor() {
    this.watch();
  }

  /** Ends the count, and lets the process end. */
  stop(): void {
    this.watching = false;
  }

  private watch(): void {
    this.current += 1;
    if (this.watching) setImmediate(() => this.watch());
  }
}
