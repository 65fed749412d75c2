import { withinEdits } from './search/text/word-distance.js';

/** Names that differ by more letters are no misspellings of each other. */
const MOST_EDITS = 3;

/** The name that was probably meant by one that does not exist; undefined when none is near. Case does not count. */
function nearestName(wanted: string, names: Iterable<string>): string | undefined {
  const word = wanted.toLowerCase();
  const known = [...names].map((name) => ({ name, word: name.toLowerCase() }));
  const most = Math.min(MOST_EDITS, Math.floor(word.length / 3));
  for (let edits = 0; edits <= most; edits++) {
    const near = known.find(
      (candidate) => candidate.word[0] === word[0] && withinEdits(candidate.word, word, edits),
    );
    if (near !== undefined) return near.name;
  }
  return undefined;
}

/** `; did you mean "x"?`, or nothing. */
export function suggestion(wanted: string, names: Iterable<string>): string {
  const near = nearestName(wanted, names);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}
