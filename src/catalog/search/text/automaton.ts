/**
 * Automata over characters: what patterns, regular expressions and misspelt words come down to. Whatever they are made
 * of, a text is read once, one state after each character.
 */

export const LAST_CHARACTER = 0x10ffff;

/** Characters as ranges of code points, both ends included, in order. */
export type Characters = ReadonlyArray<readonly [number, number]>;
export const ANY: Characters = [[0, LAST_CHARACTER]];

/** A set of texts. A sequence of no parts is the empty text; a choice of none has no text at all. */
export type Pattern =
  | { is: 'characters'; of: Characters }
  | { is: 'sequence' | 'choice' | 'intersection'; parts: readonly Pattern[] }
  | { is: 'repeat'; part: Pattern; from: number; to: number }
  | { is: 'complement'; part: Pattern };

/** One step: characters that lead on, or a fork without any. */
type Step = { characters: Characters; next: number } | { fork: number[] };

/** The step that ends a text which belongs to the set. */
const MATCH = 0;
/** The state that no text leads out of. */
const DEAD = -1;
const UNKNOWN = -2;

/** Steps of all parts, repetitions written out. */
const MAX_STEPS = 20_000;
/** Steps that may be looked at while states are made. */
const MAX_EFFORT = 200_000;

/** The automaton would be too large; the message says what there would be too many of. */
export class TooComplex extends Error {}

/** Answers character by character whether a text belongs to a set of texts. States are made when they are reached. */
export class Automaton {
  private readonly steps: Step[] = [{ fork: [] }];
  /** The first character of each class: characters of one class lead to the same states everywhere. */
  private borders: number[] = [];
  private readonly sets: number[][] = [];
  private readonly accepting: boolean[] = [];
  private readonly next: Int32Array[] = [];
  private readonly byKey = new Map<string, number>();
  private effort = 0;
  readonly start: number;

  private constructor(
    build: (automaton: Automaton) => number,
    private readonly maxStates: number,
  ) {
    const first = build(this);
    const borders = new Set([0]);
    for (const step of this.steps) {
      if ('characters' in step) for (const [low, high] of step.characters) borders.add(low).add(high + 1);
    }
    this.borders = [...borders].sort((a, b) => a - b);
    this.start = this.stateOf([first]);
  }

  /** @throws TooComplex when a part of the pattern, or the pattern itself at use, needs more states */
  static of(pattern: Pattern, maxStates: number): Automaton {
    return new Automaton((automaton) => automaton.compile(pattern, MATCH), maxStates);
  }

  /** Texts that differ from the word by at most so many characters added, left out, changed, or swapped with a neighbour. */
  static near(word: string, edits: number): Automaton {
    return new Automaton((automaton) => automaton.compileNear(word, edits), Infinity);
  }

  /** The state after one more character; below 0 when no text goes on from there to belong to the set. */
  step(state: number, character: number): number {
    const kind = this.classOf(character);
    const known = this.next[state]![kind]!;
    return known === UNKNOWN ? this.reach(state, kind) : known;
  }

  accepts(state: number): boolean {
    return state >= 0 && this.accepting[state]!;
  }

  matches(text: string): boolean {
    let state = this.start;
    for (let at = 0; at < text.length && state >= 0; at++) {
      const character = text.codePointAt(at)!;
      if (character > 0xffff) at++;
      state = this.step(state, character);
    }
    return this.accepts(state);
  }

  /** Makes all states. @throws TooComplex */
  expand(): void {
    for (let state = 0; state < this.sets.length; state++) {
      for (let kind = 0; kind < this.borders.length; kind++) this.reach(state, kind);
    }
  }

  /** What it took to make the states: steps that were looked at. */
  get work(): number {
    return this.steps.length + this.effort;
  }

  private reach(state: number, kind: number): number {
    const character = this.borders[kind]!;
    const found: number[] = [];
    for (const at of this.sets[state]!) {
      const step = this.steps[at]!;
      if ('characters' in step && holds(step.characters, character)) found.push(step.next);
    }
    return (this.next[state]![kind] = found.length === 0 ? DEAD : this.stateOf(found));
  }

  /** Per step, the last set that it was put into. */
  private marks = new Uint32Array(0);
  private mark = 0;

  /** The state of all steps that can be reached from these without a character. */
  private stateOf(from: readonly number[]): number {
    if (this.marks.length === 0) this.marks = new Uint32Array(this.steps.length);
    const mark = ++this.mark;
    const open = [...from];
    const set: number[] = [];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (this.marks[at] === mark) continue;
      this.marks[at] = mark;
      this.effort++;
      const step = this.steps[at]!;
      if ('fork' in step) for (const other of step.fork) open.push(other);
      if (at === MATCH || 'characters' in step) set.push(at);
    }
    if (set.length === 0) return DEAD;
    // Told apart as text: a step is a character of it, for there are fewer than 65,536.
    const key = String.fromCharCode(...Uint16Array.from(set).sort());
    let state = this.byKey.get(key);
    if (state === undefined) {
      state = this.sets.push(set) - 1;
      if (state >= this.maxStates) throw new TooComplex(`more than ${this.maxStates} states`);
      this.next.push(new Int32Array(this.borders.length).fill(UNKNOWN));
      this.accepting.push(this.marks[MATCH] === mark);
      this.byKey.set(key, state);
    }
    if (this.effort > MAX_EFFORT && this.maxStates < Infinity)
      throw new TooComplex(`more than ${MAX_EFFORT} steps to make its states`);
    return state;
  }

  private ascii: Int16Array | undefined;

  private classOf(character: number): number {
    if (character < 128) {
      this.ascii ??= Int16Array.from({ length: 128 }, (_, one) => this.findClass(one));
      return this.ascii[character]!;
    }
    return this.findClass(character);
  }

  private findClass(character: number): number {
    let low = 0;
    let high = this.borders.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.borders[middle]! <= character) low = middle;
      else high = middle;
    }
    return low;
  }

  private add(step: Step): number {
    if (this.steps.length >= MAX_STEPS && this.maxStates < Infinity)
      throw new TooComplex(`more than ${MAX_STEPS} steps`);
    return this.steps.push(step) - 1;
  }

  private compile(pattern: Pattern, next: number): number {
    switch (pattern.is) {
      case 'characters':
        return this.add({ characters: pattern.of, next });
      case 'sequence':
        return pattern.parts.reduceRight((after, part) => this.compile(part, after), next);
      case 'choice':
        return this.add({ fork: pattern.parts.map((part) => this.compile(part, next)) });
      case 'repeat':
        return this.repeat(pattern, next);
      case 'complement':
        return this.complement(pattern.part, next);
      case 'intersection': {
        const outside = pattern.parts.map((part): Pattern => ({ is: 'complement', part }));
        return this.complement({ is: 'choice', parts: outside }, next);
      }
    }
  }

  private repeat({ part, from, to }: Extract<Pattern, { is: 'repeat' }>, next: number): number {
    let at = next;
    if (to === Infinity) {
      const fork = [next];
      at = this.add({ fork });
      fork.push(this.compile(part, at));
    } else {
      for (let i = from; i < to; i++) at = this.add({ fork: [next, this.compile(part, at)] });
    }
    for (let i = 0; i < from; i++) at = this.compile(part, at);
    return at;
  }

  /** Every text that the part does not have. */
  private complement(part: Pattern, next: number): number {
    const inner = Automaton.of(part, this.maxStates);
    inner.expand();
    this.effort += inner.work;
    const outside: number[] = [next];
    const sink = this.add({ fork: outside });
    outside.push(this.add({ characters: ANY, next: sink }));
    const forks = inner.sets.map((_, state): number[] => (inner.accepts(state) ? [] : [next]));
    const entries = forks.map((fork) => this.add({ fork }));
    for (const [state, fork] of forks.entries()) {
      for (const [target, characters] of inner.transitions(state)) {
        fork.push(this.add({ characters, next: target === DEAD ? sink : entries[target]! }));
      }
    }
    return inner.start === DEAD ? sink : entries[inner.start]!;
  }

  /** Where each character leads from a state, once all states are known. */
  private transitions(state: number): Map<number, Array<[number, number]>> {
    const found = new Map<number, Array<[number, number]>>();
    for (const [kind, low] of this.borders.entries()) {
      const high = (this.borders[kind + 1] ?? LAST_CHARACTER + 1) - 1;
      if (low > LAST_CHARACTER) continue;
      const target = this.next[state]![kind]!;
      const ranges = found.get(target) ?? [];
      if (ranges.length === 0) found.set(target, ranges);
      const last = ranges.at(-1);
      if (last && last[1] === low - 1) last[1] = high;
      else ranges.push([low, high]);
    }
    return found;
  }

  private compileNear(word: string, edits: number): number {
    const letters = [...word].map((letter) => letter.codePointAt(0)!);
    const one = (letter: number): Characters => [[letter, letter]];
    // Row by row from the end of the word; in each the steps by how many edits are left.
    let after: number[] = [];
    let afterNext: number[] = [];
    for (let i = letters.length; i >= 0; i--) {
      const row: number[] = [];
      for (let left = 0; left <= edits; left++) {
        const fork: number[] = [];
        const at = this.add({ fork });
        row.push(at);
        if (i === letters.length) fork.push(MATCH);
        else fork.push(this.add({ characters: one(letters[i]!), next: after[left]! }));
        if (left === 0) continue;
        // Added; changed or left out; swapped.
        fork.push(this.add({ characters: ANY, next: row[left - 1]! }));
        if (i === letters.length) continue;
        fork.push(this.add({ characters: ANY, next: after[left - 1]! }), after[left - 1]!);
        if (i + 1 === letters.length) continue;
        const second = this.add({ characters: one(letters[i]!), next: afterNext[left - 1]! });
        fork.push(this.add({ characters: one(letters[i + 1]!), next: second }));
      }
      [after, afterNext] = [row, after];
    }
    return after[edits]!;
  }
}

function holds(characters: Characters, point: number): boolean {
  return characters.some(([low, high]) => point >= low && point <= high);
}

/** Characters of both, in order and without gaps between neighbours. */
export function merged(ranges: ReadonlyArray<readonly [number, number]>): Array<[number, number]> {
  const found: Array<[number, number]> = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else found.push([low, high]);
  }
  return found;
}

/** All other characters. */
export function allBut(ranges: Characters): Characters {
  const rest: Array<[number, number]> = [];
  let from = 0;
  for (const [low, high] of ranges) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST_CHARACTER) rest.push([from, LAST_CHARACTER]);
  return rest;
}
