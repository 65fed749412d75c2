import type { Automaton } from '../../../../catalog/search/index.js';
import type { IndexConnection } from '../index-connection.js';
import { AFTER_MARKED, MARKED } from './name-marks.js';
import type { Steps } from '../steps.js';
import type { WordChanges } from './word-changes.js';

/** So many tokens that were written since may be unsorted before all are read again. */
const MAX_ADDED = 20_000;
/** Tokens between two steps of a walk. */
const TOKENS = 4096;

/**
 * The tokens of the index, to find those of a form. They are read at the first search that needs them and kept up to
 * date with what is written; tokens that no document has any more may be among them.
 */
export class Vocabulary {
  private sorted: string[] | undefined;
  private readonly added = new Set<string>();
  /** What it knows all tokens of. */
  private state = 0;

  /**
   * @param file sees the state
   * @param since what was written between an earlier state and this one, as far as that can be told
   */
  *matching(
    file: IndexConnection,
    state: number,
    since: (state: number) => WordChanges | undefined,
    automaton: Automaton,
  ): Steps<string[]> {
    if (!this.sorted || !this.takeUp(since(this.state))) {
      this.sorted = [...read(file, 'term < ?', MARKED), ...read(file, 'term >= ?', AFTER_MARKED)];
      this.added.clear();
    }
    this.state = state;
    const found = new Set<string>();
    for (const token of matchingSorted(this.sorted, automaton)) {
      if (token === undefined) yield;
      else found.add(token);
    }
    for (const token of this.added) if (automaton.matches(token)) found.add(token);
    return [...found];
  }

  private takeUp(changes: WordChanges | undefined): boolean {
    if (!changes) return false;
    for (const columns of changes.values()) {
      if (!columns) continue;
      for (const tokens of [columns.name, columns.text, columns.minor])
        for (const token of tokens) this.added.add(token);
    }
    return this.added.size <= MAX_ADDED;
  }
}

function read(file: IndexConnection, condition: string, border: string): string[] {
  const sql = `SELECT json_group_array(term) FROM vocabulary WHERE ${condition}`;
  return JSON.parse(file.row<[string]>(sql, border)![0]) as string[];
}

/**
 * Those of the texts that the automaton accepts. Texts with the same beginning stand together: it is read once, and when
 * nothing that begins so can be accepted, all of them are passed over. Undefined now and then, where the walk can be left for a while.
 */
function* matchingSorted(texts: readonly string[], automaton: Automaton): Generator<string | undefined> {
  if (automaton.start < 0) return;
  /** The states after the first characters of the last text, by UTF-16 units. */
  const states = [automaton.start];
  let last = '';
  /** As far as the last text led anywhere. */
  let alive = 0;
  let seen = 0;
  for (const text of texts) {
    if (++seen % TOKENS === 0) yield undefined;
    let at = 0;
    const most = Math.min(text.length, last.length, alive + 1);
    while (at < most && text.charCodeAt(at) === last.charCodeAt(at)) at++;
    last = text;
    if (at > alive) continue;
    // Not between the halves of a character.
    if (at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) at--;
    alive = at;
    let state = states[at]!;
    while (alive < text.length) {
      const character = text.codePointAt(alive)!;
      state = automaton.step(state, character);
      if (state < 0) break;
      if (character > 0xffff) states[++alive] = state;
      states[++alive] = state;
    }
    if (state >= 0 && automaton.accepts(state)) yield text;
  }
}
