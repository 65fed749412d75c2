import { allBut, LAST_CHARACTER, type Characters, type Pattern } from './automaton.js';

/** A pattern as Lucene reads it with all its operators. */
export function printedForLucene(pattern: Pattern): string {
  switch (pattern.is) {
    case 'characters':
      return printedClass(pattern.of);
    case 'sequence':
      return pattern.parts.length === 0 ? '()' : pattern.parts.map(closed).join('');
    case 'choice':
      return pattern.parts.length === 0 ? '#' : pattern.parts.map(closed).join('|');
    case 'intersection':
      return pattern.parts.map(closed).join('&');
    case 'complement':
      return `~${closed(pattern.part)}`;
    case 'repeat': {
      const { part, from, to } = pattern;
      return `${closed(part)}{${from},${to === Infinity ? '' : to}}`;
    }
  }
}

function closed(pattern: Pattern): string {
  const text = printedForLucene(pattern);
  return pattern.is === 'characters' ? text : `(${text})`;
}

function printedClass(characters: Characters): string {
  const [first] = characters;
  if (characters.length === 1 && first![0] === first![1]) return sign(first![0]);
  if (characters.length === 1 && first![0] === 0 && first![1] === LAST_CHARACTER) return '.';
  const negated = first![0] === 0;
  const shown = negated ? allBut(characters) : characters;
  const ranges = shown.map(([low, high]) => (low === high ? sign(low) : `${sign(low)}-${sign(high)}`));
  return `[${negated ? '^' : ''}${ranges.join('')}]`;
}

/** A character that means itself. */
function sign(point: number): string {
  const character = String.fromCodePoint(point);
  return /[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character;
}
