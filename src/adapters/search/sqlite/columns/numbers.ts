/** A list of whole numbers below 2^32 that grows, four bytes each. */
export class Numbers {
  private list: Uint32Array;
  length = 0;

  /** @param room for so many at first */
  constructor(room = 64) {
    this.list = new Uint32Array(Math.max(64, room));
  }

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

  /** Good until the next change. */
  get all(): Uint32Array {
    return this.list.subarray(0, this.length);
  }

  get bytes(): number {
    return this.list.byteLength;
  }
}

/**
 * The whole numbers of a JSON array, parsed from its bytes. Reading a million numbers as one row costs a fraction of
 * reading a million rows, and they never enter the heap of JavaScript, which would stay large.
 */
export function numbersIn(json: Uint8Array): Uint32Array {
  const numbers = new Numbers(json.length >>> 3);
  let number = 0;
  // Whatever ends a number comes right after its digits: a comma or the bracket.
  for (let i = 1; i < json.length; i++) {
    const digit = json[i]! - 48;
    if (digit >= 0 && digit <= 9) number = number * 10 + digit;
    else if (i > 1) {
      numbers.push(number);
      number = 0;
    }
  }
  return numbers.all;
}
