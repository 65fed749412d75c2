import type { TextWord } from '../../../catalog/search/index.js';
import type { CommonWords } from './common-words.js';
import type { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import type { Steps } from './steps.js';
import { docsWithinSlop, docsWithTokens } from './token-places.js';
import { knownWords, matchAt, matchingDocs, tokenOf, type KnownWord, type Place } from './word-match.js';

/** So many sets are kept for as long as the search goes on. */
const MOST_FOUND = 64;

/** Documents by their words, as one search sees them: each is looked for once. */
export class WordReader {
  private readonly known = new Map<readonly TextWord[], KnownWord[]>();
  private readonly found = new Map<string, DocSet>();
  private readonly version: number;

  /** @param empty makes a set of the size of all others in this search */
  constructor(
    private readonly file: IndexConnection,
    private readonly common: CommonWords,
    private readonly empty: () => DocSet,
  ) {
    common.refresh();
    this.version = common.version;
  }

  /** The words as this index can look for them. */
  *knownWords(words: readonly TextWord[]): Steps<KnownWord[]> {
    let known = this.known.get(words);
    if (!known) this.known.set(words, (known = yield* knownWords(this.file, this.common.vocabulary, words)));
    return known;
  }

  /** Documents with the word at that place; not to be changed. */
  *docs(word: KnownWord, place: Place): Steps<DocSet> {
    const key = `${place} ${JSON.stringify(word)}`;
    let docs = this.found.get(key);
    if (!docs) {
      const token = tokenOf(word);
      const find = (where: Place) => this.find(word, where);
      // What was written since this search began is not of its state of the index.
      const shared = token !== undefined && this.common.version === this.version;
      if (word.spellings) docs = yield* this.withTokens(word.spellings, place);
      else docs = shared ? this.common.docs(token, place, find) : find(place);
      this.found.set(key, docs);
      // Each is as large as the index has documents.
      if (this.found.size > MOST_FOUND) this.found.delete(this.found.keys().next().value!);
    }
    return docs;
  }

  /** Documents that have every one of the words at one of the places. */
  *having(words: readonly KnownWord[], ...places: Place[]): Steps<DocSet> {
    const all = this.empty();
    for (const [i, word] of words.entries()) {
      const docs = this.empty();
      for (const place of places) {
        yield;
        docs.or(yield* this.docs(word, place));
      }
      if (i === 0) all.or(docs);
      else all.and(docs);
      if (all.isEmpty) break;
    }
    return all;
  }

  private find(word: KnownWord, place: Place): DocSet {
    const { parts, whole, slop } = word;
    const docs = matchingDocs(this.file, matchAt(place, word));
    if (slop === undefined || parts.length === 1) return this.setOf(docs);
    const near = this.setOf(docsWithinSlop(this.file, docs, parts, slop, place));
    const compound = matchAt(place, { parts: [whole], whole, prefix: false });
    return near.or(this.setOf(matchingDocs(this.file, compound)));
  }

  private *withTokens(tokens: readonly string[], place: Place): Steps<DocSet> {
    const set = this.empty();
    for (const docs of docsWithTokens(this.file, tokens, place)) {
      for (const doc of docs) set.add(doc);
      yield;
    }
    return set;
  }

  private setOf(docs: readonly number[]): DocSet {
    const set = this.empty();
    for (const doc of docs) set.add(doc);
    return set;
  }
}
