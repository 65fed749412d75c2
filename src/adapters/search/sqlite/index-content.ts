import { setImmediate } from 'node:timers/promises';
import {
  bucketOf,
  IndexDigest,
  type IndexedVersion,
  type IndexRebuild,
} from '../../../catalog/search/index.js';
import { recordBreak } from './columns/columns.js';
import type { Opened, Use } from './opened.js';

/** One process has no other to share the work with; it starts over with every process. */
export function rebuildOf(
  use: Use,
  opened: Opened,
  name: string,
  beside: boolean,
  finished: () => void,
): IndexRebuild {
  return {
    name,
    beside,
    finished: async () => use(opened, finished),
    claim: async () => ({ position: 0, full: false }),
    save: async () => undefined,
    keep: async () => undefined,
    upsert: async (documents) => use(opened, ({ writer }) => writer.upsert(documents)),
    remove: async (removals) => use(opened, ({ writer }) => writer.remove(removals)),
    settle: async () => undefined,
    forget: async (urns) => use(opened, () => forgetIn(opened, urns)),
    digest: (buckets) => digestOf(use, opened, buckets),
    versions: (buckets, wanted) => versionsIn(use, opened, buckets, wanted),
  };
}

export async function digestOf(use: Use, opened: Opened, buckets: number): Promise<IndexDigest> {
  const digest = new IndexDigest(buckets);
  for await (const page of allVersions(use, opened)) for (const version of page) digest.add(version);
  return digest;
}

/** Pages of those of the versions that are in the wanted buckets. */
async function* versionPages(
  use: Use,
  opened: Opened,
  buckets: number,
  wanted: ReadonlySet<number>,
): AsyncGenerator<IndexedVersion[]> {
  for await (const page of allVersions(use, opened))
    yield page.filter(({ urn }) => wanted.has(bucketOf(urn, buckets)));
}

export async function* versionsIn(use: Use, opened: Opened, buckets: number, wanted: ReadonlySet<number>) {
  for await (const page of versionPages(use, opened, buckets, wanted)) yield* page;
}

/** Every version, a few thousand at a time; others use the thread in between. */
async function* allVersions(use: Use, opened: Opened): AsyncGenerator<IndexedVersion[]> {
  const sql = 'SELECT id, urn, sequence FROM doc WHERE id > ? AND body IS NOT NULL ORDER BY id LIMIT 2000';
  for (let after = 0; ;) {
    const rows = use(opened, ({ file }) => file.all<[number, string, number]>(sql, after));
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(([, urn, sequence]) => ({ urn, sequence }));
    after = last[0];
    await setImmediate();
  }
}

/** Drops documents and tombstones. */
export function forgetIn({ file, writer }: Opened, urns: readonly string[]): void {
  const known = urns.flatMap((urn) => {
    const row = file.row<[number]>('SELECT sequence FROM doc WHERE urn = ?', urn);
    return row ? [{ urn, sequence: row[0] }] : [];
  });
  writer.remove(known);
  // No trace of a tombstone in the sets of documents is left, so its number may be given again.
  file.write(() => {
    recordBreak(file);
    for (const { urn } of known) file.run('DELETE FROM doc WHERE urn = ? AND body IS NULL', urn);
  });
}
