import { expect, it, jest } from '@jest/globals';
import { createProgress } from './progress.js';

it('tells logs how much is done, how fast, and when it ends', async () => {
  const said: string[] = [];
  const terminal = { out: () => undefined, err: (line: string) => void said.push(line), interactive: false };
  jest.useFakeTimers({ now: Date.parse('2026-01-01T00:00:00Z') });
  try {
    const progress = await createProgress(400, terminal, 'lines');
    jest.advanceTimersByTime(10_000);
    progress.update(100, 1000);
    // A line every few seconds only.
    progress.update(101, 1010);
    progress.stop();
  } finally {
    jest.useRealTimers();
  }
  expect(said).toEqual(['1000 lines, 25 %, ends about 2026-01-01T00:00:40Z, 100/s']);
});
