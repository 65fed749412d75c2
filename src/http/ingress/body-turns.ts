import type { ServerResponse } from 'node:http';

/** A body that waits until others are done with. */
interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}

/**
 * Large bodies that are parsed and carried out at the same time. What is made of a body takes ten to thirty times its size, so
 * that few at once would fill the heap; as bytes they are small, and wait here in the order in which they came.
 */
export class BodyTurns {
  /** Bytes of the bodies that are being carried out. */
  private under = 0;
  private readonly waiting: Waiting[] = [];

  /** @param limit bytes of bodies that are carried out together; a larger one is carried out alone. */
  constructor(private readonly limit: number) {}

  /** Calls `begin` when it is the body's turn, which lasts until its answer is sent, or the connection has ended. */
  enter(bytes: number, response: ServerResponse, begin: () => void): void {
    if (response.closed) return;
    let left = (): void => {
      this.waiting.splice(this.waiting.indexOf(entry), 1);
      this.next();
    };
    const entry: Waiting = {
      bytes,
      begin: () => {
        left = () => {
          this.under -= bytes;
          this.next();
        };
        begin();
      },
    };
    response.once('close', () => left());
    this.waiting.push(entry);
    this.next();
  }

  private next(): void {
    for (let [first] = this.waiting; first !== undefined; [first] = this.waiting) {
      if (this.under > 0 && this.under + first.bytes > this.limit) return;
      this.waiting.shift();
      this.under += first.bytes;
      first.begin();
    }
  }
}
