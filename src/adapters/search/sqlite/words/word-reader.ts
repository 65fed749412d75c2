import type { TextWord } from '../../../../catalog/search/index.js';
import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import type { MatchView } from './matches.js';
import type { Steps } from '../steps.js';
import { docsWithinSlop, docsWithTokens } from './token-places.js';
import {
  knownWords,
  matchingDocs,
  wordAt,
  type KnownWord,
  type Place,
  type WordMatch,
} from './word-match.js';

/** So many sets are kept for as long as the search goes on. */
const MOST_FOUND = 64;

/** Documents by their words, as one search sees them: each is looked for once. */
export class WordReader {
  private readonly known = new Map<readonly TextWord[], KnownWord[]>();
  private readonly found = new Map<string, DocSet>();

  constructor(
    private readonly file: IndexConnection,
    private readonly matches: MatchView,
  ) {}

  /** The words as this index can look for them. */
  *knownWords(words: readonly TextWord[]): Steps<KnownWord[]> {
    let known = this.known.get(words);
    if (!known) this.known.set(words, (known = yield* knownWords(this.matches, words)));
    return known;
  }

  /** Documents with the word at that place; not to be changed. */
  *docs(word: KnownWord, place: Place): Steps<DocSet> {
    if (!word.spellings && word.slop === undefined) return this.matching(wordAt(place, word));
    const key = `${place} ${JSON.stringify(word)}`;
    let docs = this.found.get(key);
    if (!docs) {
      docs = word.spellings ? yield* this.withTokens(word.spellings, place) : this.near(word, place);
      this.keep(key, docs);
    }
    return docs;
  }

  /** Documents that match; not to be changed. */
  matching(match: WordMatch): DocSet {
    let docs = this.found.get(match.expression);
    if (!docs) this.keep(match.expression, (docs = this.matches.docs(match)));
    return docs;
  }

  /** Documents that have every one of the words at one of the places. */
  *having(words: readonly KnownWord[], ...places: Place[]): Steps<DocSet> {
    const all = new DocSet();
    for (const [i, word] of words.entries()) {
      const docs = new DocSet();
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

  private keep(key: string, docs: DocSet): void {
    this.found.set(key, docs);
    if (this.found.size > MOST_FOUND) this.found.delete(this.found.keys().next().value!);
  }

  private near({ parts, whole, slop, ...word }: KnownWord, place: Place): DocSet {
    const compound = wordAt(place, { ...word, parts: [whole], whole, prefix: false });
    const near = this.matching(compound).copy();
    if (parts.length === 1) return near;
    const candidates = matchingDocs(
      this.file,
      wordAt(place, { ...word, parts, whole, slop: slop! }).expression,
    );
    for (const doc of docsWithinSlop(this.file, candidates, parts, slop!, place)) near.add(doc);
    return near;
  }

  private *withTokens(tokens: readonly string[], place: Place): Steps<DocSet> {
    const set = new DocSet();
    for (const docs of docsWithTokens(this.file, tokens, place)) {
      for (const doc of docs) set.add(doc);
      yield;
    }
    return set;
  }
}
