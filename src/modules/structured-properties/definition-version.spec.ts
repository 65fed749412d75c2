import { describe, expect, it } from '@jest/globals';
import { versionFault } from './definition-version.js';

const NOW = Date.parse('2026-03-01T12:00:00Z');

describe('versionFault', () => {
  it.each(['20260301120000', '20260302120000', '20240229235959', '19700101000000'])('takes %s', (version) => {
    expect(versionFault(version, NOW)).toBeUndefined();
  });

  it.each(['', '2026030112000', '202603011200000', '2026-03-01', '２０２６0301120000', '20260301120000\n'])(
    'refuses %j, which has another form',
    (version) => expect(versionFault(version, NOW)).toContain('Must match [0-9]{14}'),
  );

  it.each([
    '20260229000000',
    '20260431000000',
    '20261301000000',
    '20260301240000',
    '20260301126000',
    '99999999999999',
  ])('refuses %s, which no calendar has', (version) =>
    expect(versionFault(version, NOW)).toContain('must be a date and time'),
  );

  it.each(['20260302120001', '99991231235959'])('refuses %s, which is more than a day ahead', (version) => {
    expect(versionFault(version, NOW)).toContain(
      'ahead of the clock of the service, which says 2026-03-01T12:00',
    );
  });
});
