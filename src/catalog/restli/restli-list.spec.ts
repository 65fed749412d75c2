import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { listParameter, queryOf } from './restli-list.js';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:kafka,db.t,PROD)';
/** What a client does to one item of a list: everything that has a meaning is percent-encoded. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[()']/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

describe('listParameter', () => {
  it.each<[string, string[] | undefined]>([
    ['', undefined],
    ['x=1', undefined],
    ['aspects=List(status)', ['status']],
    ['aspects=List(status,ownership)', ['status', 'ownership']],
    ['aspects=List()', []],
    ['a=1&aspects=List(status)&b=2', ['status']],
    ['aspects=status', ['status']],
    ['aspects=status&aspects=ownership', ['status', 'ownership']],
    ['aspects=List(a,b)&aspects=c', ['a', 'b', 'c']],
    ['aspects=List%28a%2Cb%29', ['a', 'b']],
    [`aspects=List(${encode(DATASET)},${encode('urn:li:tag:x')})`, [DATASET, 'urn:li:tag:x']],
    [`aspects=List(${DATASET},${DATASET})`, [DATASET, DATASET]],
    [`aspects=${DATASET}`, [DATASET]],
    [`aspects=${encode(DATASET)}`, [DATASET]],
    ['aspects=List(urn%3Ali%3Atag%3Aa%2Cb)', ['urn:li:tag:a,b']],
    ['aspects=List(a+b,c%2Bd)', ['a b', 'c+d']],
    ['aspects=List(%C3%A4)', ['ä']],
    ['%61spects=List(a)', ['a']],
  ])('reads %s', (query, expected) => {
    expect(listParameter(query, 'aspects')).toEqual(expected);
  });

  it.each([
    ['aspects=List(a', 'closing parenthesis is missing'],
    ['aspects=List((a)', 'closing parenthesis is missing'],
    ['aspects=List(a)b', 'text after'],
    ['aspects=List(a,,b)', 'empty'],
    ['aspects=List(a,)', 'empty'],
    ['aspects=List(,a)', 'empty'],
    ['aspects=List(%ff)', 'percent sign'],
    ['aspects=%', 'percent sign'],
  ])('refuses %s', (query, reason) => {
    expect(() => listParameter(query, 'aspects')).toThrow(reason);
    expect(() => listParameter(query, 'aspects')).toThrow(
      expect.objectContaining({ code: 'PARAMETER_INVALID' }),
    );
  });

  it('gives back whatever a client has encoded', () => {
    const texts = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 8 });
    fc.assert(
      fc.property(texts, (values) => {
        expect(listParameter(`x=1&v=List(${values.map(encode).join(',')})`, 'v')).toEqual(values);
      }),
    );
  });

  it('reads repeated plain parameters as a list', () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme' }).filter((s) => !s.startsWith('List(')),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, (values) => {
        expect(listParameter(values.map((v) => `v=${encode(v)}`).join('&'), 'v')).toEqual(values);
      }),
    );
  });

  it('never fails with anything but a clear refusal', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          listParameter(`v=List(${text}`, 'v');
        } catch (error) {
          expect(error).toMatchObject({ code: 'PARAMETER_INVALID' });
        }
      }),
    );
  });
});

describe('queryOf', () => {
  it.each([
    ['/a', ''],
    ['/a?b=c', 'b=c'],
    ['/a?b=c?d', 'b=c?d'],
    ['/a?b=c#d', 'b=c'],
  ])('of %s is %s', (target, expected) => expect(queryOf(target)).toBe(expected));
});
