import type { TextNode } from './search-query.js';
import { wholeToken } from './text/tokens.js';

/**
 * The order of hits, the same on every engine. A hit's score is a number of whole steps plus a fraction:
 *
 * - a name that is the text: the highest of `NAME_STEPS` that holds, plus `fraction(static boost)`: what the entity counts
 *   for (see `static-boost.ts`). How often else it mentions its name says nothing;
 * - else the sum of the `WORD_STEPS` that hold (where in the document all words were found), plus
 *   `fraction(relevance × static boost)`. The relevance adds up, over the words, the weight of the best class of text that
 *   each stands in (`CLASS_WEIGHTS`), times `NAME_BEGINS` when a name begins with the text.
 *
 * How often a word occurs and how rare it is elsewhere say nothing: that would be another number on every engine, and
 * another one with every document that comes or goes.
 *
 * The fraction stays below one, so that no number of mentions outdoes a step.
 *
 * Equal scores are in the order of URNs.
 */
export const NAME_STEPS = {
  /** The name or the URN, letter by letter. */
  literal: 9,
  /** The same name in another spelling: other separators, other capitals. */
  whole: 8,
  /** The last piece of a dotted name: `users` of `db.public.users`. */
  lastPiece: 7,
} as const;

export const WORD_STEPS = {
  /** All words stand in names, as whole words. */
  nameWords: 2,
  /** All words stand in names, some only as beginnings of longer words. */
  nameBeginnings: 1,
  /** One of the words is a whole name, or its last piece: `snowflake orders` means what is called `orders`. */
  wordIsName: 1,
  /** All words are said about the entity itself, none only about a part of it such as a column. */
  aboutIt: 1,
} as const;

/** Factor on the relevance of what has a name that begins with the text: the likelier one among equals. */
export const NAME_BEGINS = 1.5;

/** Weights of the classes of text that a word may stand in: names, what is said about it, and about its parts. */
export const CLASS_WEIGHTS = { name: 10, text: 3, minor: 0.5 } as const;

/** Below one, and in the order of its argument; with so few digits that engines which keep less agree on ties. */
export function fraction(value: number): number {
  return value <= 0 ? 0 : Math.round((value / (1 + value)) * 1e4) / 1e4;
}

/** Tokens that a name may be as a whole: every word of a text of several. */
export function nameCandidates(node: TextNode): string[] {
  const text = wholeToken(node.text);
  return node.words.map((word) => word.whole).filter((token) => token !== text);
}
