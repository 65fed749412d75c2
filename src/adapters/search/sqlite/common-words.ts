import { DocSet } from './doc-set.js';
import type { IndexFile } from './index-file.js';
import { Vocabulary } from './vocabulary.js';
import type { Place, WordColumns } from './word-match.js';

/** From so many documents on a word is common. Those of rarer ones are found as fast as they are kept. */
const COMMON = 500;
/** So many bytes of sets are kept. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Of one word: the documents that have it, by where they were looked for. */
type Kept = Map<Place, DocSet>;

/**
 * The documents of common words, which most searches ask for and FTS5 walks through for each of them. Kept as bits
 * and up to date with what is written, the words used last first to stay.
 */
export class CommonWords {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;
  /** Another one whenever what is kept may differ from what a search that has begun before sees. */
  version = 0;
  readonly vocabulary: Vocabulary;

  constructor(private readonly file: IndexFile) {
    this.vocabulary = new Vocabulary(file);
  }

  /** To be called when a search begins: what another process wrote is not in the sets. */
  refresh(): void {
    if (!this.file.changedElsewhere()) return;
    this.clear();
    this.vocabulary.forget();
  }

  /** The documents with the word at that place, not to be changed; `find` looks for what is not kept. */
  docs(word: string, place: Place, find: (place: Place) => DocSet): DocSet {
    const kept = this.kept.get(word);
    if (!kept) {
      const anywhere = find('anywhere');
      if (anywhere.size < COMMON) return place === 'anywhere' ? anywhere : find(place);
      this.keep(word, new Map(), 'anywhere', anywhere);
      return this.docs(word, place, find);
    }
    this.kept.delete(word);
    this.kept.set(word, kept);
    return kept.get(place) ?? this.keep(word, kept, place, find(place));
  }

  /** What a document's words are from now on; none when it is gone. */
  changed(doc: number, columns: WordColumns | undefined): void {
    if (columns)
      for (const tokens of [columns.name, columns.text, columns.minor]) this.vocabulary.add(tokens);
    this.version++;
    if (this.kept.size === 0) return;
    const tokens = {
      name: new Set(columns?.name),
      text: new Set(columns?.text),
      anywhere: new Set(columns && [...columns.name, ...columns.text, ...columns.minor]),
    };
    for (const [word, kept] of this.kept) {
      for (const [place, set] of kept) {
        if (!tokens[place].has(word)) set.delete(doc);
        else if (set.reaches(doc)) set.add(doc);
        else return this.clear();
      }
    }
  }

  private keep(word: string, kept: Kept, place: Place, set: DocSet): DocSet {
    kept.set(place, set);
    this.kept.set(word, kept);
    this.bytes += set.words.byteLength;
    for (const [oldest, sets] of this.kept) {
      if (this.bytes <= MOST_BYTES || oldest === word) break;
      this.kept.delete(oldest);
      for (const { words } of sets.values()) this.bytes -= words.byteLength;
    }
    return set;
  }

  private clear(): void {
    this.version++;
    this.kept.clear();
    this.bytes = 0;
  }
}
