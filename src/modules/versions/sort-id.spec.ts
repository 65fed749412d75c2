import { expect, it } from '@jest/globals';
import { sortIdAfter } from './sort-id.js';

it.each([
  [undefined, 'AAAAAAAA'],
  ['AAAAAAAA', 'AAAAAAAB'],
  ['AAAAAAAZ', 'AAAAAABA'],
  ['AZZZZZZZ', 'BAAAAAAA'],
  ['ZZZZZZZZ', undefined],
  ['1.0', undefined],
])('after %s comes %s', (before, next) => {
  expect(sortIdAfter(before)).toBe(next);
});
