import { DocSet } from '../columns/doc-set.js';
import type { IndexConnection } from '../index-connection.js';
import { KeptBySize } from '../kept-by-size.js';
import { Vocabulary } from './vocabulary.js';
import { wordChangesBetween, type WordChanges } from './word-changes.js';
import { hasLonger, matchingDocs, type TokenView, type WordMatch } from './word-match.js';

/** So many bytes of sets are kept. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Of so many tokens it is known whether others begin with them. */
const MOST_LONGER = 4096;

interface Kept {
  docs: DocSet;
  state: number;
}

/** What searches of one state of the index find by words. */
export interface MatchView extends TokenView {
  /** Documents that match, not to be changed. */
  docs: (match: WordMatch) => DocSet;
}

/**
 * The documents of words that searches ask for: FTS5 walks through those of a common word each time, and takes a tenth of
 * a millisecond to say that there is none. Each set is brought up to date when it is asked for, by what was written since;
 * those used last are the first to stay.
 */
export class Matches {
  /** Bytes of the set, and about as many for all else. */
  private readonly kept = new KeptBySize<Kept>(MOST_BYTES, ({ docs }) => 500 + docs.bytes);
  private readonly vocabulary = new Vocabulary();
  private readonly longer = new Map<string, { is: boolean; state: number }>();
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
      hasLonger: (token) => this.hasLonger(file, state, token),
    };
  }

  private docs(file: IndexConnection, state: number, match: WordMatch): DocSet {
    const kept = this.kept.get(match.expression);
    if (kept?.state === state) {
      this.kept.keep(match.expression, kept);
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
    this.kept.keep(match.expression, { docs, state });
    return docs;
  }

  private hasLonger(file: IndexConnection, state: number, token: string): boolean {
    const known = this.longer.get(token);
    // One that is gone since makes no difference but to what it costs.
    if (known?.is) return true;
    const changes = known && this.since(file, known.state, state);
    const is = changes ? isBegun(token, changes) : hasLonger(file, token);
    if (this.longer.size >= MOST_LONGER) this.longer.clear();
    this.longer.set(token, { is, state });
    return is;
  }

  private since(file: IndexConnection, from: number, to: number): WordChanges | undefined {
    if (this.changesUpTo !== to) this.changes.clear();
    this.changesUpTo = to;
    if (!this.changes.has(from)) this.changes.set(from, wordChangesBetween(file, from, to));
    return this.changes.get(from);
  }
}

/** Whether one of the documents has a token that goes on where this one ends. */
function isBegun(token: string, changes: WordChanges): boolean {
  for (const columns of changes.values()) {
    for (const tokens of columns ? [columns.name, columns.text, columns.minor] : [])
      if (tokens.some((other) => other.length > token.length && other.startsWith(token))) return true;
  }
  return false;
}
