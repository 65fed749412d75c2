/** Items of a first portion. */
const FIRST = 50;
/** What a portion may come to: characters. */
const TOGETHER = 512 * 1024;

/**
 * How many items are read together of a long answer: as many as are likely to be of a bearable length, judged by those before. Ten
 * thousand of them may have a gigabyte.
 */
export class PortionSize {
  private size: number;

  /** @param most items of a portion, however short they are */
  constructor(private readonly most: number) {
    this.size = Math.min(FIRST, most);
  }

  get next(): number {
    return this.size;
  }

  /** So many items came to so many characters. */
  learn(items: number, characters: number): void {
    if (items === 0) return;
    const fitting = Math.floor((items * TOGETHER) / Math.max(1, characters));
    this.size = Math.max(1, Math.min(this.most, fitting));
  }
}
