import { Fragment } from 'react';

/**
 * A text in which some words are marked, also inside of others and whatever their case.
 * @param words of letters and digits only
 */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  return text
    .split(new RegExp(`(${words.join('|')})`, 'giu'))
    .map((part, at) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>));
}
