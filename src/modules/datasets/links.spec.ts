import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkUrl } from './links.js';

const isTaken = (url: string): boolean => {
  try {
    checkUrl(url, '/at');
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'PARAMETER_INVALID', errors: [{ pointer: '/at' }] });
    return false;
  }
};

describe('checkUrl', () => {
  it.each([
    'https://example.com',
    'HTTPS://EXAMPLE.com/Path?q=1#frag',
    'http://localhost:8080/a%20b',
    'ftp://files.example.com/x.csv',
    'mailto:team@example.com?subject=Orders',
    'https://bücher.example/ä',
  ])('takes %s', (url) => expect(isTaken(url)).toBe(true));

  it('takes nothing that a browser would open as something else', () => {
    const schemes = fc.constantFrom(
      'javascript',
      'JaVaScRiPt',
      'data',
      'vbscript',
      'file',
      'blob',
      'about',
      'http',
      '',
    );
    const blanks = fc.constantFrom('', ' ', '\n', '\t', '\u0000', '\u00a0', '\u200b');
    fc.assert(
      fc.property(
        fc.tuple(blanks, schemes, blanks, fc.constantFrom(':', '', '&colon;'), fc.string()),
        (parts) => {
          const url = parts.join('');
          if (isTaken(url)) expect(['http:', 'https:', 'ftp:', 'mailto:']).toContain(new URL(url).protocol);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
