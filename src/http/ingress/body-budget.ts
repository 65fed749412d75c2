import { refuse } from '../../catalog/errors/index.js';

/** Bodies up to this size are not counted: how many of them there are, connections and tokens bound. */
export const SMALL_BODY = 64 * 1024;

/** The bytes of larger bodies that the whole process holds, from the first byte until their answer is sent. */
export class BodyBudget {
  /** Bytes that are held now. */
  private held = 0;

  /** @param limit bytes; one body of the largest size that is allowed must fit. */
  constructor(private readonly limit: number) {}

  /** Refuses `bytes` for which there is no room now. @throws CatalogError SERVICE_UNAVAILABLE */
  expect(bytes: number): void {
    if (this.held + bytes <= this.limit) return;
    throw refuse(
      'SERVICE_UNAVAILABLE',
      `the bodies of requests that are under way have ${this.held} bytes, with ${bytes} more there would be more than ${this.limit}: try again soon`,
    );
  }

  /** Counts bytes that have come. @throws CatalogError SERVICE_UNAVAILABLE; nothing is counted then. */
  take(bytes: number): void {
    this.expect(bytes);
    this.held += bytes;
  }

  give(bytes: number): void {
    this.held -= bytes;
  }
}
