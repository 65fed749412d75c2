import { describe, expect, it } from '@jest/globals';
import { Parameters } from './parameters.js';

const read = (values: unknown) => Parameters.of(values);
const refusal = (code: string, pointer: string) =>
  expect.objectContaining({ code, errors: [expect.objectContaining({ pointer })] });

describe('Parameters', () => {
  it('reads by type, also from text', () => {
    const p = read({ text: 'x', n: 5, m: '7', yes: true, no: 'false', gone: null, way: 'UP', items: [1] });
    expect([p.text('text'), p.integer('n'), p.integer('m')]).toEqual(['x', 5, 7]);
    expect([p.flag('yes'), p.flag('no'), p.flag('gone')]).toEqual([true, false, undefined]);
    expect([p.word('way', ['UP', 'DOWN']), p.list('items'), p.optionalText('gone')]).toEqual([
      'UP',
      [1],
      undefined,
    ]);
  });

  it.each([null, 'x', 3, [], undefined])('refuses %j as a body', (body) => {
    expect(() => read(body)).toThrow(refusal('PARAMETER_INVALID', ''));
  });

  it('refuses names it does not know, and sees no inherited ones', () => {
    expect(() => Parameters.of({ asinc: true }, ['async'])).toThrow(refusal('PARAMETER_INVALID', '/asinc'));
    expect(read({}).get('constructor')).toBeUndefined();
  });

  it.each([-1, 1.5, '1.5', 'NaN', NaN, '', '9'.repeat(30), 2 ** 60, true, [1]])(
    'refuses the number %j',
    (n) => {
      expect(() => read({ n }).integer('n')).toThrow(refusal('PARAMETER_INVALID', '/n'));
    },
  );

  it.each([true, 'true', 'True', 'TRUE'])('reads the flag %j', (flag) => {
    expect(read({ flag }).flag('flag')).toBe(true);
  });

  it.each(['yes', 1, 'True!', ''])('refuses the flag %j', (flag) => {
    expect(() => read({ flag }).flag('flag')).toThrow(refusal('PARAMETER_INVALID', '/flag'));
  });

  it('names what is missing or misshapen', () => {
    expect(() => read({}).text('urn')).toThrow(refusal('PARAMETER_MISSING', '/urn'));
    expect(() => read({ urn: '' }).text('urn')).toThrow(refusal('PARAMETER_MISSING', '/urn'));
    expect(() => read({ urn: ['a', 'b'] }).text('urn')).toThrow('must be given once');
    expect(() => read({ urn: 'nonsense' }).urn('urn')).toThrow(refusal('URN_MALFORMED', '/urn'));
    expect(() => read({ way: 'LEFT' }).word('way', ['UP'])).toThrow('must be one of UP');
  });
});
