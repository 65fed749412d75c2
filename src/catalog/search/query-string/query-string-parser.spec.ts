import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { CatalogError } from '../../errors/index.js';
import { fieldNames, type BoundAst, type QueryAst } from './query-ast.js';
import { Automaton } from '../text/automaton.js';
import { parseQueryString } from './query-string-parser.js';

const parse = (text: string) => withoutPlaces(parseQueryString(text, { pointer: '/query' }));

function withoutPlaces(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'at' ? undefined : inner)));
}

const term = (text: string, field?: string) => ({ is: 'term', ...(field && { field }), text });
const and = (...parts: unknown[]) => ({ is: 'and', parts });
const or = (...parts: unknown[]) => ({ is: 'or', parts });
const no = (part: unknown) => ({ is: 'not', part });
const range = (field: string, from?: [string, boolean], to?: [string, boolean]) => ({
  is: 'range',
  field,
  ...(from && { from: { text: from[0], inclusive: from[1] } }),
  ...(to && { to: { text: to[0], inclusive: to[1] } }),
});
const URN = 'urn:li:dataset:(urn:li:dataPlatform:hive,db.t (x),PROD)';

const READS: Array<[text: string, tree: unknown]> = [
  ['', { is: 'everything' }],
  ['  ', { is: 'everything' }],
  ['*', { is: 'everything' }],
  ['*:*', { is: 'everything' }],
  ['orders', term('orders')],
  ['größe 订单 🚀', and(term('größe'), term('订单'), term('🚀'))],
  ['a b', and(term('a'), term('b'))],
  ['a AND b && c', and(term('a'), term('b'), term('c'))],
  ['a OR b || c', or(term('a'), term('b'), term('c'))],
  ['a b OR c', or(and(term('a'), term('b')), term('c'))],
  ['a AND b OR c AND d', or(and(term('a'), term('b')), and(term('c'), term('d')))],
  ['a AND (b OR c)', and(term('a'), or(term('b'), term('c')))],
  ['(a)(b)', and(term('a'), term('b'))],
  ['NOT a', no(term('a'))],
  ['a NOT b', and(term('a'), no(term('b')))],
  ['a -b +c !d', and(term('a'), no(term('b')), term('c'), no(term('d')))],
  ['NOT (a OR b)', no(or(term('a'), term('b')))],
  ['NOT NOT a', no(no(term('a')))],
  ['android order nothing', and(term('android'), term('order'), term('nothing'))],
  ['ANDROID', term('ANDROID')],
  ['\\AND', term('AND')],
  ['well-known a+b x!', and(term('well-known'), term('a+b'), term('x!'))],
  ['"a b"', { is: 'phrase', text: 'a b' }],
  ['"say \\"hi\\" \\\\"', { is: 'phrase', text: 'say "hi" \\' }],
  ['name:orders', term('orders', 'name')],
  ['name: orders', term('orders', 'name')],
  ['name:"big orders"', { is: 'phrase', field: 'name', text: 'big orders' }],
  ['name:(a OR b) c', and(or(term('a', 'name'), term('b', 'name')), term('c'))],
  ['name:(a title:b)', and(term('a', 'name'), term('b', 'title'))],
  ['tags:urn:li:tag:pii', term('urn:li:tag:pii', 'tags')],
  ['tags:urn\\:li\\:tag\\:pii', term('urn:li:tag:pii', 'tags')],
  ['tags:(urn:li:tag:a OR urn:li:tag:b)', or(term('urn:li:tag:a', 'tags'), term('urn:li:tag:b', 'tags'))],
  ['urn:li:tag:pii', term('urn:li:tag:pii')],
  [URN, term(URN)],
  [`urn:${URN} x`, and(term(URN, 'urn'), term('x'))],
  ['at:10:30', term('10:30', 'at')],
  ['customProperties:team=growth', term('team=growth', 'customProperties')],
  ['status:OR', term('OR', 'status')],
  ['a\\:b:c', term('c', 'a:b')],
  ['a\\ b', term('a b')],
  ['\\u0041\\u00e9', term('Aé')],
  ['\\ud83d\\ude80', term('🚀')],
  [
    'structuredProperties._versioned.io_acme_days.20240101000000.number:>45',
    range('structuredProperties._versioned.io_acme_days.20240101000000.number', ['45', false]),
  ],
  ['structuredProperties.io_acme_days:>45', range('structuredProperties.io_acme_days', ['45', false])],
  ['n:>=45', range('n', ['45', true])],
  ['n:<45', range('n', undefined, ['45', false])],
  ['n:<=-4.5e3', range('n', undefined, ['-4.5e3', true])],
  ['n:> 45', range('n', ['45', false])],
  ['n:>"2024-01-01T00:00:00Z"', range('n', ['2024-01-01T00:00:00Z', false])],
  ['n:>=2024-01-01T00:00:00Z', range('n', ['2024-01-01T00:00:00Z', true])],
  ['n:(>=10 AND <20)', and(range('n', ['10', true]), range('n', undefined, ['20', false]))],
  ['n:[1 TO 5]', range('n', ['1', true], ['5', true])],
  ['n:{1 TO 5}', range('n', ['1', false], ['5', false])],
  ['n:[1 TO 5}', range('n', ['1', true], ['5', false])],
  ['n:{1 TO 5]', range('n', ['1', false], ['5', true])],
  ['n:[* TO 5]', range('n', undefined, ['5', true])],
  ['n:{1 TO *}', range('n', ['1', false])],
  ['n:[* TO *]', { is: 'exists', field: 'n' }],
  ['n:["a b" TO "c\\"d"]', range('n', ['a b', true], ['c"d', true])],
  ['n:[-1 TO -0.5]', range('n', ['-1', true], ['-0.5', true])],
  ['n:[2024-01-01 TO 2024-12-31]', range('n', ['2024-01-01', true], ['2024-12-31', true])],
  ['_exists_:name', { is: 'exists', field: 'name' }],
  ['NOT _exists_:structuredProperties.a_b', no({ is: 'exists', field: 'structuredProperties.a_b' })],
  ['name:*', { is: 'exists', field: 'name' }],
  ['ord*', { is: 'pattern', pieces: [{ text: 'ord' }, { wildcard: '*' }] }],
  [
    'o?d*s',
    {
      is: 'pattern',
      pieces: [{ text: 'o' }, { wildcard: '?' }, { text: 'd' }, { wildcard: '*' }, { text: 's' }],
    },
  ],
  ['name:o*s', { is: 'pattern', field: 'name', pieces: [{ text: 'o' }, { wildcard: '*' }, { text: 's' }] }],
  ['o\\*s', term('o*s')],
  ['ordrs~', { is: 'term', text: 'ordrs', fuzziness: 'auto' }],
  ['ordrs~1 x', and({ is: 'term', text: 'ordrs', fuzziness: 1 }, term('x'))],
  ['a^2 (b OR c)^0.5 "d"^3', and(term('a'), or(term('b'), term('c')), { is: 'phrase', text: 'd' })],
  ['ordrs~2^4', { is: 'term', text: 'ordrs', fuzziness: 2 }],
  ['ordrs^4~2', { is: 'term', text: 'ordrs', fuzziness: 2 }],
  ['ordrs~7', { is: 'term', text: 'ordrs', fuzziness: 2 }],
  [
    'ordrs~0.8 x~1.5',
    and({ is: 'term', text: 'ordrs', fuzziness: 0 }, { is: 'term', text: 'x', fuzziness: 1 }),
  ],
  ['*orders', { is: 'pattern', pieces: [{ wildcard: '*' }, { text: 'orders' }] }],
  ['?', { is: 'pattern', pieces: [{ wildcard: '?' }] }],
  ['name:*a', { is: 'pattern', field: 'name', pieces: [{ wildcard: '*' }, { text: 'a' }] }],
  [
    '/ord.*s\\/x/ name:/[ab]+/^2.5',
    and({ is: 'expression', text: 'ord.*s\\/x' }, { is: 'expression', field: 'name', text: '[ab]+' }),
  ],
  ['//', { is: 'expression', text: '' }],
  ['/a/b', and({ is: 'expression', text: 'a' }, term('b'))],
  ['"a b"~', { is: 'phrase', text: 'a b' }],
  ['"a b"~3', { is: 'phrase', text: 'a b', slop: 3 }],
  ['"a b"~2.9', { is: 'phrase', text: 'a b', slop: 2 }],
  ['name:"a b"~3^2', { is: 'phrase', field: 'name', text: 'a b', slop: 3 }],
  ['"a b"^2~3', { is: 'phrase', text: 'a b', slop: 3 }],
  ['"a b"~999999999999', { is: 'phrase', text: 'a b', slop: 500_000 }],
  ['"a"b c"d"', and({ is: 'phrase', text: 'a' }, term('b'), term('c'), { is: 'phrase', text: 'd' })],
  ['f(x)', and(term('f'), term('x'))],
  ['book.\\*:(a OR b)', or(term('a', 'book.*'), term('b', 'book.*'))],
  ['*:a', term('a', '*')],
  ['_exists_:book.\\*', { is: 'exists', field: 'book.*' }],
  ['n:(+>=10 +<20)', and(range('n', ['10', true]), range('n', undefined, ['20', false]))],
  ['n:[1 TO 5]^2.5', range('n', ['1', true], ['5', true])],
  ['t:[now-1d/d TO now]', range('t', ['now-1d/d', true], ['now', true])],
  ['t:>2024-01-15||/M', range('t', ['2024-01-15||/M', false])],
];

const REFUSED: Array<[text: string, character: number]> = [
  ['(', 2],
  ['()', 2],
  ['(a', 1],
  ['a)', 2],
  ['"a', 1],
  ['name:"a', 6],
  ['a AND', 6],
  ['AND a', 1],
  ['a OR OR b', 6],
  ['NOT', 4],
  ['-', 2],
  ['a:', 3],
  ['a: )', 4],
  ['>5', 1],
  ['[1 TO 2]', 1],
  ['n:[1 TO', 6],
  ['n:[1 2]', 6],
  ['n:[1 TO 2', 3],
  ['n:[TO 2]', 4],
  ['n:>', 4],
  ['n:>5*', 4],
  ['a\\', 2],
  ['a*~', 3],
  ['a^', 3],
  ['a[b', 2],
  ['path:/prod', 6],
  ['a^2^3', 4],
  ['a~1~2', 4],
  ['_exists_:a*', 10],
  ['_exists_:', 10],
  ['tag*:x', 5],
  ['_exists_:(a)', 11],
  ['\\ud83d', 1],
  ['🚀 )', 3],
  ['urn:li:dataset:(a,b', 16],
  [`${'('.repeat(60)}a${')'.repeat(60)}`, 52],
  ['a '.repeat(1100), 2049],
  ['a'.repeat(20_000), 16_385],
];

describe('query string', () => {
  it.each(READS)('reads %j', (text, tree) => {
    expect(parse(text)).toEqual(tree);
  });

  it.each(REFUSED)('refuses %j, telling the place', (text, character) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'QUERY_SYNTAX',
        message: expect.stringMatching(new RegExp(`^query, character ${character}: `)) as unknown as string,
        errors: [expect.objectContaining({ pointer: '/query' })],
      }),
    );
  });

  it.each<[string, number]>([
    ['/a', 1],
    ['x /[]/', 4],
    ['name:/a(b/', 8],
    ['/a/~', 4],
  ])('refuses the expression %j, telling the place', (text, character) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({
        code: 'QUERY_SYNTAX',
        message: expect.stringMatching(new RegExp(`^query, character ${character}: `)) as unknown as string,
      }),
    );
  });

  it('makes automata only of patterns that may need many states', () => {
    const made = jest.spyOn(Automaton, 'of');
    parse(Array.from({ length: 500 }, (_, i) => `ta${i}*`).join(' OR '));
    expect(made).not.toHaveBeenCalled();
    parse('*ta?b*');
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
  });

  it('bounds what the patterns of one query take together', () => {
    const many = (count: number) => parse('/(a|b)*a(a|b){7}/ '.repeat(count));
    expect(() => many(10)).not.toThrow();
    expect(() => many(400)).toThrow(/take \d+ steps to read, more than 1000000/);
    expect(() => parse(`*a${'?'.repeat(12)}`)).toThrow(/an automaton of more than 1000 states/);
  });

  it('names the fields of a query', () => {
    const ast = parseQueryString('a b:c NOT (_exists_:d OR e:[1 TO 2]) f:(g h:i) b:x', {
      pointer: '',
    });
    expect([...fieldNames(ast)]).toEqual(['b', 'd', 'e', 'f', 'h']);
  });

  it('takes any text or refuses it, never anything else', () => {
    const pieces = fc.constantFrom(
      ...[
        'a',
        'b:',
        '(',
        ')',
        '"',
        '\\',
        ' ',
        'AND',
        'OR',
        'NOT',
        '[',
        ']',
        '{',
        '}',
        'TO',
        '*',
        '?',
        '~',
        '^',
        '>',
      ],
      ...[
        '=',
        '<',
        '/',
        '-',
        '+',
        '!',
        '&&',
        '||',
        '_exists_:',
        'urn:li:',
        '\\u0041',
        '\\ud800',
        '1',
        '🚀',
        '\u0000',
        '/a.*/',
      ],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        let ast: QueryAst;
        try {
          ast = parseQueryString(text, { pointer: '/query' });
        } catch (error) {
          expect(error).toBeInstanceOf(CatalogError);
          expect((error as CatalogError).code).toBe('QUERY_SYNTAX');
          return;
        }
        // What was read can be printed and read again.
        expect(parse(printQuery(ast))).toEqual(withoutPlaces(ast));
      }),
      { numRuns: 3000 },
    );
  });

  it('reads what it prints as the same query', () => {
    const field = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((name) => name !== '_exists_');
    const some = { field: fc.option(field, { nil: undefined }) };
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const bound = fc.record({ text, inclusive: fc.boolean() });
    const leaf = fc.oneof(
      fc.record({
        is: fc.constant('term'),
        ...some,
        text,
        fuzziness: fc.option(fc.constantFrom(0, 1, 2, 'auto'), { nil: undefined }),
      }),
      fc.record({
        is: fc.constant('phrase'),
        ...some,
        text: fc.string({ unit: 'grapheme' }),
        slop: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
      }),
      fc.record({
        is: fc.constant('pattern'),
        ...some,
        pieces: fc
          .tuple(text, fc.constantFrom('*', '?'), text)
          .map(([a, wildcard, b]) => [{ text: a }, { wildcard }, { text: b }]),
      }),
      fc.record({ is: fc.constant('exists'), field }),
      fc.record({ is: fc.constant('range'), field, from: bound, to: bound }),
      fc.record({ is: fc.constant('range'), field, to: bound }),
      fc.record({ is: fc.constant('range'), field, from: bound }),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, leaf, tie('not'), tie('many')),
      not: fc.record({ is: fc.constant('not'), part: tie('tree') }),
      many: fc.record({
        is: fc.constantFrom('and', 'or'),
        parts: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }),
      }),
    }));
    fc.assert(
      fc.property(tree, (ast) => {
        expect(parse(printQuery(ast as QueryAst))).toEqual(withoutPlaces(ast));
      }),
      { numRuns: 1000 },
    );
  });
});

/** The query as text that reads back to the same tree. */
function printQuery(ast: QueryAst): string {
  switch (ast.is) {
    case 'everything':
      return '*:*';
    case 'and':
    case 'or':
      return ast.parts.map(printPart).join(` ${ast.is.toUpperCase()} `);
    case 'not':
      return `NOT ${printPart(ast.part)}`;
    case 'exists':
      return `_exists_:${escapeField(ast.field)}`;
    case 'term': {
      const { fuzziness } = ast;
      const suffix = fuzziness === undefined ? '' : fuzziness === 'auto' ? '~' : `~${fuzziness}`;
      return prefix(ast.field) + escapeTerm(ast.text) + suffix;
    }
    case 'phrase':
      return `${prefix(ast.field)}"${ast.text.replace(/[\\"]/g, '\\$&')}"${ast.slop === undefined ? '' : `~${ast.slop}`}`;
    case 'pattern':
      return prefix(ast.field) + ast.pieces.map((p) => ('text' in p ? escape(p.text) : p.wildcard)).join('');
    case 'expression':
      return `${prefix(ast.field)}/${ast.text}/`;
    case 'range':
      return `${prefix(ast.field)}${ast.from?.inclusive === false ? '{' : '['}${bound(ast.from)} TO ${bound(ast.to)}${ast.to?.inclusive === false ? '}' : ']'}`;
  }
}

function printPart(ast: QueryAst): string {
  const text = printQuery(ast);
  return ast.is === 'and' || ast.is === 'or' ? `(${text})` : text;
}

function prefix(field: string | undefined): string {
  return field === undefined ? '' : `${escapeField(field)}:`;
}

function bound(end: BoundAst | undefined): string {
  return end ? `"${end.text.replace(/[\\"]/g, '\\$&')}"` : '*';
}

function escapeField(name: string): string {
  return name.replace(/[^\p{L}\p{N}_.$@#%]/gu, '\\$&');
}

function escapeTerm(text: string): string {
  const escaped = escape(text);
  return /^(AND|OR|NOT)$/.test(text) ? `\\${escaped}` : escaped;
}

function escape(text: string): string {
  return text.replace(/[\s+\-!(){}[\]^"~*?:\\/&|<>=]/g, '\\$&');
}
