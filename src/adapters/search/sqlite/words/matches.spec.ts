import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { schema } from '../../../../../test/conformance/search-fixture.js';
import { chunksOf, type TextWord } from '../../../../catalog/search/index.js';
import { LAST_PIECE, WHOLE_NAME } from './name-marks.js';
import { forgetIn } from '../index-content.js';
import { IndexFile } from '../index-file.js';
import { Matches } from './matches.js';
import { openedOf } from '../opened.js';
import { matchingDocs, nameIs, wordAt, type WordMatch } from './word-match.js';

/** Enough for words that all of them have to be kept. */
const URNS = Array.from({ length: 600 }, (_, i) => `urn:li:dataset:d${i}`);
const TEXTS = ['table', 'fct_table_daily', 'tables', 'FctTable', 'of the table', 'daily fct', 'the fct of'];

const text = fc.constantFrom(...TEXTS);
const document = fc.record({
  urn: fc.constantFrom(...URNS.slice(0, 8), 'urn:li:dataset:new1', 'urn:li:dataset:new2'),
  fields: fc.option(
    fc.record({
      name: fc.array(text, { maxLength: 2 }),
      description: fc.array(text),
      fieldPaths: fc.array(text),
    }),
  ),
});
/** What one write holds, and which matches are looked for after it. */
const write = fc.record({
  documents: fc.uniqueArray(document, { selector: ({ urn }) => urn, maxLength: 4 }),
  forget: fc.boolean(),
  asked: fc.array(fc.nat({ max: 30 }), { maxLength: 6 }),
});

const wordOf = (typed: string, prefix = false): TextWord => ({ ...chunksOf(typed)[0]!, prefix });
const MATCHES: WordMatch[] = [
  ...[
    wordOf('table'),
    wordOf('tab', true),
    wordOf('fct_table'),
    wordOf('fct_tab', true),
    wordOf('daily'),
  ].flatMap((word) => (['anywhere', 'name', 'text'] as const).map((place) => wordAt(place, word))),
  nameIs([WHOLE_NAME + 'fct'], true),
  nameIs([WHOLE_NAME + 'table', LAST_PIECE + 'daily']),
];

describe('kept matches', () => {
  it('are what the index finds, whatever is written', () => {
    const file = new IndexFile(':memory:');
    file.prepare('of this spec');
    const index = openedOf(schema, file);
    const { connection } = file;
    const documentOf = (urn: string, sequence: number, fields: Record<string, string[]>) => ({
      ...{ urn, entity: 'dataset', sequence, removed: false },
      fields,
    });
    let sequence = 1;
    index.writer.upsert(
      URNS.map((urn, i) => documentOf(urn, 1, { name: [TEXTS[i % 4]!], description: ['table'] })),
    );
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 14 }), (writes) => {
        const matches = new Matches();
        for (const { documents, forget, asked } of writes) {
          sequence++;
          if (forget)
            forgetIn(
              index,
              documents.map(({ urn }) => urn),
            );
          else {
            index.writer.remove(documents.flatMap(({ urn, fields }) => (fields ? [] : [{ urn, sequence }])));
            index.writer.upsert(
              documents.flatMap(({ urn, fields }) => (fields ? [documentOf(urn, sequence, fields)] : [])),
            );
          }
          const [state] = file.row<[number]>('SELECT max(state) FROM change')!;
          const view = matches.at(connection, state);
          for (const number of asked) {
            const match = MATCHES[number % MATCHES.length]!;
            expect([...view.docs(match)]).toEqual([...matchingDocs(connection, match.expression)]);
          }
        }
      }),
      { numRuns: 30 },
    );
    file.close();
  });
});
