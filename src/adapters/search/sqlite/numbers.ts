/** A list of whole numbers below 2^32 that grows, four bytes each. */
export class Numbers {
  private list = new Uint32Array(64);
  length = 0;

  /** Answers the index of the number. */
  push(number: number): number {
    if (this.length === this.list.length) {
      const longer = new Uint32Array(this.length * 2);
      longer.set(this.list);
      this.list = longer;
    }
    this.list[this.length] = number;
    return this.length++;
  }

  at(index: number): number {
    return this.list[index]!;
  }

  set(index: number, number: number): void {
    this.list[index] = number;
  }

  get bytes(): number {
    return this.list.byteLength;
  }
}
