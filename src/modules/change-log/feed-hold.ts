/** Extension point: a registered reader of the change feed, for which retention keeps what it has not read. */
export abstract class FeedHold {
  /** Positions up to which readers have read. */
  abstract positions(): Promise<number[]>;
}
