import { setImmediate } from 'node:timers';
import { SLICE_MS } from './slice-ms.js';

/**
 * How often the event loop goes round after a slice. One round accepts a new connection, the next reads its request:
 * a health check that came meanwhile is answered before the next piece begins.
 */
const ROUNDS = 2;

const AT_ONCE = Promise.resolve();

/** A fair gate for synchronous work: one piece at a time, callers take turns, and sockets are served in between. */
export class Turns {
  private readonly waiting: Array<() => void> = [];
  private running = false;
  private sliceEnds = 0;
  private rounds = 0;

  /**
   * Resolves when the caller may run one piece of synchronous work, which it does before it awaits anything else.
   * Callers are served in the order in which they asked; one that asks again stands behind the others.
   */
  turn(): Promise<void> {
    if (!this.running) {
      this.running = true;
      this.beginSlice();
      return AT_ONCE;
    }
    // Also within a slice: of several who ask in one go, none has begun yet.
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private beginSlice(): void {
    this.rounds = 0;
    this.sliceEnds = performance.now() + SLICE_MS;
    setImmediate(this.goOn);
  }

  /** Runs once a round of the event loop for as long as there is, or has just been, work. */
  private readonly goOn = (): void => {
    if (this.waiting.length > 0 && this.rounds === 0 && performance.now() < this.sliceEnds) {
      setImmediate(this.goOn);
      // The piece runs as soon as this function has returned.
      this.waiting.shift()!();
    } else if (this.rounds < ROUNDS) {
      this.rounds++;
      setImmediate(this.goOn);
    } else if (this.waiting.length > 0) {
      this.beginSlice();
      this.waiting.shift()!();
    } else this.running = false;
  };
}

const shared = new Turns();

/**
 * To be awaited before each piece of heavy synchronous work (a search, a large answer, a large document to parse), of
 * which none should take more than some tens of milliseconds. All callers of the process share one gate: they take
 * turns, and requests of others are served in between. Costs next to nothing while no other request waits.
 */
export function turn(): Promise<void> {
  return shared.turn();
}
