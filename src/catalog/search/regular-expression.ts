/**
 * The regular expressions of the query language: a subset that means the same in every engine (literals, `.`, classes,
 * groups, alternatives, `?`, `*`, `+`, `{n,m}`, escaped signs), always about a whole value and whatever its case. They
 * are evaluated by stepping through sets of states, so no expression makes a value take more than its length times the
 * length of the expression.
 */

/** Longer ones are no expression of a person. */
const MAX_LENGTH = 256;
const MAX_DEPTH = 20;
const MAX_REPEATS = 100;
/** Characters of one range of a class. */
const MAX_RANGE = 1024;
/** Steps of the expression once its repetitions are written out. */
const MAX_STEPS = 1000;
/** States of the automaton that engines make of it: expressions beyond this are refused everywhere alike. */
const MAX_STATES = 500;
const LAST_CHARACTER = 0x10ffff;

/** Characters as ranges of code points, both ends included, in order. */
type Characters = ReadonlyArray<readonly [number, number]>;
const ANY: Characters = [[0, LAST_CHARACTER]];

type Node =
  | { is: 'characters'; of: Characters }
  | { is: 'sequence' | 'choice'; parts: readonly Node[] }
  | { is: 'repeat'; part: Node; from: number; to: number };

/** What is wrong with an expression, and at which UTF-16 unit of it. */
export class RegularExpressionError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

/** One step: characters that lead on, or a fork without any. */
type Step = { characters: Characters; next: number } | { fork: number[] } | 'match';

export class RegularExpression {
  private readonly steps: Step[] = [];
  private readonly start: number;

  private constructor(
    private readonly root: Node,
    private readonly maxSteps: number,
  ) {
    this.steps.push('match');
    this.start = this.compile(root, 0);
  }

  /** What somebody wrote. @throws RegularExpressionError */
  static of(text: string): RegularExpression {
    const expression = new RegularExpression(new Parser(text).parse(), MAX_STEPS);
    if (expression.states() > MAX_STATES)
      throw new RegularExpressionError('this expression is too complex', 0);
    return expression;
  }

  /** What was made of an expression that was read before: it may be a little beyond the bounds. */
  static trusted(text: string): RegularExpression {
    return new RegularExpression(new Parser(text, 2).parse(), 2 * MAX_STEPS);
  }

  /** Whether the whole text, in small letters, is of the expression. */
  matches(text: string): boolean {
    let now = this.reached([this.start]);
    for (const character of text) {
      if (now.size === 0) return false;
      now = this.after(now, character.codePointAt(0)!);
    }
    return now.has(0);
  }

  /** The expression as Lucene reads it without its optional operators, of values in small letters. */
  toLucene(): string {
    return printed(this.root);
  }

  private compile(node: Node, next: number): number {
    if (this.steps.length > this.maxSteps) throw new RegularExpressionError('this expression is too long', 0);
    switch (node.is) {
      case 'characters':
        return this.steps.push({ characters: node.of, next }) - 1;
      case 'sequence':
        return node.parts.reduceRight((after, part) => this.compile(part, after), next);
      case 'choice':
        return this.steps.push({ fork: node.parts.map((part) => this.compile(part, next)) }) - 1;
      case 'repeat':
        return this.repeat(node, next);
    }
  }

  private repeat({ part, from, to }: Extract<Node, { is: 'repeat' }>, next: number): number {
    let at = next;
    if (to === Infinity) {
      const fork = [next];
      at = this.steps.push({ fork }) - 1;
      fork.push(this.compile(part, at));
    } else {
      for (let i = from; i < to; i++) at = this.steps.push({ fork: [next, this.compile(part, at)] }) - 1;
    }
    for (let i = 0; i < from; i++) at = this.compile(part, at);
    return at;
  }

  /** Steps that can be reached without a character. */
  private reached(steps: readonly number[]): Set<number> {
    const found = new Set<number>();
    const open = [...steps];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (found.has(at)) continue;
      found.add(at);
      const step = this.steps[at]!;
      if (step !== 'match' && 'fork' in step) open.push(...step.fork);
    }
    return found;
  }

  private after(now: ReadonlySet<number>, character: number): Set<number> {
    const next: number[] = [];
    for (const at of now) {
      const step = this.steps[at]!;
      if (step !== 'match' && 'characters' in step && holds(step.characters, character)) next.push(step.next);
    }
    return this.reached(next);
  }

  /** How many sets of steps there are, as far as it matters. */
  private states(): number {
    // One character of each kind that the expression tells apart.
    const kinds = new Set([0]);
    for (const step of this.steps) {
      if (step === 'match' || !('characters' in step)) continue;
      for (const [low, high] of step.characters) kinds.add(low).add(high + 1);
    }
    const seen = new Set<string>();
    const open = [this.reached([this.start])];
    for (let now = open.pop(); now !== undefined && seen.size <= MAX_STATES; now = open.pop()) {
      const key = [...now].sort((a, b) => a - b).join();
      if (seen.has(key)) continue;
      seen.add(key);
      for (const kind of kinds) {
        const next = this.after(now, kind);
        if (next.size > 0) open.push(next);
      }
    }
    return seen.size;
  }
}

/** Signs that stand for something; every other sign may, but need not be escaped. */
const SIGNS = '.?*+{}[]()|';

class Parser {
  private at = 0;
  private depth = 0;

  /** @param slack by how much the bounds may be passed */
  constructor(
    private readonly text: string,
    private readonly slack = 1,
  ) {}

  parse(): Node {
    if (this.text.length > this.slack * MAX_LENGTH)
      throw this.error(`longer than ${MAX_LENGTH} characters`, MAX_LENGTH);
    if (!this.text.isWellFormed()) throw this.error('half of a character', 0);
    const node = this.choice();
    if (this.at < this.text.length) throw this.error(`"${this.peek()}" is not expected here`);
    return node;
  }

  private choice(): Node {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0]! : { is: 'choice', parts };
  }

  private sequence(): Node {
    const parts: Node[] = [];
    while (this.at < this.text.length && this.peek() !== '|' && this.peek() !== ')')
      parts.push(this.repeated());
    if (parts.length === 0) throw this.error('something is missing here');
    return parts.length === 1 ? parts[0]! : { is: 'sequence', parts };
  }

  private repeated(): Node {
    const part = this.single();
    const { at } = this;
    const [from, to] = this.times() ?? [1, 1];
    if ('?*+{'.includes(this.peek() || ' ')) throw this.error('one repetition after another needs a group');
    if (from > to) throw this.error('the larger number comes last', at);
    return from === 1 && to === 1 ? part : { is: 'repeat', part, from, to };
  }

  private times(): [number, number] | undefined {
    if (this.take('?')) return [0, 1];
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.peek() !== '{') return undefined;
    const found = /^\{(\d{1,3})(?:(,)(\d{1,3})?)?\}/.exec(this.text.slice(this.at));
    if (!found) throw this.error('a number of repetitions is {n}, {n,} or {n,m}; \\{ is the sign itself');
    const [whole, first, comma, second] = found;
    const from = Number(first);
    const to = second !== undefined ? Number(second) : comma !== undefined ? Infinity : from;
    if (from > MAX_REPEATS || (to > MAX_REPEATS && to !== Infinity))
      throw this.error(`more than ${MAX_REPEATS} repetitions`);
    this.at += whole.length;
    return [from, to];
  }

  private single(): Node {
    const { at } = this;
    if (this.take('(')) {
      if (this.peek() === '?') throw this.error('groups have no options; \\? is the sign itself');
      if (++this.depth > this.slack * MAX_DEPTH) throw this.error(`nested deeper than ${MAX_DEPTH}`, at);
      const inner = this.choice();
      if (!this.take(')')) throw this.error('this parenthesis is not closed', at);
      this.depth--;
      return inner;
    }
    if (this.take('[')) return { is: 'characters', of: this.characters(at) };
    if (this.take('.')) return { is: 'characters', of: ANY };
    const sign = this.peek();
    if (SIGNS.includes(sign))
      throw this.error(`"${sign}" is not expected here; \\${sign} is the sign itself`);
    if (sign === '^' || sign === '$')
      throw this.error(`an expression is always about the whole value; \\${sign} is the sign itself`);
    return literal(this.character());
  }

  /** The inside of `[…]`, up to its end. */
  private characters(open: number): Characters {
    const negated = this.take('^');
    const found: Array<[number, number]> = [];
    while (!this.take(']')) {
      if (this.at >= this.text.length) throw this.error('this bracket is not closed', open);
      const { at } = this;
      if (this.peek() === '[') throw this.error('"[" within brackets needs a backslash');
      const low = this.character().codePointAt(0)!;
      let high = low;
      if (this.peek() === '-' && this.text[this.at + 1] !== ']' && this.at + 1 < this.text.length) {
        this.at++;
        if (this.peek() === '[') throw this.error('"[" within brackets needs a backslash');
        high = this.character().codePointAt(0)!;
      }
      if (low > high) throw this.error('the larger character of a range comes last', at);
      if (high - low >= MAX_RANGE) throw this.error(`a range of more than ${MAX_RANGE} characters`, at);
      for (let one = low; one <= high; one++) found.push(...foldedSingle(one));
    }
    if (found.length === 0) throw this.error('brackets without a character', open);
    const merged = merge(found);
    const kept = negated ? allBut(merged) : merged;
    if (kept.length === 0) throw this.error('brackets that no character fits', open);
    return kept;
  }

  /** One character, its backslash undone. */
  private character(): string {
    const at = this.at;
    let character = this.next();
    if (character === '\\') {
      if (this.at >= this.text.length) throw this.error('nothing follows the backslash', at);
      character = this.next();
      if (/[\p{L}\p{N}]/u.test(character))
        throw this.error(`"\\${character}" means nothing here; brackets list characters`, at);
    }
    return character;
  }

  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private next(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.at)!);
    this.at += character.length;
    return character;
  }

  private take(sign: string): boolean {
    if (this.peek() !== sign) return false;
    this.at++;
    return true;
  }

  private error(message: string, at = this.at): RegularExpressionError {
    return new RegularExpressionError(message, at);
  }
}

/** A character in small letters, which may be more than one. */
function literal(character: string): Node {
  const parts = [...character.toLowerCase()].map((one): Node => {
    const point = one.codePointAt(0)!;
    return { is: 'characters', of: [[point, point]] };
  });
  return parts.length === 1 ? parts[0]! : { is: 'sequence', parts };
}

/** A character of a class in small letters; one whose small form is several stays as it is. */
function foldedSingle(point: number): Array<[number, number]> {
  // Halves of surrogate pairs are no characters.
  if (point >= 0xd800 && point <= 0xdfff) return [];
  const small = [...String.fromCodePoint(point).toLowerCase()];
  const folded = small.length === 1 ? small[0]!.codePointAt(0)! : point;
  return [[folded, folded]];
}

function merge(ranges: ReadonlyArray<readonly [number, number]>): Array<[number, number]> {
  const merged: Array<[number, number]> = [];
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

function allBut(ranges: Characters): Characters {
  const rest: Array<[number, number]> = [];
  let from = 0;
  for (const [low, high] of ranges) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST_CHARACTER) rest.push([from, LAST_CHARACTER]);
  return rest;
}

function holds(characters: Characters, point: number): boolean {
  return characters.some(([low, high]) => point >= low && point <= high);
}

function printed(node: Node): string {
  switch (node.is) {
    case 'characters':
      return printedClass(node.of);
    case 'sequence':
      return node.parts.map((part) => (part.is === 'choice' ? `(${printed(part)})` : printed(part))).join('');
    case 'choice':
      return node.parts.map(printed).join('|');
    case 'repeat': {
      const { part, from, to } = node;
      const inner = part.is === 'characters' ? printed(part) : `(${printed(part)})`;
      return `${inner}{${from},${to === Infinity ? '' : to}}`;
    }
  }
}

function printedClass(characters: Characters): string {
  if (characters === ANY) return '.';
  const [first] = characters;
  if (characters.length === 1 && first![0] === first![1]) return sign(first![0]);
  const negated = first![0] === 0;
  const shown = negated ? allBut(characters) : characters;
  return `[${negated ? '^' : ''}${shown.map(([low, high]) => (low === high ? sign(low) : `${sign(low)}-${sign(high)}`)).join('')}]`;
}

/** A character that means itself. */
function sign(point: number): string {
  const character = String.fromCodePoint(point);
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
}

const compiled = new WeakMap<object, RegularExpression>();

/** The expression of a test, compiled once. */
export function expressionOf(test: { expression: string }): RegularExpression {
  let expression = compiled.get(test);
  if (!expression) compiled.set(test, (expression = RegularExpression.trusted(test.expression)));
  return expression;
}
