import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ALL,
  PROPERTY_FIELD_PREFIX,
  type FieldTest,
  type FieldValue,
  type QueryNode,
  type SearchDocument,
  type SearchIndex,
} from '../../src/catalog/search/index.js';
import { datasetUrn, documentOf, requestOf } from './search-fixture.js';

/** Keys like those that people choose: one the beginning of another, dots, a version, characters of every grammar. */
const KEYS = {
  text: 'team.owner',
  longer: 'team.owner.name',
  rating: 'team.rating',
  versioned: 'team.rating 2',
  odd: 'a*b?[c](d)|"e"\\f#@&<>~^$-{g}',
} as const;

const fieldOf = (key: string) => PROPERTY_FIELD_PREFIX + key;
const urnOf = (name: string) => datasetUrn('prop', name);

function document(name: string, properties: Record<string, FieldValue[]>): SearchDocument {
  const plain = documentOf(urnOf(name));
  const fields = Object.fromEntries(
    Object.entries(properties).map(([key, values]) => [fieldOf(key), values]),
  );
  return { ...plain, fields: { ...plain.fields, ...fields } };
}

/** Longer than a term may be, and equal to another one but for the end. */
const HUGE = 'Long '.repeat(8000);

const DOCUMENTS = [
  document('a', { [KEYS.text]: ['Ada', 'Bob'], [KEYS.rating]: [5], [KEYS.odd]: ['x'] }),
  document('b', { [KEYS.text]: ['ada'], [KEYS.rating]: [-3.5, 10], [KEYS.versioned]: [7] }),
  document('c', { [KEYS.longer]: ['Ada'], [KEYS.rating]: [0], [KEYS.text]: ['*', 'Größe\u0000🚀'] }),
  document('d', { [KEYS.rating]: [1e21, 1_577_836_800_000], [KEYS.text]: [`${HUGE}one`] }),
  document('e', { [KEYS.rating]: [100], [KEYS.text]: [`${HUGE}two`, ''] }),
  document('f', {}),
];

/**
 * Fields of properties that users define: any number of them, none of them in the schema.
 * @param loadedIndex makes an index that has other documents
 */
export function propertyFieldsConformance(name: string, loadedIndex: () => Promise<SearchIndex>): void {
  describe(`fields of defined properties: ${name}`, () => {
    let index: SearchIndex;
    const base = { ...requestOf({}), count: 100 };
    const platform: QueryNode = {
      op: 'field',
      field: 'platform',
      test: { is: 'equal', values: ['urn:li:dataPlatform:prop'] },
    };
    const load = async () => {
      index = await loadedIndex();
      await index.upsert(DOCUMENTS);
    };
    const found = async (filter: QueryNode) => {
      const { hits, total } = await index.search({ ...base, query: ALL, filter });
      expect(total).toBe(hits.length);
      return hits.map(({ urn }) => /,(\w),/.exec(urn)![1]).join('');
    };
    const test = (key: string, how: FieldTest): QueryNode => ({
      op: 'field',
      field: fieldOf(key),
      test: how,
    });
    const text = (
      is: 'same' | 'contains' | 'starts' | 'ends',
      value: string,
      ignoreCase: boolean,
    ): FieldTest => ({
      is,
      text: value,
      ignoreCase,
    });

    describe('as they are loaded', () => {
      beforeAll(load);
      afterAll(() => index.close());

      it.each<[string, string, FieldTest, string]>([
        ['exists', KEYS.text, { is: 'exists' }, 'abcde'],
        ['exists, of the longer key', KEYS.longer, { is: 'exists' }, 'c'],
        ['exists, of a version', KEYS.versioned, { is: 'exists' }, 'b'],
        ['exists, of nothing', 'team', { is: 'exists' }, ''],
        ['equal', KEYS.text, { is: 'equal', values: ['Ada'] }, 'a'],
        ['equal to one of several', KEYS.text, { is: 'equal', values: ['Bob', 'ada', 'none'] }, 'ab'],
        ['equal to a star', KEYS.text, { is: 'equal', values: ['*'] }, 'c'],
        ['equal to odd characters', KEYS.text, { is: 'equal', values: ['Größe\u0000🚀'] }, 'c'],
        ['equal to nothing', KEYS.text, { is: 'equal', values: [''] }, 'e'],
        ['equal to a huge text', KEYS.text, { is: 'equal', values: [`${HUGE}two`] }, 'e'],
        ['equal, under an odd key', KEYS.odd, { is: 'equal', values: ['x'] }, 'a'],
        ['equal to a number', KEYS.rating, { is: 'equal', values: [10, 100] }, 'be'],
        ['equal to a fraction', KEYS.rating, { is: 'equal', values: [-3.5] }, 'b'],
        ['equal to zero, negative', KEYS.rating, { is: 'equal', values: [-0] }, 'c'],
        ['above', KEYS.rating, { is: 'range', from: { value: 5, inclusive: false } }, 'bde'],
        ['from', KEYS.rating, { is: 'range', from: { value: 5, inclusive: true } }, 'abde'],
        ['below', KEYS.rating, { is: 'range', to: { value: 0, inclusive: false } }, 'b'],
        ['to', KEYS.rating, { is: 'range', to: { value: 0, inclusive: true } }, 'bc'],
        [
          'between',
          KEYS.rating,
          { is: 'range', from: { value: 0, inclusive: false }, to: { value: 100, inclusive: false } },
          'ab',
        ],
        ['a range of texts', KEYS.text, { is: 'range', from: { value: 'Ada', inclusive: false } }, 'abcde'],
        ['a range of texts upwards', KEYS.text, { is: 'range', from: { value: 'M', inclusive: true } }, 'b'],
        ['same, exactly', KEYS.text, text('same', 'Ada', false), 'a'],
        ['same, in any case', KEYS.text, text('same', 'ADA', true), 'ab'],
        ['contains', KEYS.text, text('contains', 'd', false), 'ab'],
        ['contains, in any case', KEYS.text, text('contains', 'RÖS', true), ''],
        ['contains, in any case and accents', KEYS.text, text('contains', 'RÖß', true), 'c'],
        ['contains a long part of a huge text', KEYS.text, text('contains', HUGE.slice(2, 402), false), 'de'],
        [
          'contains it in any case',
          KEYS.text,
          text('contains', HUGE.slice(2, 402).toUpperCase(), true),
          'de',
        ],
        ['contains another long part', KEYS.text, text('contains', `ong? ${HUGE.slice(0, 400)}`, true), ''],
        ['contains a star', KEYS.text, text('contains', '*', true), 'c'],
        ['starts', KEYS.text, text('starts', 'A', false), 'a'],
        ['starts, in any case', KEYS.text, text('starts', 'A', true), 'ab'],
        ['ends', KEYS.text, text('ends', 'b', true), 'a'],
        ['of an expression', KEYS.text, { is: 'regexp', expression: 'a[a-d]A' }, 'ab'],
        ['of an expression, with any character', KEYS.text, { is: 'regexp', expression: 'größe.🚀' }, 'c'],
        ['of an expression, under an odd key', KEYS.odd, { is: 'regexp', expression: 'x|y' }, 'a'],
        ['of an expression, of the shorter key', KEYS.longer, { is: 'regexp', expression: '.*' }, 'c'],
        ['of an expression, numbers are none', KEYS.rating, { is: 'regexp', expression: '.*' }, ''],
        ['numbers are no texts', KEYS.rating, text('contains', '0', true), ''],
      ])('%s', async (_, key, how, expected) => {
        expect(await found({ op: 'and', nodes: [platform, test(key, how)] })).toBe(expected);
      });

      it('the negation of a test holds for all others', async () => {
        const node: QueryNode = { op: 'not', node: test(KEYS.text, { is: 'exists' }) };
        expect(await found({ op: 'and', nodes: [platform, node] })).toBe('f');
      });

      it('facets', async () => {
        const facet = (...fields: string[]) => ({ name: fields.join(), fields });
        const [rating, versioned, longer, nested] = (
          await index.search({
            ...base,
            filter: platform,
            count: 0,
            facets: [
              facet(fieldOf(KEYS.rating)),
              facet(fieldOf(KEYS.versioned)),
              facet(fieldOf(KEYS.longer)),
              facet('origin', fieldOf(KEYS.odd)),
            ],
          })
        ).facets;
        expect(rating!.values).toEqual(
          ['-3.5', '0', '10', '100', '1577836800000', '1e+21', '5'].map((value) => ({ value, count: 1 })),
        );
        expect(versioned!.values).toEqual([{ value: '7', count: 1 }]);
        expect(longer!.values).toEqual([{ value: 'Ada', count: 1 }]);
        expect(nested!.values).toEqual([
          { value: 'PROD', count: 6 },
          { value: 'PROD␞x', count: 1 },
        ]);
      });

      it.each([
        ['numbers upwards', KEYS.rating, false, 'bcaedf'],
        ['numbers downwards', KEYS.rating, true, 'debacf'],
        ['texts upwards', KEYS.text, false, 'ecadbf'],
      ])('sorts by them: %s', async (_, key, descending, expected) => {
        const sort = [{ field: fieldOf(key), descending }];
        const all = await index.search({ ...base, filter: platform, sort });
        const names = all.hits.map(({ urn }) => /,(\w),/.exec(urn)![1]).join('');
        expect(names).toBe(expected);
        let walked = '';
        for (let after: string | undefined; ;) {
          const page = await index.scroll({
            ...base,
            filter: platform,
            sort,
            count: 2,
            ...(after !== undefined && { after }),
          });
          walked += page.hits.map(({ urn }) => /,(\w),/.exec(urn)![1]).join('');
          after = page.next;
          if (after === undefined) break;
        }
        expect(walked).toBe(expected);
      });

      it('answers them, and says that they matched', async () => {
        const field = fieldOf(KEYS.text);
        const [hit] = (
          await index.search({
            ...base,
            query: test(KEYS.text, { is: 'equal', values: ['Bob'] }),
            matchedFields: true,
            fetch: [field, fieldOf(KEYS.rating)],
          })
        ).hits;
        expect(hit).toEqual({
          urn: urnOf('a'),
          entity: 'dataset',
          matchedFields: [{ name: field, value: 'Bob' }],
          fields: { [field]: ['Ada', 'Bob'], [fieldOf(KEYS.rating)]: [5] },
        });
      });
    });

    describe('as they change', () => {
      beforeEach(load);
      afterEach(() => index.close());

      it('facets of the values that are found most', async () => {
        const many = ['p', 'q', 'r'].flatMap((value, i) =>
          Array.from({ length: i + 1 }, (_, n) => document(`m${value}${n}`, { pick: [value, 'all'] })),
        );
        await index.upsert(many);
        const facets = [{ name: 'pick', fields: [fieldOf('pick')] }];
        const result = await index.search({ ...base, count: 0, facets, maxFacetValues: 3 });
        expect(result.facets[0]!.values).toEqual([
          { value: 'all', count: 6 },
          { value: 'r', count: 3 },
          { value: 'q', count: 2 },
        ]);
      });

      it('forgets those that a newer document does not have', async () => {
        await index.upsert([{ ...document('a', { [KEYS.rating]: [6] }), sequence: 2 }]);
        expect(await found({ op: 'and', nodes: [platform, test(KEYS.text, { is: 'exists' })] })).toBe('bcde');
        expect(await found(test(KEYS.rating, { is: 'equal', values: [5] }))).toBe('');
        expect(await found(test(KEYS.rating, { is: 'equal', values: [6] }))).toBe('a');
      });
    });
  });
}
