import type { Automaton } from '../../../catalog/search/index.js';
import { DocSet } from './doc-set.js';
import type { IndexConnection } from './index-connection.js';
import type { Steps } from './steps.js';
import { Vocabulary } from './vocabulary.js';
import { wordChangesBetween, type WordChanges } from './word-changes.js';
import { matchingDocs, type WordMatch } from './word-match.js';

/** Up to so many documents are found as fast as they are kept, if nothing else has to be walked through for them. */
const FEW = 500;
/** So many bytes of sets are kept. */
const MOST_BYTES = 16 * 1024 * 1024;

interface Kept {
  docs: DocSet;
  state: number;
}

/** What searches of one state of the index find by words. */
export interface MatchView {
  /** Documents that match, not to be changed. */
  docs: (match: WordMatch) => DocSet;
  /** The tokens that are accepted. */
  tokens: (automaton: Automaton) => Steps<string[]>;
}

/**
 * The documents of common words, which most searches ask for and FTS5 walks through for each of them. Each is brought up
 * to date when it is asked for, by what was written since; those used last are the first to stay.
 */
export class Matches {
  private readonly kept = new Map<string, Kept>();
  private bytes = 0;
  private readonly vocabulary = new Vocabulary();
  /** What came between a state and that of the last search. */
  private readonly changes = new Map<number, WordChanges | undefined>();
  private changesUpTo = 0;

  /**
   * @param file sees that state
   */
  at(file: IndexConnection, state: number): MatchView {
    const since = (from: number) => this.since(file, from, state);
    return {
      docs: (match) => this.docs(file, state, match),
      tokens: (automaton) => this.vocabulary.matching(file, state, since, automaton),
    };
  }

  private docs(file: IndexConnection, state: number, match: WordMatch): DocSet {
    const kept = this.kept.get(match.expression);
    if (kept?.state === state) {
      this.keep(match, kept);
      return kept.docs;
    }
    let docs: DocSet;
    const changes = kept && this.since(file, kept.state, state);
    if (kept && changes) {
      docs = kept.docs.copy();
      for (const [doc, columns] of changes) {
        if (columns && match.holds(columns)) docs.add(doc);
        else docs.delete(doc);
      }
    } else {
      docs = DocSet.of(matchingDocs(file, match.expression));
    }
    if (match.direct && docs.size < FEW) this.drop(match.expression);
    else this.keep(match, { docs, state });
    return docs;
  }

  private keep({ expression }: WordMatch, kept: Kept): void {
    this.drop(expression);
    this.kept.set(expression, kept);
    this.bytes += bytesOf(kept);
    for (const oldest of this.kept.keys()) {
      if (this.bytes <= MOST_BYTES || oldest === expression) break;
      this.drop(oldest);
    }
  }

  private drop(expression: string): void {
    const kept = this.kept.get(expression);
    if (!kept) return;
    this.bytes -= bytesOf(kept);
    this.kept.delete(expression);
  }

  private since(file: IndexConnection, from: number, to: number): WordChanges | undefined {
    if (this.changesUpTo !== to) this.changes.clear();
    this.changesUpTo = to;
    if (!this.changes.has(from)) this.changes.set(from, wordChangesBetween(file, from, to));
    return this.changes.get(from);
  }
}

/** Of the set, and about as many for all else. */
function bytesOf({ docs }: Kept): number {
  return 500 + docs.bytes;
}
