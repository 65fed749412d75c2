/** Vowels at the beginning, but not those that sound like "you" (`usage`, `unit`, `utility`). */
const VOWEL = /^(?:[aeio]|u(?!s[aei]|ni|ti))/i;

/** The name of a kind of things with its article: `a dataset`, `an assertion`. */
export const withArticle = (name: string): string => `${VOWEL.test(name) ? 'an' : 'a'} ${name}`;
