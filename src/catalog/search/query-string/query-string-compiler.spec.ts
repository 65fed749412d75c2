import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { schema } from '../../../../test/conformance/search-fixture.js';
import { CatalogError } from '../../errors/index.js';
import type { SearchField } from '../search-schema.js';
import { compileQuery } from './query-string-compiler.js';
import { parseQueryString } from './query-string-parser.js';

const PROPERTY: SearchField = {
  name: 'structuredProperties.io_acme_days',
  kind: 'DOUBLE',
  queryByDefault: false,
  autocomplete: false,
  facet: false,
  boost: 1,
  presence: false,
};

const compile = (text: string) =>
  compileQuery(
    parseQueryString(text, { leadingWildcards: true, regularExpressions: true, pointer: '/query' }),
    {
      lookup: (name) => (name === PROPERTY.name ? [PROPERTY] : schema.lookup(name, ['dataset'])),
      queried: schema.queried(['dataset']),
    },
    '/query',
  );

const test = (field: string, what: Record<string, unknown>) => ({ op: 'field', field, test: what });
const word = (text: string, prefix = true) => ({ parts: [text], whole: text, prefix });

describe('query compiler', () => {
  it.each<[string, unknown]>([
    ['*', { op: 'all' }],
    ['user', { op: 'text', text: 'user', words: [word('user')] }],
    ['"user"', { op: 'text', text: 'user', words: [word('user', false)] }],
    ['db*', { op: 'text', text: 'db', words: [word('db')] }],
    ['usre~', { op: 'text', text: 'usre', words: [{ ...word('usre', false), edits: 1 }] }],
    ['name:/ord.*/', test('name', { is: 'regexp', expression: 'ord.*' })],
    ['NOT a', { op: 'not', node: { op: 'text', text: 'a', words: [word('a', false)] } }],
    ['nonesuch:a', { op: 'none' }],
    ['NOT nonesuch:a', { op: 'all' }],
    ['origin:PROD', test('origin', { is: 'words', words: [word('prod')] })],
    ['_entityType:dataset', test('_entityType', { is: 'equal', values: ['DATASET'] })],
    ['platform:hive', test('platform', { is: 'ends', text: ':hive', ignoreCase: false })],
    ['platform:hi*', test('platform', { is: 'like', pattern: '*:hi*' })],
    ['createdAt:[* TO 5}', test('createdAt', { is: 'range', to: { value: 5, inclusive: false } })],
    [
      'structuredProperties.io_acme_days:>45',
      test(PROPERTY.name, { is: 'range', from: { value: 45, inclusive: false } }),
    ],
    ['structuredProperties.io_acme_days:30.0', test(PROPERTY.name, { is: 'equal', values: [30] })],
    ['_exists_:structuredProperties.io_acme_days', test(PROPERTY.name, { is: 'exists' })],
  ])('compiles %s', (text, tree) => {
    expect(compile(text)).toEqual(tree);
  });

  it.each([
    'createdAt:soon',
    'createdAt:>soon',
    'structuredProperties.io_acme_days:many',
    'structuredProperties.io_acme_days:4*',
    'structuredProperties.io_acme_days:4~',
    'deprecated:maybe',
    'deprecated:>false',
    'deprecated:t*',
    'platform:hive~',
    'two_words~1',
  ])('refuses %s, for what the field holds', (text) => {
    expect(() => compile(text)).toThrow(
      expect.objectContaining({
        code: 'FILTER_INVALID',
        errors: [expect.objectContaining({ pointer: '/query' })],
      }),
    );
  });

  it('compiles or refuses any query, never anything else', () => {
    const piece = fc.constantFrom(
      ...[
        'name:',
        'createdAt:',
        'tags:',
        'deprecated:',
        'urn:',
        'NOT ',
        '(',
        ')',
        ' ',
        '5',
        'x_y',
        '*',
        '~',
        '"a b"',
      ],
      ...['>', '[1 TO 2]', '🚀', '%', '\u0000', 'İ', '\\*', '2024-01-01'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          compile(pieces.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(CatalogError);
          expect(['QUERY_SYNTAX', 'FILTER_INVALID']).toContain((error as CatalogError).code);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
