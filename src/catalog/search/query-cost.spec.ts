import { describe, expect, it } from '@jest/globals';
import { schema } from '../../../test/conformance/search-fixture.js';
import { checkCost, filterPrices, MAX_SEARCH_COST, nodePrice } from './query-cost.js';
import { compileFilter } from './query-compiler.js';
import { parseFilter } from './search-filter.js';
import type { QueryNode, TextWord } from './search-query.js';

const lookup = (name: string) => schema.lookup(name, ['dataset']);
const word = (whole: string, more: Partial<TextWord> = {}): TextWord => ({
  parts: [whole],
  whole,
  prefix: false,
  ...more,
});
const text = (...words: TextWord[]): QueryNode => ({ op: 'text', text: '', words });

describe('the cost of a search', () => {
  it('is higher the more an engine has to look at', () => {
    const prices = [
      { op: 'all' } as const,
      { op: 'field', field: 'name', test: { is: 'exists' } } as const,
      { op: 'field', field: 'name', test: { is: 'range' } } as const,
      text(word('orders')),
      text(word('orders', { prefix: true })),
      { op: 'field', field: 'name', test: { is: 'like', pattern: 'o*s' } } as const,
      { op: 'field', field: 'name', test: { is: 'regexp', expression: 'o.*s' } } as const,
      text(word('orders', { edits: 1 })),
    ].map(nodePrice);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(new Set(prices).size).toBe(prices.length);
  });

  it('adds up over a tree, on both sides of NOT', () => {
    const part = text(word('orders'));
    const tree: QueryNode = {
      op: 'and',
      nodes: [part, { op: 'not', node: { op: 'or', nodes: [part, part] } }],
    };
    expect(nodePrice(tree)).toBe(3 * nodePrice(part));
  });

  it('is the same for a filter as it is sent and as it is compiled', () => {
    for (const condition of [
      'EQUAL',
      'CONTAIN',
      'START_WITH',
      'END_WITH',
      'IEQUAL',
      'GREATER_THAN',
      'EXISTS',
    ]) {
      const filter = parseFilter(
        { or: [{ and: [{ field: 'fieldTags', condition, values: ['a', 'b'] }] }] },
        '',
      );
      const sent = [...filterPrices(filter, lookup)].reduce((sum, { cost }) => sum + cost, 0);
      const compiled = nodePrice(compileFilter(filter, lookup));
      expect(Math.abs(sent - compiled)).toBeLessThan(1);
    }
  });

  it('names the dearest part, the limit and the figure', () => {
    const cheap = { cost: 2, what: 'the query', pointer: '/input' };
    const dear = { cost: MAX_SEARCH_COST, what: 'a filter', pointer: '/filter' };
    expect(() => checkCost([cheap])).not.toThrow();
    expect(() => checkCost([cheap, dear, cheap])).toThrow(
      expect.objectContaining({
        code: 'SEARCH_TOO_COSTLY',
        errors: [
          {
            pointer: '/filter',
            message: `this search costs 10004, more than the 10000 that one may cost; a filter costs 10000 of it`,
          },
        ],
      }),
    );
  });
});
