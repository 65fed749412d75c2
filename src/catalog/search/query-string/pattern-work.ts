import { TooComplex } from '../text/automaton.js';
import { MAX_STATES, RegularExpression, RegularExpressionError } from '../text/regular-expression.js';
import { wildcardAutomaton } from '../text/text-patterns.js';
import { patternOf, type PatternPiece } from './query-ast.js';

/** What making the automata of all patterns and expressions of one query may take, in steps looked at. */
const MAX_WORK = 1_000_000;
/** Patterns of fewer characters need an automaton of few states. */
const SHORT = 256;

/** Says what is wrong with a query at a place of its text. */
type Refuse = (at: number, message: string) => Error;

/** Counts what the automata of all patterns and expressions of one query take to make, and refuses what is too much. */
export class PatternWork {
  private work = 0;

  constructor(private readonly refuse: Refuse) {}

  /** @param at where the expression begins, at its slash */
  addExpression(text: string, at: number): void {
    try {
      this.add(at, RegularExpression.of(text).states().work);
    } catch (error) {
      if (error instanceof RegularExpressionError) throw this.refuse(at + 1 + error.at, error.message);
      throw error;
    }
  }

  /** No more than engines take. Only a `?` makes more states than there are characters. */
  addPattern(pieces: readonly PatternPiece[], at: number): void {
    const pattern = patternOf(pieces);
    if (pattern.length < SHORT && !pieces.some((piece) => 'wildcard' in piece && piece.wildcard === '?')) {
      this.add(at, pattern.length);
      return;
    }
    try {
      // As it is compared with a URN, too.
      const automaton = wildcardAutomaton(`*:${pattern}`, MAX_STATES);
      automaton.expand();
      this.add(at, automaton.work);
    } catch (error) {
      if (error instanceof TooComplex)
        throw this.refuse(at, `this pattern needs an automaton of ${error.message}`);
      throw error;
    }
  }

  private add(at: number, work: number): void {
    this.work += work;
    if (this.work > MAX_WORK)
      throw this.refuse(
        at,
        `with it, the patterns of this query take ${this.work} steps to read, more than ${MAX_WORK}`,
      );
  }
}
