import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { schema } from '../../../../../test/conformance/search-fixture.js';
import type { SearchDocument } from '../../../../catalog/search/index.js';
import { recordChanges } from './columns.js';
import { forgetIn } from '../index-content.js';
import { IndexFile } from '../index-file.js';
import { openedOf } from '../opened.js';

const FIELDS = ['owners', 'typeNames', 'numIncidents'];
const URNS = Array.from({ length: 12 }, (_, i) => `urn:li:corpuser:u${i}`);

const values = fc.uniqueArray(fc.oneof(fc.constantFrom('a', 'B', 'b', 'ä'), fc.nat({ max: 3 })), {
  maxLength: 3,
});
const document = fc.record({
  urn: fc.constantFrom(...URNS),
  fields: fc.option(fc.record(Object.fromEntries(FIELDS.map((field) => [field, values])))),
});
/** What one write holds, and whether the documents are forgotten instead. */
const write = fc.record({
  documents: fc.uniqueArray(document, { selector: ({ urn }) => urn, maxLength: 6 }),
  forget: fc.boolean(),
});

describe('columns', () => {
  function opened() {
    const file = new IndexFile(':memory:');
    file.prepare('of this spec');
    return openedOf(schema, file);
  }
  type Held = Map<string, SearchDocument['fields']>;
  const valuesIn = (index: ReturnType<typeof opened>): Held =>
    new Map(
      index.file.all<[number, string]>('SELECT id, urn FROM doc WHERE body IS NOT NULL').map(([id, urn]) => [
        urn,
        Object.fromEntries(
          FIELDS.map((field) => {
            const column = index.columns.at(index.file.connection).column(index.file.connection, field);
            return [field, column.ordinalsOf(column.setAt(id)).map((ordinal) => column.values[ordinal]!)];
          }),
        ),
      ]),
    );
  const sorted = (held: Held) =>
    [...held]
      .map(([urn, fields]) => [
        urn,
        FIELDS.map((field) => fields[field]?.map((v) => JSON.stringify(v)).sort() ?? []),
      ])
      .sort();

  it('hold what the documents hold, whatever is written', () => {
    fc.assert(
      fc.property(fc.array(write, { maxLength: 8 }), fc.boolean(), (writes, late) => {
        const index = opened();
        const expected: Held = new Map();
        let sequence = 0;
        if (!late) valuesIn(index);
        for (const { documents, forget } of writes) {
          sequence++;
          const removed = documents.flatMap(({ urn, fields }) => (fields ? [] : [{ urn, sequence }]));
          if (forget)
            forgetIn(
              index,
              documents.map(({ urn }) => urn),
            );
          else {
            index.writer.remove(removed);
            index.writer.upsert(
              documents.flatMap(({ urn, fields }) =>
                fields ? [{ urn, entity: 'corpuser', sequence, removed: false, fields }] : [],
              ),
            );
          }
          for (const { urn, fields } of documents) {
            if (forget || !fields) expected.delete(urn);
            else expected.set(urn, fields);
          }
          expect(sorted(valuesIn(index))).toEqual(sorted(expected));
        }
        index.file.close();
      }),
      { numRuns: 60 },
    );
  });

  it('hold what one write changes of more values than the stack has room for', () => {
    const index = opened();
    const urn = URNS[0]!;
    // Numbers take the least time to write.
    const typeNames = Array.from({ length: 130_000 }, (_, i) => i);
    index.writer.upsert([{ urn, entity: 'corpuser', sequence: 1, removed: false, fields: { typeNames } }]);
    expect(valuesIn(index).get(urn)!['typeNames']).toHaveLength(typeNames.length);
    index.file.close();
  });

  it('are followed through the last writes only as far as those take little room', () => {
    const { file } = opened();
    const value = 'x'.repeat(500);
    const states = () =>
      file.all<[number]>('SELECT state FROM change ORDER BY state').map(([state]) => state);
    const written = Array.from({ length: 8 }, (_, i) => {
      recordChanges(file, [['owners', value, [i], []]], new Map(), 2_000);
      return states().at(-1)!;
    });
    expect(states()).toEqual(written.slice(-3));
    recordChanges(file, [['owners', value.repeat(10), [9], []]], new Map(), 2_000);
    expect(states()).toEqual([written.at(-1)! + 1]);
    file.close();
  });
});
