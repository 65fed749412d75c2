import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { schema } from '../../../../test/conformance/search-fixture.js';
import { CatalogError } from '../../errors/index.js';
import { allOf, anyOf, type FieldTest, type QueryNode, type TextWord } from '../search-query.js';
import type { SearchField } from '../search-schema.js';
import { isNameLike } from './query-ast.js';
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
    parseQueryString(text, { pointer: '/query' }),
    {
      lookup: (name) => (name === PROPERTY.name ? [PROPERTY] : schema.lookup(name, ['dataset'])),
      named: (pattern) =>
        [PROPERTY, ...schema.fields(['dataset']).values()].filter(({ name }) => isNameLike(name, pattern)),
      queried: schema.queried(['dataset']),
      now: Date.UTC(2024, 4, 15, 12),
    },
    '/query',
  );

const test = (field: string, what: FieldTest): QueryNode => ({ op: 'field', field, test: what });
const textOf = (text: string, ...words: TextWord[]): QueryNode => ({ op: 'text', text, words });
const times = (from: number, to: number, inclusive = true) =>
  test('createdAt', { is: 'range', from: { value: from, inclusive }, to: { value: to, inclusive } });
const REGEXP: TextWord = {
  parts: ['ord.*'],
  whole: 'ord.*',
  prefix: false,
  pattern: { is: 'regexp', expression: 'ord.*' },
};
/** Tokens have no accents. */
const LIKE: TextWord = {
  parts: ['*ört?'],
  whole: '*ört?',
  prefix: false,
  pattern: { is: 'like', pattern: '*ort?' },
};
const TAGS = ['tags', 'fieldTags', 'editedFieldTags'];
const word = (text: string, prefix = true) => ({ parts: [text], whole: text, prefix });

describe('query compiler', () => {
  it.each<[string, unknown]>([
    ['*', { op: 'all' }],
    ['user', { op: 'text', text: 'user', words: [word('user')] }],
    ['"user"', { op: 'text', text: 'user', words: [word('user', false)] }],
    ['db*', { op: 'text', text: 'db', words: [word('db')] }],
    ['usre~', { op: 'text', text: 'usre', words: [{ ...word('usre', false), edits: 1 }] }],
    [
      'name:/ord.*/',
      anyOf([
        allOf([textOf('ord.*', REGEXP), test('name', { is: 'words', words: [REGEXP] })]),
        test('name', { is: 'regexp', expression: 'ord.*' }),
      ]),
    ],
    [
      'tags:/p.i/',
      anyOf(
        TAGS.flatMap((field) =>
          ['p.i', 'urn:li:[^:]+:(p.i)'].map((expression) => test(field, { is: 'regexp', expression })),
        ),
      ),
    ],
    [
      'name:*ört?',
      anyOf([
        allOf([textOf('*ört?', LIKE), test('name', { is: 'words', words: [LIKE] })]),
        test('name', { is: 'like', pattern: '*ört?' }),
      ]),
    ],
    [
      '"a b"~3',
      { op: 'text', text: 'a b', words: [{ parts: ['a', 'b'], whole: 'ab', prefix: false, slop: 3 }] },
    ],
    ['"a"~3', { op: 'text', text: 'a', words: [word('a', false)] }],
    [
      'two_words~1',
      {
        op: 'text',
        text: 'two_words',
        words: [{ parts: ['two', 'words'], whole: 'twowords', prefix: false, edits: 1 }],
      },
    ],
    [
      'platform:urn\\:li\\:dataPlatform\\:hvie~1',
      test('platform', { is: 'near', text: 'urn:li:dataPlatform:hvie', edits: 1 }),
    ],
    ['createdAt:2024-01-01', times(Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 2) - 1)],
    ['createdAt:[2024-01-01 TO 2024-02-01]', times(Date.UTC(2024, 0, 1), Date.UTC(2024, 1, 2) - 1)],
    ['createdAt:{2024-01-01 TO 2024-02-01}', times(Date.UTC(2024, 0, 2) - 1, Date.UTC(2024, 1, 1), false)],
    ['createdAt:[now-1d/d TO now]', times(Date.UTC(2024, 4, 14), Date.UTC(2024, 4, 15, 12))],
    [
      'structuredProperties.\\*:>45',
      test(PROPERTY.name, { is: 'range', from: { value: 45, inclusive: false } }),
    ],
    ['createdA\\*:1', test('createdAt', { is: 'equal', values: [1] })],
    ['nonesuch.\\*:1', { op: 'none' }],
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
    'two\\ words~1',
    `urn:${'x'.repeat(300)}~1`,
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
