/** The first so many of what is offered, by an order: a heap with the last of them on top. */
export class Best<T> {
  private readonly heap: T[] = [];

  /** @param isBefore whether the first of two stands before the second */
  constructor(
    private readonly count: number,
    private readonly isBefore: (a: T, b: T) => boolean,
  ) {}

  /** The last of them, once there are so many: what does not stand before it need not be offered. */
  get last(): T | undefined {
    return this.heap.length < this.count ? undefined : this.heap[0];
  }

  offer(one: T): void {
    const { heap, count } = this;
    if (heap.length < count) {
      heap.push(one);
      if (heap.length === count) heap.sort((a, b) => (this.isBefore(a, b) ? 1 : -1));
    } else if (count > 0 && this.isBefore(one, heap[0]!)) this.replaceLast(one);
  }

  /** In order. To be called at the end. */
  sorted(): T[] {
    return this.heap.sort((a, b) => (this.isBefore(a, b) ? -1 : 1));
  }

  private replaceLast(one: T): void {
    const { heap, isBefore } = this;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below]!, heap[below + 1]!)) below++;
      if (!isBefore(one, heap[below]!)) break;
      heap[at] = heap[below]!;
      at = below;
    }
    heap[at] = one;
  }
}
