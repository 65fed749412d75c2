import {
  indexText,
  lastPieceToken,
  NAME_BOOST,
  STATIC_BOOST_FIELD,
  wholeToken,
  type FieldValue,
  type IndexedVersion,
  type SearchDocument,
  type SearchField,
  type SearchSchema,
  type WriteResult,
} from '../../../../catalog/search/index.js';
import { recordChanges, unlistedFields, type ValueChange } from '../columns/columns.js';
import { fieldsIn } from '../damage.js';
import type { IndexFile } from '../index-file.js';
import { LAST_PIECE, WHOLE_NAME } from '../words/name-marks.js';
import { bodyOf } from './kept-document.js';
import { KnownPostings } from './known-postings.js';
import { PostingWriter } from './posting-writer.js';
import { termsOf } from '../columns/terms.js';
import type { WordTexts } from '../words/word-changes.js';

type Fields = Readonly<Record<string, readonly FieldValue[]>>;
type DocRow = readonly [id: number, sequence: number, body: string | null];

/** What one transaction changes beside rows of documents. */
interface Batch {
  postings: PostingWriter;
  /** The new words of documents by number. */
  words: Map<number, WordTexts | undefined>;
}

const NO_FIELDS: Fields = {};

/** Writes documents and tombstones, each batch in one transaction. */
export class DocumentWriter {
  /** Fields whose values a text may be completed to. */
  readonly completed: ReadonlySet<string>;
  private readonly unlisted: ReadonlySet<string>;
  /** Fields whose words are found, by entity type. */
  private readonly queried = new Map<string, readonly SearchField[]>();

  private readonly known = new KnownPostings();

  constructor(
    private readonly file: IndexFile,
    private readonly schema: SearchSchema,
  ) {
    this.unlisted = unlistedFields(schema);
    this.completed = new Set(schema.autocomplete(schema.entities).map((field) => field.name));
  }

  upsert(documents: readonly SearchDocument[]): WriteResult {
    return this.batch(documents, (document, row, { postings, words }) => {
      const body = bodyOf(document);
      const { fields } = document;
      const before = row?.[2] ?? null;
      const staticBoost = Number(fields[STATIC_BOOST_FIELD]?.[0] ?? 1);
      const id =
        row?.[0] ?? this.insertRow(document.urn, document.entity, document.sequence, staticBoost, body);
      if (row) {
        this.file.run(
          'UPDATE doc SET entity = ?, sequence = ?, standing = ?, body = ? WHERE id = ?',
          document.entity,
          document.sequence,
          staticBoost,
          body,
          id,
        );
      }
      if (before === body) return id;
      const old = before === null ? undefined : fieldsIn(before);
      changeTerms(postings, id, old ?? NO_FIELDS, fields);
      this.writeWords(id, document.entity, fields, old, words);
      return id;
    });
  }

  remove(removals: readonly IndexedVersion[]): WriteResult {
    return this.batch(removals, ({ urn, sequence }, row, { postings, words }) => {
      if (!row) {
        return this.insertRow(urn, '', sequence, null, null);
      }
      const [id, , body] = row;
      this.file.run('UPDATE doc SET sequence = ?, body = NULL WHERE id = ?', sequence, id);
      if (body === null) return id;
      changeTerms(postings, id, fieldsIn(body), NO_FIELDS);
      this.file.run('DELETE FROM words WHERE rowid = ?', id);
      words.set(id, undefined);
      return id;
    });
  }

  /** @param write answers the number of the document */
  private batch<T extends IndexedVersion>(
    items: readonly T[],
    write: (item: T, row: DocRow | undefined, batch: Batch) => number,
  ): WriteResult {
    if (items.length === 0) return { written: 0, outdated: 0 };
    const words: Batch['words'] = new Map();
    return this.write(() => {
      const postings = new PostingWriter(this.file, this.completed, this.unlisted, this.known);
      const changes: ValueChange[] = [];
      const seen = new Set<number>();
      let outdated = 0;
      for (const item of items) {
        const row = this.file.row<DocRow>('SELECT id, sequence, body FROM doc WHERE urn = ?', item.urn);
        if (row && row[1] > item.sequence) {
          outdated++;
          continue;
        }
        if (row && seen.has(row[0])) for (const change of postings.flush()) changes.push(change);
        seen.add(write(item, row, { postings, words }));
      }
      // One by one: arguments are kept on the stack, and a large batch changes more values than it holds.
      for (const change of postings.flush()) changes.push(change);
      recordChanges(this.file, changes, words);
      return { written: items.length - outdated, outdated };
    });
  }

  /** All of `work` or nothing of it. */
  private write<T>(work: () => T): T {
    try {
      return this.file.write(work);
    } catch (error) {
      this.known.clear();
      throw error;
    }
  }

  private insertRow(
    urn: string,
    entity: string,
    sequence: number,
    staticBoost: number | null,
    body: string | null,
  ): number {
    return this.file.run(
      'INSERT INTO doc (urn, entity, sequence, standing, body) VALUES (?, ?, ?, ?, ?)',
      urn,
      entity,
      sequence,
      staticBoost,
      body,
    );
  }

  private writeWords(
    id: number,
    entity: string,
    fields: Fields,
    old: Fields | undefined,
    words: Batch['words'],
  ): void {
    const queried = this.queriedOf(entity);
    if (old) {
      if (queried.every(({ name }) => sameValues(old[name], fields[name]))) return;
      this.file.run('DELETE FROM words WHERE rowid = ?', id);
    }
    const texts = wordTexts(queried, fields);
    this.file.run(
      'INSERT INTO words (rowid, whole, name, text, minor) VALUES (?, ?, ?, ?, ?)',
      id,
      texts.whole,
      texts.name,
      texts.text,
      texts.minor,
    );
    words.set(id, texts);
  }

  private queriedOf(entity: string): readonly SearchField[] {
    let fields = this.queried.get(entity);
    if (!fields) this.queried.set(entity, (fields = this.schema.queried([entity])));
    return fields;
  }
}

function changeTerms(postings: PostingWriter, doc: number, before: Fields, after: Fields): void {
  for (const name in before) {
    if (sameValues(before[name], after[name])) continue;
    const kept = new Set(termsOf(name, after[name]));
    for (const term of termsOf(name, before[name])) if (!kept.has(term)) postings.remove(name, term, doc);
  }
  for (const name in after) {
    const earlier = before[name];
    if (earlier === undefined) postings.add(name, termsOf(name, after[name]), doc);
    else if (!sameValues(earlier, after[name])) {
      const known = new Set(termsOf(name, earlier));
      postings.add(
        name,
        termsOf(name, after[name]).filter((term) => !known.has(term)),
        doc,
      );
    }
  }
}

function wordTexts(queried: readonly SearchField[], fields: Fields): WordTexts {
  const columns = {
    whole: [] as string[],
    name: [] as string[],
    text: [] as string[],
    minor: [] as string[],
  };
  for (const { name, boost } of queried) {
    const column =
      boost >= NAME_BOOST ? columns.name : boost >= 1 && name !== 'urn' ? columns.text : columns.minor;
    for (const value of fields[name] ?? []) {
      if (typeof value !== 'string') continue;
      const tokens = indexText(value);
      if (tokens !== '') column.push(tokens);
      if (boost < NAME_BOOST) continue;
      const whole = wholeToken(value);
      if (whole !== '') columns.whole.push(WHOLE_NAME + whole, LAST_PIECE + lastPieceToken(value));
    }
  }
  const { whole, name, text, minor } = columns;
  return { whole: whole.join(' '), name: name.join(' '), text: text.join(' '), minor: minor.join(' ') };
}

function sameValues(a: readonly FieldValue[] = [], b: readonly FieldValue[] = []): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
