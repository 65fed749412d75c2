import { ANY, Automaton, type Pattern } from './automaton.js';
import { RegularExpression } from './regular-expression.js';
import type { TextWord, TextPattern } from '../search-query.js';

/** One character of a pattern: a literal, `*` or `?`. */
interface PatternCharacter {
  character: string;
  wildcard: boolean;
}

/** Reads a pattern: `*` and `?` are wildcards, a backslash makes the next character a literal. */
export function patternCharacters(pattern: string): PatternCharacter[] {
  const found: PatternCharacter[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const escaped = characters[i] === '\\' && i + 1 < characters.length;
    const character = characters[escaped ? ++i : i]!;
    found.push({ character, wildcard: !escaped && (character === '*' || character === '?') });
  }
  return found;
}

/**
 * What a text with wildcards stands for, whatever its case. Each `?` after a `*` may double its states.
 * @throws TooComplex at its use when it needs more states
 */
export function wildcardAutomaton(pattern: string, maxStates = Infinity): Automaton {
  const any: Pattern = { is: 'characters', of: ANY };
  const parts = patternCharacters(pattern.toLowerCase()).map(({ character, wildcard }): Pattern => {
    const point = character.codePointAt(0)!;
    if (!wildcard) return { is: 'characters', of: [[point, point]] };
    return character === '?' ? any : { is: 'repeat', part: any, from: 0, to: Infinity };
  });
  return Automaton.of({ is: 'sequence', parts }, maxStates);
}

const made = new WeakMap<object, Automaton>();

/** The automaton of a test over texts in small letters, made once. */
export function automatonOf(test: TextPattern): Automaton {
  let automaton = made.get(test);
  if (!automaton) made.set(test, (automaton = makeAutomaton(test)));
  return automaton;
}

function makeAutomaton(test: TextPattern): Automaton {
  switch (test.is) {
    case 'like':
      return wildcardAutomaton(test.pattern);
    case 'regexp':
      return RegularExpression.trusted(test.expression).states();
    case 'near':
      return Automaton.near(test.text.toLowerCase(), test.edits);
  }
}

/** What tells the tokens that count as the word, of a word that others may stand for. */
export function tokensOf(word: TextWord): Automaton | undefined {
  if (word.pattern) return automatonOf(word.pattern);
  if (word.edits === undefined) return undefined;
  let automaton = made.get(word);
  if (!automaton) made.set(word, (automaton = Automaton.near(word.whole, word.edits)));
  return automaton;
}
