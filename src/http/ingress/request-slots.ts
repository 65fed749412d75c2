import { refuse } from '../../catalog/errors/index.js';

/** How many requests of one token wait for a place before the next is refused. */
const LINE = 1_024;

interface Line {
  running: number;
  readonly waiting: Array<() => void>;
}

/** Limits how many requests of one caller run at the same time; further ones wait in line, unread. */
export class RequestSlots {
  private readonly lines = new Map<string, Line>();

  constructor(private readonly limit: number) {}

  /**
   * Resolves when the caller may run one more request; if there is room, it returns `true` at once, without a
   * promise. Each call that was let in is paired with one of {@link leave}.
   * @param gone gets a function that takes the request out of the line, for clients that disconnect before their turn
   * @throws CatalogError TOO_MANY_REQUESTS when the line is full
   */
  enter(caller: string, gone: (abandon: () => void) => void): Promise<boolean> | true {
    const line = this.lines.get(caller);
    if (line === undefined) {
      this.lines.set(caller, { running: 1, waiting: [] });
      return true;
    }
    if (line.running < this.limit) {
      line.running++;
      return true;
    }
    if (line.waiting.length >= LINE) {
      throw refuse(
        'TOO_MANY_REQUESTS',
        `${line.running} requests of this token are under way, and ${line.waiting.length} wait for them; at most ${this.limit} and ${LINE} may`,
      );
    }
    return new Promise((resolve) => {
      const go = (): void => resolve(true);
      line.waiting.push(go);
      gone(() => {
        const at = line.waiting.indexOf(go);
        if (at >= 0) line.waiting.splice(at, 1);
        resolve(false);
      });
    });
  }

  /** The place goes to the next one in line. */
  leave(caller: string): void {
    const line = this.lines.get(caller)!;
    const next = line.waiting.shift();
    if (next !== undefined) next();
    else if (--line.running === 0) this.lines.delete(caller);
  }
}
