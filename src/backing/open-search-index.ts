import { join } from 'node:path';
import { availableParallelism } from 'node:os';
import { Logger } from '@nestjs/common';
import { SECONDS, type Meter } from '../catalog/metrics/index.js';
import type { SearchIndex } from '../catalog/search/index.js';
import { identityOf, type Database } from '../catalog/store/index.js';
import type { Configuration } from '../config/configuration.js';
import { StartError } from '../config/start-error.js';
import { withStartErrors } from './start-errors.js';

/** The search index of this configuration: Elasticsearch, or a file in the data folder. Loads what it needs. */
export async function openSearchIndex(
  { home, searchUrl, searchPrefix, searchThreads }: Configuration,
  meter: Meter,
): Promise<SearchIndex> {
  if (searchUrl === undefined) return openFile(join(home, 'search.db'), searchThreads, meter);
  const { ElasticClient, ElasticsearchSearchIndex } =
    await import('../adapters/search/elasticsearch/index.js');
  return new ElasticsearchSearchIndex(new ElasticClient(searchUrl), searchPrefix);
}

/** That the index belongs to this catalog, for as long as this process runs. */
export interface IndexHold {
  /** @throws Error when it does no more */
  check(): void;
  release(): Promise<void>;
}

/** Where no other process can come to it. */
export const NO_HOLD: IndexHold = { check: () => undefined, release: async () => undefined };

/**
 * Takes the index on a search server for the catalog of this database: two catalogs on one index would each build it anew.
 * @throws StartError when processes of another catalog have it
 */
export async function ownSearchIndex(
  searchUrl: URL,
  searchPrefix: string,
  database: Database,
): Promise<IndexHold> {
  const { ElasticClient, IndexOwner } = await import('../adapters/search/elasticsearch/index.js');
  const { database: catalog } = await identityOf(database);
  const refused = (): Error =>
    new StartError(
      `CATALOG_SEARCH_PREFIX: a catalog on another database has its index under "${searchPrefix}" on this search server, and ` +
        'each would build it anew from its own database. Give each catalog a CATALOG_SEARCH_PREFIX of its own',
    );
  return IndexOwner.take(new ElasticClient(searchUrl), searchPrefix, catalog, refused);
}

/** @param searchThreads for long searches; 0 leaves it to the machine */
async function openFile(file: string, searchThreads: number, meter: Meter): Promise<SearchIndex> {
  const { ThreadedSearchIndex } = await import('../adapters/search/sqlite/index.js');
  const logger = new Logger('SearchIndex');
  const labels = ['lane'];
  const waited = meter.histogram(
    { name: 'catalog_search_lane_wait_seconds', help: 'Time that searches waited for a thread', labels },
    SECONDS,
  );
  const worked = meter.histogram(
    { name: 'catalog_search_lane_work_seconds', help: 'Time that threads worked at a search', labels },
    SECONDS,
  );
  const moved = meter.counter({
    name: 'catalog_search_moved_total',
    help: 'Searches that took too long for the short lane and were begun again in the long one',
  });
  const ended = meter.counter({
    name: 'catalog_search_threads_ended_total',
    help: 'Threads of the search index that ended without being told to, and were started again',
    labels: ['thread'],
  });
  // The same object for the same labels: a histogram finds its row by it.
  const laneLabels = { short: { lane: 'short' }, long: { lane: 'long' } };
  const index = await withStartErrors(file, () =>
    ThreadedSearchIndex.open({
      path: file,
      longReaders: searchThreads || Math.min(4, Math.max(1, availableParallelism() - 1)),
      watch: {
        complain: (line) => logger.error(line),
        answered: (lane, waitedFor, workedFor) => {
          waited(waitedFor, laneLabels[lane]);
          worked(workedFor, laneLabels[lane]);
        },
        moved: () => moved(1),
        ended: (thread) => ended(1, { thread }),
      },
    }),
  );
  meter.gauge(
    { name: 'catalog_search_lane_waiting', help: 'Searches that wait for a thread', labels },
    async () =>
      (['short', 'long'] as const).map((lane) => ({ value: index.waiting(lane), labels: { lane } })),
  );
  return index;
}
