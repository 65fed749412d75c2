import { allBut, ANY, type Characters, merged, type Pattern } from './automaton.js';
import { foldedRange } from './folded-range.js';

/** Longer ones are no expression of a person. */
const MAX_LENGTH = 256;
const MAX_DEPTH = 20;
const MAX_REPEATS = 1000;

/** What is wrong with an expression, and at which UTF-16 unit of it. */
export class RegularExpressionError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

const DIGIT: Characters = [[48, 57]];
const WORD: Characters = [
  [48, 57],
  [95, 95],
  [97, 122],
];
const SPACE: Characters = [
  [9, 13],
  [32, 32],
];
const CLASSES: Readonly<Record<string, Characters>> = {
  d: DIGIT,
  D: allBut(DIGIT),
  w: WORD,
  W: allBut(WORD),
  s: SPACE,
  S: allBut(SPACE),
};

const EMPTY: Pattern = { is: 'sequence', parts: [] };
const NOTHING: Pattern = { is: 'choice', parts: [] };

/**
 * Reads Lucene's regular expressions with all optional operators. From the loosest to the closest: `|`, `&`, one after
 * another, repetitions, `~`. Where something must stand, a sign that could not mean anything there means itself, as in
 * Lucene: `*a` is a star and an `a`.
 */
export class RegularExpressionParser {
  private at = 0;
  private depth = 0;

  /** @param slack by how much the bounds may be passed */
  constructor(
    private readonly text: string,
    private readonly slack = 1,
  ) {}

  /** @throws RegularExpressionError */
  parse(): Pattern {
    const { length } = this.text;
    if (length > this.slack * MAX_LENGTH)
      throw this.error(`has ${length} characters, more than ${MAX_LENGTH}`, MAX_LENGTH);
    if (!this.text.isWellFormed()) throw this.error('half of a character', 0);
    if (length === 0) return EMPTY;
    const pattern = this.choice();
    if (this.more)
      throw this.error(`"${this.peek()}" is not expected here; \\${this.peek()} is the sign itself`);
    return pattern;
  }

  private choice(): Pattern {
    const parts = [this.intersection()];
    while (this.take('|')) parts.push(this.intersection());
    return parts.length === 1 ? parts[0]! : { is: 'choice', parts };
  }

  private intersection(): Pattern {
    const parts = [this.sequence()];
    while (this.take('&')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0]! : { is: 'intersection', parts };
  }

  private sequence(): Pattern {
    const parts = [this.repeated()];
    while (this.more && !'|&)'.includes(this.peek())) parts.push(this.repeated());
    return parts.length === 1 ? parts[0]! : { is: 'sequence', parts };
  }

  private repeated(): Pattern {
    let part = this.complement();
    for (let times = this.times(); times; times = this.times()) {
      part = this.deeper(() => ({ is: 'repeat', part, from: times[0], to: times[1] }));
    }
    return part;
  }

  private times(): [number, number] | undefined {
    if (this.take('?')) return [0, 1];
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.peek() !== '{') return undefined;
    const found = /^\{(\d+)(?:(,)(\d+)?)?\}/.exec(this.text.slice(this.at));
    if (!found) throw this.error('a number of repetitions is {n}, {n,} or {n,m}; \\{ is the sign itself');
    const [whole, first, comma, second] = found;
    const from = Number(first);
    const to = second !== undefined ? Number(second) : comma !== undefined ? Infinity : from;
    const most = to === Infinity ? from : Math.max(from, to);
    if (most > MAX_REPEATS) throw this.error(`${most} repetitions, more than ${MAX_REPEATS}`);
    if (from > to) throw this.error('the larger number of repetitions comes last');
    this.at += whole.length;
    return [from, to];
  }

  private complement(): Pattern {
    if (!this.take('~')) return this.single();
    return this.deeper(() => ({ is: 'complement', part: this.complement() }));
  }

  private single(): Pattern {
    const { at } = this;
    if (!this.more) throw this.error('something is missing here');
    if (this.take('(')) return this.group(at);
    if (this.take('[')) return characters(this.characters(at));
    if (this.take('"')) return this.quoted(at);
    if (this.take('<')) return this.interval(at);
    if (this.take('.')) return characters(ANY);
    if (this.take('@')) return { is: 'repeat', part: characters(ANY), from: 0, to: Infinity };
    if (this.take('#')) return NOTHING;
    return this.characterClass() ?? literal(this.character());
  }

  private group(open: number): Pattern {
    if (this.take(')')) return EMPTY;
    const inner = this.deeper(() => this.choice());
    if (!this.take(')')) throw this.error('this parenthesis is not closed', open);
    return inner;
  }

  /** All between quotes means itself. */
  private quoted(open: number): Pattern {
    const end = this.text.indexOf('"', this.at);
    if (end < 0) throw this.error('this quote is not closed; \\" is the sign itself', open);
    const text = this.text.slice(this.at, end);
    this.at = end + 1;
    return literal(text);
  }

  /** `<1-10>`: the numbers, with any zeros before them; of ends with as many digits, as many digits. */
  private interval(open: number): Pattern {
    const found = /^(\d{1,9})-(\d{1,9})>/.exec(this.text.slice(this.at));
    if (!found) throw this.error('an interval of numbers is <n-m>; \\< is the sign itself', open);
    this.at += found[0].length;
    const [first, second] = [found[1]!, found[2]!];
    const [low, high] = Number(first) <= Number(second) ? [first, second] : [second, first];
    const digits = first.length === second.length ? first.length : Math.max(first.length, second.length);
    const numbers = between(low.padStart(digits, '0'), high.padStart(digits, '0'));
    if (first.length === second.length) return numbers;
    const zeros: Pattern = { is: 'repeat', part: literal('0'), from: 0, to: Infinity };
    // With fewer zeros than the longer end has digits, too.
    const short = Array.from({ length: digits - 1 }, (_, i) => i + 1).flatMap((length) => {
      const [from, to] = [10 ** (length - 1), 10 ** length - 1];
      const [least, most] = [Math.max(Number(low), length === 1 ? 0 : from), Math.min(Number(high), to)];
      return least <= most ? [between(String(least), String(most))] : [];
    });
    return { is: 'sequence', parts: [zeros, { is: 'choice', parts: [...short, numbers] }] };
  }

  /** The inside of `[…]`, up to its end. A bracket that closes comes first to mean itself. */
  private characters(open: number): Characters {
    const negated = this.take('^');
    const found: Array<readonly [number, number]> = [];
    do {
      if (!this.more) throw this.error('this bracket is not closed', open);
      found.push(...this.range());
    } while (!this.take(']'));
    return negated ? allBut(merged(found)) : merged(found);
  }

  private range(): Characters {
    const { at } = this;
    const kind = this.characterClass();
    if (kind?.is === 'characters') return kind.of;
    const low = this.character().codePointAt(0)!;
    if (this.peek() !== '-' || this.at + 1 >= this.text.length || this.text[this.at + 1] === ']')
      return foldedRange(low, low);
    this.at++;
    const high = this.character().codePointAt(0)!;
    if (low > high) throw this.error('the larger character of a range comes last', at);
    return foldedRange(low, high);
  }

  /** `\d` and its like. */
  private characterClass(): Extract<Pattern, { is: 'characters' }> | undefined {
    const letter = this.peek() === '\\' ? (this.text[this.at + 1] ?? '') : '';
    if (!Object.hasOwn(CLASSES, letter)) return undefined;
    this.at += 2;
    return { is: 'characters', of: CLASSES[letter]! };
  }

  /** One character, its backslash undone. */
  private character(): string {
    const { at } = this;
    const character = this.next();
    if (character !== '\\') return character;
    if (!this.more) throw this.error('nothing follows the backslash', at);
    return this.next();
  }

  private deeper(parse: () => Pattern): Pattern {
    if (++this.depth > this.slack * MAX_DEPTH) throw this.error(`nested deeper than ${MAX_DEPTH}`);
    const pattern = parse();
    this.depth--;
    return pattern;
  }

  private get more(): boolean {
    return this.at < this.text.length;
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

function characters(of: Characters): Pattern {
  return of.length === 0 ? NOTHING : { is: 'characters', of };
}

/** A text in small letters, which may be more characters. */
function literal(text: string): Pattern {
  const parts = [...text.toLowerCase()].map((one) =>
    characters([[one.codePointAt(0)!, one.codePointAt(0)!]]),
  );
  return parts.length === 1 ? parts[0]! : { is: 'sequence', parts };
}

/** The numbers from one to the other, which have as many digits. */
function between(low: string, high: string): Pattern {
  if (low === high) return literal(low);
  const [first, last] = [Number(low[0]), Number(high[0])];
  if (low.length === 1) return digits(first, last);
  const [lowRest, highRest] = [low.slice(1), high.slice(1)];
  const [least, most] = ['0'.repeat(lowRest.length), '9'.repeat(lowRest.length)];
  if (first === last) return { is: 'sequence', parts: [digits(first, first), between(lowRest, highRest)] };
  const parts: Pattern[] = [{ is: 'sequence', parts: [digits(first, first), between(lowRest, most)] }];
  if (first + 1 < last) {
    const rest: Pattern = { is: 'repeat', part: digits(0, 9), from: least.length, to: least.length };
    parts.push({ is: 'sequence', parts: [digits(first + 1, last - 1), rest] });
  }
  parts.push({ is: 'sequence', parts: [digits(last, last), between(least, highRest)] });
  return { is: 'choice', parts };
}

function digits(from: number, to: number): Pattern {
  return characters([[48 + from, 48 + to]]);
}
