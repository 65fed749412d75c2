import { describe, expect, it } from '@jest/globals';
import type { Principal } from '../../catalog/auth/index.js';
import type { ChangeFeed, FeedCursor, PrintedPage } from '../change-log/index.js';
import { FeedPrinter } from './feed-printer.js';
import { FeedRuns } from './feed-runs.js';
import type { FeedQuery } from './feed-events.service.js';

const LOG = 1_000;
const PRINCIPAL = { urn: 'urn:li:corpuser:reader', privileges: 'all' } as unknown as Principal;
const query = (position: number, limit: number): FeedQuery => ({
  topic: 'MetadataChangeLog_Versioned_v1',
  filter: { entityTypes: [], aspects: [], urns: [], categories: [] },
  cursor: { position, skip: 0, mark: '' },
  limit,
});
const nextRound = () => new Promise((resolve) => setImmediate(resolve));

/** A log whose prints end when they are told to. */
function printing() {
  const asked: Array<{ from: number; to: number; done: () => void }> = [];
  const feed = {
    newest: () => Promise.resolve(LOG),
    printed: ({ position }: FeedCursor, limit: number) => {
      const entries = Math.min(limit, LOG - position);
      const last = position + entries;
      const page = {
        ...{ entries, last, size: entries, bytes: Buffer.from('\n1'.repeat(entries)), kinds: [], silent: [] },
        ...{ cursor: { position: last, skip: 0, mark: '' }, more: last < LOG },
      };
      return new Promise<PrintedPage>((resolve) =>
        asked.push({ from: position, to: last, done: () => resolve(page) }),
      );
    },
  } as unknown as ChangeFeed;
  const printer = new FeedPrinter(feed, {} as never, {} as never, {} as never, new FeedRuns());
  return { asked, printer };
}

describe('printing ahead', () => {
  it('asks for the next runs before one is printed, in order, each entry once, for several readers', async () => {
    const { asked, printer } = printing();
    const readers = [0, 0, 20].map((position) => printer.prepare(PRINCIPAL, query(position, 50)));
    await nextRound();
    await nextRound();
    expect(asked.length).toBeGreaterThan(1);
    for (let i = 0; i < asked.length; i += 1) {
      asked[i]!.done();
      await nextRound();
      await nextRound();
    }
    await Promise.all(readers);
    const begins = asked.map(({ from }) => from);
    expect(begins).toEqual([0, ...asked.slice(0, -1).map(({ to }) => to)]);
    // Three pages, and the rest of a run.
    expect(asked.at(-1)!.to).toBeGreaterThanOrEqual(150);
    expect(asked.at(-1)!.to).toBeLessThan(400);
  });

  it('ends where the log does', async () => {
    const { asked, printer } = printing();
    const reader = printer.prepare(PRINCIPAL, query(LOG - 5, 50));
    await nextRound();
    await nextRound();
    expect(asked.map(({ from, to }) => [from, to])).toEqual([[LOG - 5, LOG]]);
    asked[0]!.done();
    await reader;
    await printer.prepare(PRINCIPAL, query(LOG, 50));
    expect(asked).toHaveLength(1);
  });
});
