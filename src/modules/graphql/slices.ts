import { turn } from '../../catalog/schedule/index.js';

/** How long operations work, all in one round of the event loop or one in its turn, in milliseconds. */
const SLICE_MS = 10;

/** Elements of a long list that are one piece. */
const TOGETHER = 32;

/** Until when operations may go on without a turn in this round of the event loop. */
let roundEnds = 0;
let inRound = false;

/** Time in which an operation only waited for others does not count. */
function hasTime(): boolean {
  const now = performance.now();
  if (!inRound) {
    inRound = true;
    roundEnds = now + SLICE_MS;
    setImmediate(() => (inRound = false));
  }
  return now < roundEnds;
}

/** Cuts the work of one operation into slices, between which other requests are served. */
export class Slices {
  private waiting: Array<() => void> = [];
  private next = 0;
  private running = false;
  private rest = Promise.resolve();
  private ends = 0;
  /** How many slices there were before this one. */
  count = 0;

  constructor(private readonly signal: Pick<AbortSignal, 'throwIfAborted'>) {
    hasTime();
  }

  /** @throws what the operation was given up with */
  check(): void {
    this.signal.throwIfAborted();
  }

  /**
   * To be awaited before each small piece of work; undefined when it may begin at once. Pieces run one at a time, in
   * the order in which they asked, so that the first ones are done before the time is over.
   * @throws the reason why the operation was given up
   */
  pace(): Promise<void> | undefined {
    this.signal.throwIfAborted();
    return !this.running && hasTime() ? undefined : this.line();
  }

  /**
   * To be awaited before work that mostly fits into one slice as a whole; undefined when there is time for it. All fields of an entity
   * would wait otherwise, each by itself, when others have had the time of this round.
   * @throws what the operation was given up with
   */
  fresh(): Promise<void> | undefined {
    this.signal.throwIfAborted();
    return hasTime() ? undefined : turn();
  }

  /**
   * A list whose elements are worked off in slices by what awaits each of them. Short lists are left as they are.
   * @throws what the operation was given up with
   */
  spread<T>(list: readonly T[]): ReadonlyArray<T | Promise<T>> {
    if (list.length <= TOGETHER) return list;
    let together: Promise<void> | undefined;
    return list.map((element, at) => {
      if (at < TOGETHER) return element;
      if (at % TOGETHER === 0) together = this.line();
      return together!.then(() => element);
    });
  }

  /** Behind all pieces that wait already. */
  private line(): Promise<void> {
    const go = new Promise<void>((resolve) => this.waiting.push(resolve));
    if (!this.running) this.rest = this.run();
    return go.then(() => this.signal.throwIfAborted());
  }

  /** To be awaited before a piece that takes a while by itself. @throws what the operation was given up with */
  async turn(): Promise<void> {
    this.signal.throwIfAborted();
    await turn();
    this.count += 1;
    this.signal.throwIfAborted();
  }

  /**
   * Runs `dispatch` when no piece waits any more: what the pieces go on to ask for is then asked for together. To be
   * given to data loaders.
   */
  readonly whenAtRest = (dispatch: () => void): void => {
    void this.rest.then(() => (this.running ? this.whenAtRest(dispatch) : process.nextTick(dispatch)));
  };

  private async run(): Promise<void> {
    this.running = true;
    this.ends = 0;
    for (; this.next < this.waiting.length; this.next += 1) {
      if (performance.now() >= this.ends) {
        await turn();
        this.count += 1;
        this.ends = performance.now() + SLICE_MS;
      }
      this.waiting[this.next]!();
      // What was let go does its work in the meantime, however many promises lead there.
      await new Promise((resolve) => process.nextTick(resolve));
    }
    this.waiting = [];
    this.next = 0;
    this.running = false;
  }
}
