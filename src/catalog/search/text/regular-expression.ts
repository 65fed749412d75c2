import { Automaton, TooComplex, type Pattern } from './automaton.js';
import { printedForLucene } from './regular-expression-printer.js';
import { RegularExpressionError, RegularExpressionParser } from './regular-expression-parser.js';

export { RegularExpressionError } from './regular-expression-parser.js';

/** States of the automaton that an expression may need: some more than Lucene takes without being told. */
export const MAX_STATES = 1000;
/** Characters of an expression with its intervals and classes written out, some fewer than engines are told to take. */
const MAX_PRINTED = 8000;

/**
 * A regular expression as Lucene reads it with all its operators (see `docs/query-language.md`), always about a whole
 * text and whatever its case. No text takes more steps than it has characters.
 */
export class RegularExpression {
  private automaton: Automaton | undefined;

  private constructor(
    private readonly root: Pattern,
    private readonly maxStates = MAX_STATES,
  ) {}

  /** What a client wrote. @throws RegularExpressionError */
  static of(text: string): RegularExpression {
    const expression = new RegularExpression(new RegularExpressionParser(text).parse());
    const { length } = expression.toLucene();
    if (length > MAX_PRINTED) {
      const message = `with its intervals and classes written out, this expression has ${length} characters, more than ${MAX_PRINTED}`;
      throw new RegularExpressionError(message, 0);
    }
    try {
      expression.states().expand();
    } catch (error) {
      if (!(error instanceof TooComplex)) throw error;
      throw new RegularExpressionError(`this expression needs an automaton of ${error.message}`, 0);
    }
    return expression;
  }

  /** What was made of an expression that was read before. */
  static trusted(text: string): RegularExpression {
    return new RegularExpression(new RegularExpressionParser(text, Infinity).parse(), Infinity);
  }

  /** Whether the whole text, in small letters, is of the expression. */
  matches(text: string): boolean {
    return this.states().matches(text);
  }

  states(): Automaton {
    return (this.automaton ??= Automaton.of(this.root, this.maxStates));
  }

  /** The expression as Lucene reads it with all its operators, of values in small letters. */
  toLucene(): string {
    return printedForLucene(this.root);
  }
}
