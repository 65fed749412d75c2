import { refuse, type CatalogError } from '../../errors/index.js';
import { TooComplex } from '../automaton.js';
import { MAX_STATES, RegularExpression, RegularExpressionError } from '../regular-expression.js';
import { wildcardAutomaton } from '../text-patterns.js';
import { patternOf } from './query-ast.js';
import type { BoundAst, Fuzziness, PatternPiece, QueryAst, RangeAst } from './query-ast.js';

interface QueryStringOptions {
  /** JSON pointer of the text in the request. */
  pointer: string;
}

/** Longer ones are no query of a person. */
const MAX_LENGTH = 16_384;
const MAX_DEPTH = 50;
const MAX_CLAUSES = 1024;
/** What making the automata of all patterns and expressions of one query may take, in steps looked at. */
const MAX_WORK = 1_000_000;
/** Patterns of fewer characters need an automaton of few states. */
const SHORT = 256;
/** Words farther apart than any text has. */
const MAX_SLOP = 500_000;

const FIELD = /((?:[\p{L}\p{N}_.$@#%]|\\[^])(?:[\p{L}\p{N}_.$@#%-]|\\[^])*):/uy;
const URN_START = /urn:li:/y;
const NUMBER = /\d+(?:\.\d+)?|\.\d+/y;
/** Up to the next slash without a backslash. */
const EXPRESSION = /\/(?:[^\\/]|\\[^])*\//y;
const BLANKS = /\s*/y;

/**
 * Reads the query language of lists and scrolls; see `docs/query-language.md`. Words next to each other must all
 * hold; NOT binds closest, then AND, then OR.
 * @throws CatalogError QUERY_SYNTAX with the place of the mistake
 */
export function parseQueryString(text: string, options: QueryStringOptions): QueryAst {
  return new QueryStringParser(text, options).parse();
}

/** An error about a place of a query; places are told as characters from 1. */
function queryError(text: string, at: number, message: string, pointer: string): CatalogError {
  const character = [...text.slice(0, at)].length + 1;
  return refuse('QUERY_SYNTAX', `query, character ${character}: ${message}`, pointer);
}

class QueryStringParser {
  private at = 0;
  private depth = 0;
  private clauses = 0;
  private work = 0;

  constructor(
    private readonly text: string,
    private readonly options: QueryStringOptions,
  ) {}

  parse(): QueryAst {
    const { text } = this;
    if (text.length > MAX_LENGTH) throw this.error(MAX_LENGTH, `longer than ${MAX_LENGTH} characters`);
    this.blanks();
    if (this.ended) return { is: 'everything', at: 0 };
    const ast = this.alternatives(undefined);
    if (!this.ended) throw this.unexpected();
    return ast;
  }

  private alternatives(field: string | undefined): QueryAst {
    const { at } = this;
    const parts = [this.conjunction(field)];
    while (this.takeOperator('OR', '||')) parts.push(this.conjunction(field));
    return parts.length === 1 ? parts[0]! : { is: 'or', parts, at };
  }

  private conjunction(field: string | undefined): QueryAst {
    const { at } = this;
    const parts = [this.clause(field)];
    for (;;) {
      if (this.takeOperator('AND', '&&')) {
        parts.push(this.clause(field));
        continue;
      }
      this.blanks();
      if (this.ended || this.peek() === ')' || this.operatorHere('OR', '||')) break;
      parts.push(this.clause(field));
    }
    return parts.length === 1 ? parts[0]! : { is: 'and', parts, at };
  }

  private clause(field: string | undefined): QueryAst {
    this.blanks();
    const { at } = this;
    if (this.ended) throw this.error(at, 'something to search for is missing at the end');
    if (++this.clauses > MAX_CLAUSES) throw this.error(at, `more than ${MAX_CLAUSES} parts`);
    if (this.operatorHere('AND', '&&') || this.operatorHere('OR', '||')) {
      throw this.error(at, 'AND and OR stand between two things to search for');
    }
    if (this.takeOperator('NOT', '!') || this.take('-')) {
      return this.nested(() => ({ is: 'not', part: this.clause(field), at }));
    }
    if (this.take('+')) return this.nested(() => this.clause(field));
    return this.named(field);
  }

  /** A value, with the name of a field before it or not. */
  private named(field: string | undefined): QueryAst {
    const { at } = this;
    if (this.take('*:*')) return this.boosted({ is: 'everything', at });
    if (this.take('*:')) return this.ofField('*');
    if (this.matchHere(URN_START)) return this.value(field);
    const name = this.matchHere(FIELD)?.[1];
    if (name === undefined) return this.value(field);
    this.at += name.length + 1;
    const plain = name.replace(/\\([^])/g, '$1');
    return plain === '_exists_' ? this.existence(at) : this.ofField(plain);
  }

  private ofField(name: string): QueryAst {
    this.blanks();
    if (this.ended || this.peek() === ')') throw this.error(this.at, `a value is missing after "${name}:"`);
    return this.value(name, true);
  }

  private existence(at: number): QueryAst {
    this.blanks();
    if (this.ended || this.peek() === ')') throw this.error(this.at, '_exists_ takes the name of a field');
    if (this.take('(') || /["[{<>]/.test(this.peek()))
      throw this.error(this.at, '_exists_ takes the name of a field');
    const start = this.at;
    const { pieces } = this.pieces(true);
    return this.boosted({ is: 'exists', field: this.literal(pieces, start), at });
  }

  /** @param direct whether the name of the field stands right before the value, so that colons belong to the value */
  private value(field: string | undefined, direct = false): QueryAst {
    const { at } = this;
    switch (this.peek()) {
      case '(':
        return this.group(field);
      case '"':
        return this.phrase(field);
      case '[':
      case '{':
        return this.range(this.fieldOf(field, at));
      case '>':
      case '<':
        return this.comparison(this.fieldOf(field, at));
      case '/':
        return this.expression(field);
      default:
        return this.term(field, direct);
    }
  }

  private expression(field: string | undefined): QueryAst {
    const { at } = this;
    const text = this.takeMatch(EXPRESSION)?.slice(1, -1);
    if (text === undefined) {
      const message = 'this regular expression is not closed; put a value that begins with "/" in quotes';
      throw this.error(at, message);
    }
    try {
      this.count(at, RegularExpression.of(text).states().work);
    } catch (error) {
      if (error instanceof RegularExpressionError) throw this.error(at + 1 + error.at, error.message);
      throw error;
    }
    return this.boosted({ is: 'expression', ...named(field), text, at });
  }

  private group(field: string | undefined): QueryAst {
    const open = this.at;
    this.at++;
    const ast = this.nested(() => this.alternatives(field));
    if (!this.take(')')) {
      throw this.ended ? this.error(open, 'this parenthesis is not closed') : this.unexpected();
    }
    return this.boosted(ast);
  }

  private phrase(field: string | undefined): QueryAst {
    const { at } = this;
    const text = this.quoted();
    const { distance = 0 } = this.suffixes();
    const slop = Math.min(Math.trunc(distance === 'auto' ? 0 : distance), MAX_SLOP);
    return { is: 'phrase', ...named(field), text, ...(slop > 0 && { slop }), at };
  }

  private quoted(): string {
    const open = this.at++;
    let text = '';
    for (;;) {
      if (this.ended) throw this.error(open, 'this quote is not closed');
      const c = this.peek();
      if (c === '\\') text += this.escaped();
      else {
        this.at++;
        if (c === '"') return this.wellFormed(text, open);
        text += c;
      }
    }
  }

  private range(field: string): QueryAst {
    const open = this.at;
    const fromInclusive = this.text[this.at++] === '[';
    const from = this.bound(fromInclusive);
    this.blanks();
    if (!/^TO\s/.test(this.text.slice(this.at, this.at + 3)))
      throw this.error(this.at, 'a range is written [a TO b]');
    this.at += 2;
    const to = this.bound(true);
    this.blanks();
    if (this.ended) throw this.error(open, 'this range is not closed');
    if (this.take(']')) return this.boosted(rangeOf(field, from, to, open));
    if (!this.take('}')) throw this.unexpected();
    return this.boosted(rangeOf(field, from, to && { ...to, inclusive: false }, open));
  }

  private bound(inclusive: boolean): BoundAst | undefined {
    this.blanks();
    const { at } = this;
    if (this.peek() === '"') return { text: this.quoted(), inclusive, at };
    let text = '';
    while (!this.ended && !/[\s\]}]/.test(this.peek()))
      text += this.peek() === '\\' ? this.escaped() : this.next();
    if (this.text.slice(at, this.at) === '*') return undefined;
    if (text === '' || this.text.slice(at, this.at) === 'TO')
      throw this.error(at, 'a bound of the range is missing; * leaves it open');
    return { text: this.wellFormed(text, at), inclusive, at };
  }

  private comparison(field: string): QueryAst {
    const { at } = this;
    const above = this.next() === '>';
    const inclusive = this.take('=');
    this.blanks();
    const start = this.at;
    const quoted = this.peek() === '"';
    const text = quoted ? this.quoted() : this.literal(this.pieces(true).pieces, start);
    const end = { text, inclusive, at: start };
    return this.boosted(rangeOf(field, above ? end : undefined, above ? undefined : end, at));
  }

  private term(field: string | undefined, direct: boolean): QueryAst {
    const { at } = this;
    const { pieces } = this.pieces(direct);
    if (pieces.some((piece) => 'wildcard' in piece)) {
      if (this.peek() === '~') throw this.error(this.at, 'a word has wildcards or may differ (~), not both');
      const stars = pieces.every((piece) => 'wildcard' in piece && piece.wildcard === '*');
      if (stars && field === undefined) return this.boosted({ is: 'everything', at });
      if (stars) return this.boosted({ is: 'exists', field: field!, at });
      this.checkPattern(pieces, at);
      return this.boosted({ is: 'pattern', ...named(field), pieces, at });
    }
    const text = this.literal(pieces, at);
    const { distance } = this.suffixes();
    const fuzziness = distance === undefined || distance === 'auto' ? distance : editsIn(distance);
    return { is: 'term', ...named(field), text, ...(fuzziness !== undefined && { fuzziness }), at };
  }

  /** A bare word up to a blank, a quote, a parenthesis, `^` or `~`. Parentheses of a URN belong to it. */
  private pieces(colons: boolean): { pieces: PatternPiece[] } {
    const start = this.at;
    const urn = this.matchHere(URN_START) !== null;
    const pieces: PatternPiece[] = [];
    let text = '';
    const flush = () => {
      if (text !== '') pieces.push({ text: this.wellFormed(text, start) });
      text = '';
    };
    while (!this.ended) {
      const c = this.peek();
      if (/[\s)^~"]/.test(c) || (c === '(' && !urn)) break;
      if (c === '\\') text += this.escaped();
      else if (c === '*' || c === '?') {
        flush();
        pieces.push({ wildcard: c });
        this.at++;
      } else if (c === '(') text += this.parenthesised();
      else if (/[[\]{}]/.test(c) || (c === ':' && !colons && !urn)) {
        throw this.error(this.at, `${c} in a value needs quotes around the value or a backslash before it`);
      } else text += this.next();
    }
    flush();
    if (this.at === start) throw this.unexpected();
    return { pieces };
  }

  private parenthesised(): string {
    const open = this.at;
    for (let depth = 0; !this.ended;) {
      const c = this.next();
      if (c === '(') depth++;
      else if (c === ')' && --depth === 0) return this.text.slice(open, this.at);
    }
    throw this.error(open, 'this parenthesis is not closed');
  }

  /** No more than engines take. Only a `?` makes more states than there are characters. */
  private checkPattern(pieces: readonly PatternPiece[], at: number): void {
    const pattern = patternOf(pieces);
    if (pattern.length < SHORT && !pieces.some((piece) => 'wildcard' in piece && piece.wildcard === '?')) {
      this.count(at, pattern.length);
      return;
    }
    try {
      // As it is compared with a URN, too.
      const automaton = wildcardAutomaton(`*:${pattern}`, MAX_STATES);
      automaton.expand();
      this.count(at, automaton.work);
    } catch (error) {
      if (error instanceof TooComplex)
        throw this.error(at, `this pattern needs an automaton of ${error.message}`);
      throw error;
    }
  }

  private count(at: number, work: number): void {
    this.work += work;
    if (this.work > MAX_WORK)
      throw this.error(
        at,
        `with it, the patterns of this query take ${this.work} steps to read, more than ${MAX_WORK}`,
      );
  }

  private literal(pieces: readonly PatternPiece[], at: number): string {
    return pieces
      .map((piece) => {
        if ('wildcard' in piece) throw this.error(at, 'no wildcards here');
        return piece.text;
      })
      .join('');
  }

  /** A distance and a weight, in either order. */
  private suffixes(): { distance?: number | 'auto' } {
    let distance: number | 'auto' | undefined;
    let weighted = false;
    for (;;) {
      if (distance === undefined && this.take('~')) distance = this.takeNumber() ?? 'auto';
      else if (!weighted && this.peek() === '^') {
        this.boosted(undefined);
        weighted = true;
      } else return distance === undefined ? {} : { distance };
    }
  }

  private takeNumber(): number | undefined {
    const digits = this.takeMatch(NUMBER);
    return digits === undefined ? undefined : Number(digits);
  }

  /** A weight is read and changes nothing: what the language is for is listed in the order of a field. */
  private boosted<T>(ast: T): T {
    if (this.take('^') && this.takeNumber() === undefined) {
      throw this.error(this.at, 'a number is missing after ^');
    }
    return ast;
  }

  private nested(parse: () => QueryAst): QueryAst {
    if (++this.depth > MAX_DEPTH) throw this.error(this.at, `nested deeper than ${MAX_DEPTH}`);
    const ast = parse();
    this.depth--;
    return ast;
  }

  private fieldOf(field: string | undefined, at: number): string {
    if (field === undefined) throw this.error(at, 'a range needs the name of a field before it');
    return field;
  }

  private wellFormed(text: string, at: number): string {
    if (!text.isWellFormed()) throw this.error(at, 'half of a character');
    return text;
  }

  /** The character that a backslash stands for. */
  private escaped(): string {
    const at = this.at++;
    if (this.ended) throw this.error(at, 'nothing follows the backslash');
    const unicode = /^u([0-9a-fA-F]{4})/.exec(this.text.slice(this.at, this.at + 5))?.[1];
    if (unicode === undefined) return this.next();
    this.at += 5;
    return String.fromCharCode(parseInt(unicode, 16));
  }

  private operatorHere(word: string, sign: string): boolean {
    if (this.text.startsWith(sign, this.at)) return true;
    return (
      this.text.startsWith(word, this.at) &&
      /^[\s()"]|^$/.test(this.text.slice(this.at + word.length).slice(0, 1))
    );
  }

  private takeOperator(word: string, sign: string): boolean {
    this.blanks();
    if (!this.operatorHere(word, sign)) return false;
    this.at += this.text.startsWith(sign, this.at) ? sign.length : word.length;
    return true;
  }

  private take(sign: string): boolean {
    if (!this.text.startsWith(sign, this.at)) return false;
    this.at += sign.length;
    return true;
  }

  private takeMatch(pattern: RegExp): string | undefined {
    const found = this.matchHere(pattern)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }

  private matchHere(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text);
  }

  private blanks(): void {
    this.takeMatch(BLANKS);
  }

  private peek(): string {
    return this.text[this.at] ?? '';
  }

  private next(): string {
    return this.text[this.at++]!;
  }

  private get ended(): boolean {
    return this.at >= this.text.length;
  }

  private unexpected(): CatalogError {
    if (this.ended) return this.error(this.at, 'something is missing at the end');
    return this.error(
      this.at,
      `${JSON.stringify(String.fromCodePoint(this.text.codePointAt(this.at)!))} is not expected here`,
    );
  }

  private error(at: number, message: string): CatalogError {
    return queryError(this.text, at, message, this.options.pointer);
  }
}

/** As engines read it: a fraction counts for nothing, and more than two for two. */
function editsIn(distance: number): Fuzziness {
  return distance >= 2 ? 2 : distance >= 1 ? 1 : 0;
}

function named(field: string | undefined): { field?: string } {
  return field === undefined ? {} : { field };
}

function rangeOf(field: string, from: BoundAst | undefined, to: BoundAst | undefined, at: number): QueryAst {
  if (!from && !to) return { is: 'exists', field, at };
  return { is: 'range', field, ...(from && { from }), ...(to && { to }), at } satisfies RangeAst;
}
