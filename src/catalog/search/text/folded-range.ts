import { type Characters, merged } from './automaton.js';

/** The characters from one to the other, and their small letters: values are compared in small letters. */
export function foldedRange(low: number, high: number): Characters {
  const found: Array<[number, number]> = [[low, high]];
  for (const [capital, small] of low === high ? smallOf(low) : capitals()) {
    if (capital >= low && capital <= high) found.push([small, small]);
  }
  return merged(found);
}

/** A character and its small letter, when there is one that is another; one that is several counts for none. */
function smallOf(point: number): Array<[number, number]> {
  const character = String.fromCodePoint(point);
  const [first, ...more] = [...character.toLowerCase()];
  const small = first!.codePointAt(0)!;
  return small === point || more.length > 0 ? [] : [[point, small]];
}

/** Beyond it no script has capitals. */
const LAST_CAPITAL = 0x1ffff;
let known: Array<[number, number]> | undefined;

function capitals(): Array<[number, number]> {
  if (!known) {
    known = [];
    const capital = /\p{Changes_When_Lowercased}/u;
    for (let point = 0; point <= LAST_CAPITAL; point++) {
      if (capital.test(String.fromCodePoint(point))) known.push(...smallOf(point));
    }
  }
  return known;
}
