import { describe, expect, it } from '@jest/globals';
import { schema } from '../../../test/conformance/search-fixture.js';
import { compileFilter, compileInput, textWords } from './query-compiler.js';
import { parseFilter } from './search-filter.js';

const lookup = (name: string) => schema.lookup(name, ['dataset']);
const compile = (filter: unknown) => compileFilter(parseFilter(filter, '/filter'), lookup);
const one = (criterion: Record<string, unknown>) => compile({ or: [{ and: [criterion] }] });
const equal = (field: string, ...values: unknown[]) => ({
  op: 'field',
  field,
  test: { is: 'equal', values },
});

describe('filter', () => {
  it.each([undefined, null, {}, { or: null }, { criteria: null }, { or: [] }])(
    '%j is no filter',
    (filter) => {
      expect(compile(filter)).toEqual({ op: 'all' });
    },
  );

  it('is an or of ands; the old form is one and', () => {
    const a = { field: 'owners', values: ['x'] };
    const b = { field: 'origin', value: 'PROD', condition: 'EQUAL' };
    const tree = { op: 'and', nodes: [equal('owners', 'x'), equal('origin', 'PROD')] };
    expect(compile({ or: [{ and: [a, b] }, { and: [a] }] })).toEqual({
      op: 'or',
      nodes: [tree, equal('owners', 'x')],
    });
    expect(compile({ criteria: [a, b] })).toEqual(tree);
    expect(compile({ or: [{ and: [] }] })).toEqual({ op: 'all' });
  });

  it('takes the values of either form, as text', () => {
    expect(one({ field: 'owners', value: '', values: ['a', 1, true] })).toEqual(
      equal('owners', 'a', '1', 'true'),
    );
    expect(one({ field: 'owners', value: '' })).toEqual(equal('owners', ''));
    expect(one({ field: 'owners', values: [] })).toEqual({ op: 'none' });
    expect(one({ field: 'createdAt', values: ['12', 13] })).toEqual(equal('createdAt', 12, 13));
    expect(one({ field: 'removed', values: ['TRUE', '1'] })).toEqual(equal('removed', true));
  });

  it('negates, and knows the opposite of EXISTS', () => {
    const exists = { op: 'field', field: 'owners', test: { is: 'exists' } };
    expect(one({ field: 'owners', condition: 'EXISTS' })).toEqual(exists);
    expect(one({ field: 'owners', condition: 'IS_NULL' })).toEqual({ op: 'not', node: exists });
    expect(one({ field: 'owners', condition: 'IS_NULL', negated: true })).toEqual(exists);
  });

  it('never matches a field that nobody knows', () => {
    expect(one({ field: 'nonesuch', values: ['x'] })).toEqual({ op: 'none' });
    expect(one({ field: 'nonesuch', values: ['x'], negated: true })).toEqual({ op: 'all' });
    expect(one({ field: '__proto__', values: ['x'] })).toEqual({ op: 'none' });
  });

  it('reads bounds as what the field holds', () => {
    expect(one({ field: 'createdAt', condition: 'GREATER_THAN', values: ['1970-01-01T00:00:01Z'] })).toEqual({
      op: 'field',
      field: 'createdAt',
      test: { is: 'range', from: { value: 1000, inclusive: false } },
    });
    expect(one({ field: 'id', condition: 'LESS_THAN_OR_EQUAL_TO', values: ['m'] })).toEqual({
      op: 'field',
      field: 'id',
      test: { is: 'range', to: { value: 'm', inclusive: true } },
    });
  });

  it.each([
    ['x', '/filter'],
    [[], '/filter'],
    [{ and: [] }, '/filter/and'],
    [{ or: {} }, '/filter/or'],
    [{ or: [{}] }, '/filter/or/0'],
    [{ or: [null] }, '/filter/or/0'],
    [{ or: [{ and: [null] }] }, '/filter/or/0/and/0'],
    [{ or: [{ and: [{}] }] }, '/filter/or/0/and/0/field'],
    [{ or: [{ and: [{ field: 1, values: [] }] }] }, '/filter/or/0/and/0/field'],
    [{ or: [{ and: [{ field: 'a' }] }] }, '/filter/or/0/and/0/values'],
    [{ or: [{ and: [{ field: 'a', values: 'x' }] }] }, '/filter/or/0/and/0/values'],
    [{ or: [{ and: [{ field: 'a', values: ['x', {}] }] }] }, '/filter/or/0/and/0/values/1'],
    [{ or: [{ and: [{ field: 'a', values: ['x'], condition: 'LIKE' }] }] }, '/filter/or/0/and/0/condition'],
    [{ or: [{ and: [{ field: 'a', values: ['x'], negated: 'no' }] }] }, '/filter/or/0/and/0/negated'],
    [{ or: [{ and: [{ field: 'a', values: ['x'], conditon: 'EQUAL' }] }] }, '/filter/or/0/and/0/conditon'],
    [{ criteria: [{ field: '' }] }, '/filter/criteria/0/field'],
    [{ or: [{ and: [{ field: 'createdAt', values: ['12', 'x'] }] }] }, '/filter/or/0/and/0/values/1'],
    [{ or: [{ and: [{ field: 'createdAt', value: 'x' }] }] }, '/filter/or/0/and/0/value'],
    [
      { or: [{ and: [{ field: 'createdAt', condition: 'LESS_THAN', values: ['x'] }] }] },
      '/filter/or/0/and/0/values/0',
    ],
    [{ criteria: Array(1025).fill({ field: 'a', values: [] }) }, '/filter'],
  ])('refuses %j at %s', (filter, pointer) => {
    expect(() => compile(filter)).toThrow(
      expect.objectContaining({ code: 'FILTER_INVALID', errors: [expect.objectContaining({ pointer })] }),
    );
  });
});

describe('input', () => {
  it.each(['*', '', '  ', ' * '])('%j is everything', (input) => {
    expect(compileInput(input, lookup)).toEqual({ op: 'all' });
  });

  it('is an exact value when it names a field', () => {
    expect(compileInput('origin:PROD', lookup)).toMatchObject({ op: 'field', field: 'origin' });
    expect(compileInput('createdAt:12', lookup)).toEqual(equal('createdAt', 12));
    expect(compileInput('hasOwners:true', lookup)).toEqual(equal('hasOwners', true));
    expect(compileInput('name:"two words"', lookup)).toMatchObject({ test: { text: 'two words' } });
    expect(compileInput('urn:urn:li:tag:x', lookup)).toEqual(equal('urn', 'urn:li:tag:x'));
  });

  it.each(['urn:li:tag:x', 'nonesuch:x', 'name:', ':x', 'a b:c', 'constructor:x'])('is text: %j', (input) => {
    expect(compileInput(input, lookup)).toMatchObject({ op: 'text', text: input });
  });

  it.each(['"', '""', '---', '()', '\u0000', '\ud800'])('%j has no words and finds nothing', (input) => {
    expect(compileInput(input, lookup)).toEqual({ op: 'none' });
  });

  it('cuts words, phrases and prefixes', () => {
    expect(textWords('FctUsers "by day" db* x1 a')).toEqual([
      { parts: ['fct', 'users'], whole: 'fctusers', prefix: true },
      { parts: ['by', 'day'], whole: 'byday', prefix: false },
      { parts: ['db'], whole: 'db', prefix: true },
      { parts: ['x', '1'], whole: 'x1', prefix: false },
      { parts: ['a'], whole: 'a', prefix: false },
    ]);
    expect(textWords('users users')).toHaveLength(1);
  });
});
