import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { schema } from '../../../../../test/conformance/search-fixture.js';
import { compareTexts, type FacetResult, type FieldValue } from '../../../../catalog/search/index.js';
import { CountedDocs } from '../columns/counted-docs.js';
import { DocSet } from '../columns/doc-set.js';
import { facetsOf } from './facets.js';
import { IndexFile } from '../index-file.js';
import { openedOf } from '../opened.js';
import type { Steps } from '../steps.js';
import { SharedSets } from '../columns/shared-sets.js';
import { TermReader } from './term-reader.js';

/** More than a term may have. */
const LONG = 'a long text '.repeat(20);
const value = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom<FieldValue[]>('a', 'b', 'B', 'ä', '\u{e000}', '\u{10000}', true, 7),
  },
  { weight: 1, arbitrary: fc.constant<FieldValue>(LONG) },
);
const document = fc.record({
  entity: fc.constantFrom('dataset', 'chart', 'tag'),
  removed: fc.boolean(),
  latest: fc.option(fc.boolean()),
  owners: fc.uniqueArray(value, { maxLength: 3 }),
  tags: fc.uniqueArray(value, { maxLength: 3 }),
  hit: fc.boolean(),
  near: fc.boolean(),
});
type Document = typeof document extends fc.Arbitrary<infer T> ? T : never;

const FACETS = [
  ...[['owners'], ['tags'], ['owners', 'tags'], ['nothing'], ['tags', 'nothing', 'owners'], ['owners']],
];

function naive(hits: readonly Document[], fields: readonly string[], most: number): FacetResult['values'] {
  const counts = new Map<string, number>();
  const add = (hit: Document, prefix: string, [field, ...inner]: readonly string[]) => {
    const values = field === 'owners' ? hit.owners : field === 'tags' ? hit.tags : [];
    for (const one of values) {
      counts.set(prefix + String(one), (counts.get(prefix + String(one)) ?? 0) + 1);
      add(hit, `${prefix}${String(one)}␞`, inner);
    }
  };
  for (const hit of hits) add(hit, '', fields);
  const values = [...counts].map(([name, count]) => ({ value: name, count }));
  return values.sort((a, b) => b.count - a.count || compareTexts(a.value, b.value)).slice(0, most);
}

function ended<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

describe('facets', () => {
  it('count the values of the hits, few or nearly all of a scope', () => {
    const documents = fc.array(document, { minLength: 1, maxLength: 40 });
    const request = fc.record({
      entities: fc.subarray(['dataset', 'chart'], { minLength: 1 }),
      includeRemoved: fc.boolean(),
      latestOnly: fc.boolean(),
      most: fc.integer({ min: 0, max: 6 }),
    });
    fc.assert(
      fc.property(documents, documents, request, (first, second, { most, ...scope }) => {
        const { entities, includeRemoved, latestOnly } = scope;
        const file = new IndexFile(':memory:');
        file.prepare('of this spec');
        const { writer, columns, matches } = openedOf(schema, file);
        // The second write changes what was read of the first.
        for (const [turn, all] of [first, second].entries()) {
          writer.upsert(
            all.map(({ entity, removed, latest, owners, tags }, i) => ({
              urn: `urn:li:x:${i}`,
              entity,
              sequence: turn,
              removed,
              fields: {
                ...{ _entityType: [entity.toUpperCase()], removed: [removed], owners, tags },
                ...(latest !== null && { isLatest: [latest] }),
              },
            })),
          );
          const terms = new TermReader(
            file.connection,
            matches,
            columns.at(file.connection),
            new SharedSets(),
          );
          const now = turn === 0 ? first : [...second, ...first.slice(second.length)];
          const inScope = (one: Document) =>
            entities.includes(one.entity) &&
            (includeRemoved || !one.removed) &&
            !(latestOnly && one.latest === false);
          const hits = new DocSet();
          const docs = new DocSet();
          for (const [i, one] of now.entries()) {
            if (one.hit && inScope(one)) hits.add(i + 1);
            if ((one.hit || one.near) && inScope(one)) docs.add(i + 1);
          }
          const requests = FACETS.map((fields) => ({ name: fields.join(), fields }));
          const expected = FACETS.map((fields) => ({
            name: fields.join(),
            values: naive(
              now.filter((one) => one.hit && inScope(one)),
              fields,
              most,
            ),
          }));
          expect(ended(facetsOf(terms, hits, scope, requests, most))).toEqual(expected);
          const around = new CountedDocs(docs);
          for (let times = 0; times < 2; times++)
            expect(ended(facetsOf(terms, hits, { ...scope, around }, requests, most))).toEqual(expected);
          // Asked for the first time, counted for the others, and answered from what was counted.
          for (let times = 0; times < 3; times++) {
            const counted = terms.countedHits('the hits', hits.copy());
            expect(ended(facetsOf(terms, hits, { ...scope, counted }, requests, most))).toEqual(expected);
          }
        }
        file.close();
      }),
      { numRuns: 100 },
    );
  });

  it('follow hits of which few are others since they were counted', () => {
    const file = new IndexFile(':memory:');
    file.prepare('of this spec');
    const { writer, columns, matches } = openedOf(schema, file);
    const documents = Array.from({ length: 400 }, (_, i): Document => ({
      entity: 'dataset',
      removed: false,
      latest: null,
      owners: i % 3 === 0 ? ['a', 'b'] : ['b'],
      tags: i % 5 === 0 ? [] : ['a'],
      hit: i % 2 === 0,
      near: false,
    }));
    const scope = { entities: ['dataset'], includeRemoved: false };
    const fields = [['owners'], ['tags'], ['owners', 'tags']];
    const requests = fields.map((of) => ({ name: of.join(), fields: of }));
    const change = fc.record({
      doc: fc.nat(398),
      owners: fc.uniqueArray(fc.constantFrom('a', 'b', 'new'), { maxLength: 2 }),
      hit: fc.boolean(),
      // Words change without a value that has a column.
      unseen: fc.boolean(),
    });
    const write = (written: ReadonlyArray<readonly [number, Document]>, sequence: number) =>
      writer.upsert(
        written.map(([i, { entity, removed, owners, tags }]) => ({
          ...{ urn: `urn:li:x:${i}`, entity, sequence, removed },
          fields: { _entityType: [entity.toUpperCase()], removed: [removed], owners, tags },
        })),
      );
    write([...documents.entries()], 0);
    let sequence = 0;
    fc.assert(
      fc.property(fc.array(fc.array(change, { maxLength: 5 }), { maxLength: 4 }), (writes) => {
        const name = `hits from write ${sequence} on`;
        // Counts are kept from the second time on.
        columns.at(file.connection).countedHits(name, new DocSet());
        for (const changes of [[], ...writes]) {
          for (const { doc, owners, hit, unseen } of changes)
            documents[doc] = { ...documents[doc]!, hit, ...(!unseen && { owners }) };
          const written = changes.filter(({ unseen }) => !unseen).map(({ doc }) => doc);
          // Always one that is no hit, as nothing changes without a write.
          write(
            [...written, documents.length - 1].map((doc) => [doc, documents[doc]!] as const),
            ++sequence,
          );
          const view = columns.at(file.connection);
          const terms = new TermReader(file.connection, matches, view, new SharedSets());
          const hits = DocSet.of(documents.flatMap(({ hit }, i) => (hit ? [i + 1] : [])));
          const counted = terms.countedHits(name, hits.copy());
          const found = documents.filter(({ hit }) => hit);
          expect(ended(facetsOf(terms, hits, { ...scope, counted }, requests, 5))).toEqual(
            fields.map((of) => ({ name: of.join(), values: naive(found, of, 5) })),
          );
        }
      }),
      { numRuns: 60 },
    );
    file.close();
  });

  it('count few values of very many hits by their sets', () => {
    const file = new IndexFile(':memory:');
    file.prepare('of this spec');
    const { writer, columns, matches } = openedOf(schema, file);
    const documents = Array.from({ length: 9000 }, (_, i): Document => ({
      entity: 'dataset',
      removed: i % 50 === 0,
      latest: null,
      owners: i % 7 === 0 ? ['a', 'b'] : i % 3 === 0 ? ['b'] : i % 2 === 0 ? [] : ['a'],
      tags: i === 4321 ? ['b'] : ['a'],
      hit: true,
      near: false,
    }));
    writer.upsert(
      documents.map(({ entity, removed, owners, tags }, i) => ({
        urn: `urn:li:x:${i}`,
        entity,
        sequence: 1,
        removed,
        fields: { _entityType: [entity.toUpperCase()], removed: [removed], owners, tags },
      })),
    );
    const view = columns.at(file.connection);
    const terms = new TermReader(file.connection, matches, view, new SharedSets());
    const scope = { entities: ['dataset'], includeRemoved: false };
    const requests = [['owners'], ['tags']].map((fields) => ({ name: fields.join(), fields }));
    // Less than half of the scope, and more: then the others are counted.
    for (const part of [0.45, 0.55]) {
      const isHit = ({ removed }: Document, i: number) => !removed && (i * 0.618) % 1 < part;
      const hits = DocSet.of(documents.flatMap((one, i) => (isHit(one, i) ? [i + 1] : [])));
      expect(ended(facetsOf(terms, hits, scope, requests, 5))).toEqual(
        requests.map(({ name, fields }) => ({ name, values: naive(documents.filter(isHit), fields, 5) })),
      );
    }
    file.close();
  });
});
