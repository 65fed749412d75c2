import type { TextWord } from '../../../catalog/search/index.js';
import type { CommonWords } from './common-words.js';
import type { DocSet } from './doc-set.js';
import type { IndexFile } from './index-file.js';
import { knownWords, matchAt, matchingDocs, tokenOf, type KnownWord, type Place } from './word-match.js';

/** Documents by their words, as one search sees them: each is looked for once. */
export class WordReader {
  private readonly known = new Map<readonly TextWord[], KnownWord[]>();
  private readonly found = new Map<string, DocSet>();

  /** @param empty makes a set of the size of all others in this search */
  constructor(
    private readonly file: IndexFile,
    private readonly common: CommonWords,
    private readonly empty: () => DocSet,
  ) {
    common.refresh();
  }

  /** The words as this index can look for them. */
  knownWords(words: readonly TextWord[]): KnownWord[] {
    let known = this.known.get(words);
    if (!known) this.known.set(words, (known = knownWords(this.file, words)));
    return known;
  }

  /** Documents with the word at that place; not to be changed. */
  docs(word: KnownWord, place: Place): DocSet {
    const key = `${place} ${JSON.stringify(word)}`;
    let docs = this.found.get(key);
    if (!docs) {
      const token = tokenOf(word);
      const find = (where: Place) => this.setOf(matchingDocs(this.file, matchAt(where, word)));
      docs = token === undefined ? find(place) : this.common.docs(token, place, find);
      this.found.set(key, docs);
    }
    return docs;
  }

  /** Documents that have every one of the words at one of the places. */
  having(words: readonly KnownWord[], ...places: Place[]): DocSet {
    const all = this.empty();
    for (const [i, word] of words.entries()) {
      const [first, ...more] = places.map((place) => this.docs(word, place));
      const docs = more.reduce((set, other) => set.or(other), first!.copy());
      if (i === 0) all.or(docs);
      else all.and(docs);
      if (all.isEmpty) break;
    }
    return all;
  }

  private setOf(docs: readonly number[]): DocSet {
    const set = this.empty();
    for (const doc of docs) set.add(doc);
    return set;
  }
}
