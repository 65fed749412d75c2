import type { BoundAst, Fuzziness, QueryAst, RangeAst } from './query-ast.js';
import { PatternWork } from './pattern-work.js';
import { QueryReader, URN_START } from './query-reader.js';

interface QueryStringOptions {
  /** JSON pointer of the text in the request. */
  pointer: string;
}

/** Longer ones are no query of a person. */
const MAX_LENGTH = 16_384;
const MAX_DEPTH = 50;
const MAX_CLAUSES = 1024;
/** Words farther apart than any text has. */
const MAX_SLOP = 500_000;

const FIELD = /((?:[\p{L}\p{N}_.$@#%]|\\[^])(?:[\p{L}\p{N}_.$@#%-]|\\[^])*):/uy;
/** Up to the next slash without a backslash. */
const EXPRESSION = /\/(?:[^\\/]|\\[^])*\//y;

/**
 * Reads the query language of lists and scrolls; see `docs/query-language.md`. Words next to each other must all
 * hold; NOT binds closest, then AND, then OR.
 * @throws CatalogError QUERY_SYNTAX with the place of the mistake
 */
export function parseQueryString(text: string, options: QueryStringOptions): QueryAst {
  return new QueryStringParser(text, options.pointer).parse();
}

class QueryStringParser extends QueryReader {
  private depth = 0;
  private clauses = 0;
  private readonly patterns = new PatternWork((at, message) => this.error(at, message));

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
    this.patterns.addExpression(text, at);
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
      this.patterns.addPattern(pieces, at);
      return this.boosted({ is: 'pattern', ...named(field), pieces, at });
    }
    const text = this.literal(pieces, at);
    const { distance } = this.suffixes();
    const fuzziness = distance === undefined || distance === 'auto' ? distance : editsIn(distance);
    return { is: 'term', ...named(field), text, ...(fuzziness !== undefined && { fuzziness }), at };
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
