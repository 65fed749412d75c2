import { describe, expect, it } from '@jest/globals';
import { readWriteHeaders } from './write-headers.js';

const read = (headers: Record<string, string>) => readWriteHeaders(headers, '/0');

describe('the headers of a write', () => {
  it('ask for nothing when they are about something else', () => {
    expect(read({ 'content-type': 'application/json', accept: '*/*' })).toEqual({});
  });

  it('hold conditions, each with its place in the request', () => {
    const { conditions } = read({
      'if-match': '"1.a", "2.b"',
      'if-none-match': '*',
      'if-version-match': '-1',
      'if-modified-since': '2026-01-31T12:00:00.000Z',
      'if-unmodified-since': '2026-01-31T13:00:00+01:00',
    });
    const time = Date.UTC(2026, 0, 31, 12);
    expect(conditions).toEqual([
      { kind: 'match', tags: ['1.a', '2.b'], pointer: '/headers/If-Match' },
      { kind: 'noneMatch', tags: '*', pointer: '/headers/If-None-Match' },
      { kind: 'version', version: -1, pointer: '/headers/If-Version-Match' },
      { kind: 'modifiedSince', time, pointer: '/headers/If-Modified-Since' },
      { kind: 'unmodifiedSince', time, pointer: '/headers/If-Unmodified-Since' },
    ]);
  });

  it.each([
    ['true', true],
    ['FALSE', false],
  ])('say whether to wait for the index: %s', (text, waitForIndex) => {
    expect(read({ 'x-datahub-sync-index-update': text })).toEqual({ waitForIndex });
  });

  it.each([
    ['if-match', '1.a', 'If-Match'],
    ['if-version-match', 'two', 'If-Version-Match'],
    ['if-modified-since', 'yesterday', 'If-Modified-Since'],
    ['if-unmodified-since', '2026-02-30T00:00:00Z', 'If-Unmodified-Since'],
    ['if-range', '"a"', 'if-range'],
    ['x-datahub-sync-index-update', 'soon', 'X-DataHub-Sync-Index-Update'],
  ])('are refused, not ignored, when they cannot be read: %s: %s', (name, text, place) => {
    expect(() => read({ [name]: text })).toThrow(
      expect.objectContaining({
        code: 'PARAMETER_INVALID',
        errors: [expect.objectContaining({ pointer: `/0/headers/${place}` })],
      }),
    );
  });
});
