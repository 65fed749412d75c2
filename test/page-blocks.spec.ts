import { describe, expect, it } from '@jest/globals';
import { printedBlocks, runnersOf, staleEntries, triedElsewhere } from './harness/page-blocks.js';

describe('what the pages print to be run', () => {
  const blocks = printedBlocks();

  it('is run by one spec, or stands in the list of what is tried elsewhere', () => {
    expect(blocks.length).toBeGreaterThan(130);
    const without = blocks.filter((block) => runnersOf(block).length !== (triedElsewhere(block) ? 0 : 1));
    expect(
      without.map(({ page, language, text }) => `${page} (${language}): ${text.split('\n')[0]}`),
    ).toEqual([]);
  });

  it('has a list without entries that nothing needs', () => {
    expect(staleEntries(blocks)).toEqual([]);
  });
});
