/** A line in which callers take turns, however much each of them waits for. What one caller waits for comes in its order. */
export class FairLine<T> {
  /** In the order of their turns. */
  private readonly callers = new Map<string, T[]>();
  private first: T[] = [];
  private count = 0;

  get length(): number {
    return this.count;
  }

  add(caller: string, item: T): void {
    const own = this.callers.get(caller);
    if (own === undefined) this.callers.set(caller, [item]);
    else own.push(item);
    this.count += 1;
  }

  /** Puts what had its turn before all others. */
  putBack(items: readonly T[]): void {
    this.first.unshift(...items);
    this.count += items.length;
  }

  /** Takes the next one out; the turn goes to the next caller. */
  next(): T | undefined {
    if (this.count === 0) return undefined;
    this.count -= 1;
    if (this.first.length > 0) return this.first.shift();
    const [caller, own] = this.callers.entries().next().value!;
    this.callers.delete(caller);
    if (own.length > 1) this.callers.set(caller, own);
    return own.shift();
  }

  remove(item: T): void {
    for (const [caller, own] of [['', this.first] as const, ...this.callers]) {
      const at = own.indexOf(item);
      if (at < 0) continue;
      own.splice(at, 1);
      this.count -= 1;
      if (own.length === 0 && own !== this.first) this.callers.delete(caller);
      return;
    }
  }

  /** Takes out all. */
  clear(): T[] {
    const all = [...this.first, ...[...this.callers.values()].flat()];
    this.first = [];
    this.callers.clear();
    this.count = 0;
    return all;
  }
}
