import { bucketOf, IndexDigest, type IndexedVersion } from '../../../catalog/search/index.js';
import type { ElasticClient } from './elastic-client.js';

/** Where an index may be missing because nothing of its entity type was written yet; all that is there must answer. */
export const LENIENT = {
  ignore_unavailable: true,
  allow_no_indices: true,
  allow_partial_search_results: false,
};

const PAGE = 10_000;
/** Parts of the index that are walked at the same time. */
const SLICES = 2;
/** How long the engine keeps an abandoned scroll. */
const KEPT = '2m';

interface Page {
  _scroll_id: string;
  hits: { hits: Array<{ fields: { urn: [string]; seq: [number] } }> };
}

/** The digest of all versions behind the aliases of a pattern. */
export async function digestOf(client: ElasticClient, target: string, buckets: number): Promise<IndexDigest> {
  const digest = new IndexDigest(buckets);
  await Promise.all(
    Array.from({ length: SLICES }, async (_, slice) => {
      for await (const version of slicedVersions(client, target, slice)) digest.add(version);
    }),
  );
  return digest;
}

/** The versions in some of so many buckets. */
export async function* versionsOf(
  client: ElasticClient,
  target: string,
  buckets: number,
  wanted: ReadonlySet<number>,
): AsyncGenerator<IndexedVersion> {
  if (wanted.size === 0) return;
  for await (const version of slicedVersions(client, target)) {
    if (wanted.has(bucketOf(version.urn, buckets))) yield version;
  }
}

/** All versions, or those of one slice, of one moment and in no order: the quickest walk that there is. */
async function* slicedVersions(
  client: ElasticClient,
  target: string,
  slice?: number,
): AsyncGenerator<IndexedVersion> {
  let page = await client.request<Page>({
    method: 'POST',
    path: `/${target}/_search`,
    query: { ...LENIENT, scroll: KEPT },
    body: {
      query: { exists: { field: 'entity' } },
      ...(slice !== undefined && { slice: { field: 'slice', id: slice, max: SLICES } }),
      sort: ['_doc'],
      size: PAGE,
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['urn', 'seq'],
    },
  });
  try {
    for (;;) {
      for (const { fields } of page.hits.hits) yield { urn: fields.urn[0], sequence: fields.seq[0] };
      if (page.hits.hits.length === 0) return;
      page = await client.request<Page>({
        method: 'POST',
        path: '/_search/scroll',
        body: { scroll: KEPT, scroll_id: page._scroll_id },
      });
    }
  } finally {
    const body = { scroll_id: [page._scroll_id] };
    // No caller waits for this; what is not let go of ends by itself.
    await client.find({ method: 'DELETE', path: '/_search/scroll', body }).catch(() => undefined);
  }
}
