import type { IndexConnection } from '../index-connection.js';
import type { WordColumns } from './word-match.js';

/** The words that documents have from a write on, by document number; none when they are gone. */
export type WordChanges = ReadonlyMap<number, WordColumns | undefined>;

/** The tokens of each column of a document, between blanks. */
export type WordTexts = Readonly<Record<keyof WordColumns, string>>;

/** So many writes can be followed: more would take longer to read than the index to be asked anew. */
export const MOST_WORD_CHANGES = 10;

type Row = readonly [doc: number, ...columns: string[]];

/** As they are kept in the table `change`. */
export function wordChangesText(changes: ReadonlyMap<number, WordTexts | undefined>): string {
  const rows = [...changes].map(([doc, texts]): Row =>
    texts ? [doc, texts.whole, texts.name, texts.text, texts.minor] : [doc],
  );
  return JSON.stringify(rows);
}

/** What was written after one state of the index, up to another; undefined when that cannot be told. */
export function wordChangesBetween(file: IndexConnection, from: number, to: number): WordChanges | undefined {
  if (to - from > MOST_WORD_CHANGES) return undefined;
  const sql = 'SELECT words FROM change WHERE state > ? AND state <= ? AND words IS NOT NULL ORDER BY state';
  const texts = file.all<[string]>(sql, from, to);
  if (texts.length !== to - from) return undefined;
  const changes = new Map<number, WordColumns | undefined>();
  for (const [text] of texts) {
    // Not `for`: V8 would compile the loop, with all that is called in it, anew for each long text.
    (JSON.parse(text) as Row[]).forEach(([doc, ...columns]) => changes.set(doc, columnsOf(columns)));
  }
  return changes;
}

function columnsOf(texts: readonly string[]): WordColumns | undefined {
  if (texts.length === 0) return undefined;
  const [whole = [], name = [], text = [], minor = []] = texts.map((tokens) =>
    tokens === '' ? [] : tokens.split(' '),
  );
  return { whole, name, text, minor };
}
