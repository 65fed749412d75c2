import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { isSealed, keyOf, open, seal } from './sealing.js';

const KEY = keyOf(randomBytes(32));
const OWNER = 'urn:li:dataHubConnection:a';

it('opens what was sealed, with the same key and for the same entity only', () => {
  const sealed = seal('pässword', OWNER, KEY);
  expect(isSealed(sealed)).toBe(true);
  expect(sealed).not.toContain('ssword');
  expect(open(sealed, OWNER, KEY)).toBe('pässword');
  expect(open(sealed, 'urn:li:dataHubConnection:b', KEY)).toBeUndefined();
  expect(open(sealed, OWNER, keyOf('another'))).toBeUndefined();
  expect(open(sealed.slice(0, -2), OWNER, KEY)).toBeUndefined();
  expect(open('sealed:1:', OWNER, KEY)).toBeUndefined();
});

it('seals the same text differently each time', () => {
  expect(seal('x', OWNER, KEY)).not.toBe(seal('x', OWNER, KEY));
  expect(isSealed('{"token": "x"}')).toBe(false);
});
