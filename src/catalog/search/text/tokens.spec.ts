import { describe, expect, it } from '@jest/globals';
import { chunksOf, indexText, indexTokens, lastPieceToken, partTokens, wholeToken } from './tokens.js';

describe('tokens', () => {
  it.each([
    ['fct_users_created', ['fct', 'users', 'created']],
    ['FctUsersCreated', ['fct', 'users', 'created']],
    ['fct-users.created/v2', ['fct', 'users', 'created', 'v', '2']],
    ['HTTPServer2Go', ['http', 'server', '2', 'go']],
    ['iOS', ['i', 'os']],
    ['Größe ÅNGSTRÖM', ['grosse', 'angstrom']],
    ['ÆbleTærte ÆRØ', ['aeble', 'taerte', 'aero']],
    ['हिन्दी データ ﾊﾞｽ', ['हिन्दी', 'デ', 'ー', 'タ', 'バ', 'ス']],
    ['ข้อมูล عَرَبِيّ 1️⃣', ['ข้อมูล', 'عربي', '1']],
    ['naïve café e\u0301', ['naive', 'cafe', 'e']],
    ['用户orders订单', ['用', '户', 'orders', '订', '单']],
    ['한국어', ['한국어']],
    ['done 🚀🎉', ['done', '🚀', '🎉']],
    ['ﬁle № １２', ['file', 'no', '12']],
    ['"\'()[]{}:;,.-_*?!%$', []],
    ['\u0000\ud800\n\t', []],
    ['', []],
  ])('cuts %j into parts', (text, parts) => {
    expect(partTokens(text)).toEqual(parts);
  });

  it('keeps phrases together and adds compounds at the end', () => {
    expect(indexTokens('the fct_usersCreated table')).toEqual([
      'the',
      'fct',
      'users',
      'created',
      'table',
      'fctuserscreated',
      'userscreated',
    ]);
  });

  it('leaves out the heads of URNs', () => {
    expect(partTokens('urn:li:dataset:(urn:li:dataPlatform:kafka,Orders,PROD)')).toEqual([
      'kafka',
      'orders',
      'prod',
    ]);
    expect(partTokens('urn:li:tag:Legacy')).toEqual(['legacy']);
  });

  it('makes one token of a name and of its last piece', () => {
    expect(wholeToken('db.Public-users_2')).toBe('dbpublicusers2');
    expect(lastPieceToken('db.public.users')).toBe('users');
    expect(lastPieceToken('shop/orders_1')).toBe('orders1');
    expect(wholeToken('---')).toBe('');
  });

  it('cuts texts of ASCII characters alone as it cuts all others', () => {
    const some = [
      'a',
      'b',
      'Z',
      'Y',
      '7',
      '0',
      '_',
      '.',
      '-',
      ' ',
      'on a ',
      '\n',
      '\u0000',
      'urn:li:tag:',
      ':li:',
    ];
    let seed = 1;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const long = ['x', 'X', '9', 'Xx'].map((text) => text.repeat(200));
    const texts = Array.from({ length: 3_000 }, () =>
      Array.from({ length: next(14) }, () => some[next(some.length)]).join(''),
    );
    for (const text of [...texts, ...long, ...long.map((word) => `a.${word}B c`)]) {
      // Another character, in a piece of its own, makes it take the other way.
      const other = `é ${text}`;
      expect(indexTokens(text)).toEqual(indexTokens(other).slice(1));
      expect(indexText(text)).toBe(indexText(other).slice(2));
      expect(chunksOf(text)).toEqual(chunksOf(other).slice(1));
      expect(wholeToken(text)).toBe(partTokens(text).join('').slice(0, 128));
    }
  });

  it('takes long input in one go', () => {
    const tokens = indexTokens('aB'.repeat(50_000));
    expect(tokens.length).toBeLessThan(110_000);
    expect(chunksOf('x'.repeat(1_000_000))[0]!.whole).toHaveLength(128);
  });

  it.each([
    ['letters', 'x'],
    ['capitals', 'X'],
    ['digits', '7'],
    ['letters beyond 16 bits', '𐐨'],
    ['the head of a URN without an end', 'urn:li:x', 'x'],
    ['blanks', 'x', ' '],
    ['signs', 'xY', '-'],
  ])('takes as much text as a body can hold: %s', (_, begin, repeated = begin) => {
    const [token] = indexTokens(`${begin}${repeated.repeat(8 * 1024 * 1024)}x`).slice(-1);
    expect(token!.length).toBeLessThanOrEqual(128);
  });

  it('takes as many tokens as a body can hold', () => {
    expect(indexTokens('字'.repeat(1_000_000)).length).toBeGreaterThan(1_000_000);
  });

  it('cuts words of any length in the same way', () => {
    for (const length of [9_999, 10_000, 10_001, 25_000]) {
      const texts: Array<[string, string[]]> = [
        ['7', ['7']],
        ['x', ['x']],
        ['X', ['x']],
      ];
      for (const [sign, [token]] of texts) {
        expect(partTokens(`${sign.repeat(length)}9Ab`)).toEqual(
          sign === '7' ? ['7'.repeat(128), 'ab'] : [token!.repeat(128), '9', 'ab'],
        );
        expect(partTokens(`9${sign.repeat(length)}Ab`).at(-1)).toBe('ab');
      }
    }
  });
});
