import { TableJobQueue } from '../adapters/queue/table/index.js';
import type { JobQueue } from '../catalog/queue/index.js';
import type { Database } from '../catalog/store/index.js';
import { ConfigurationError } from '../config/configuration-error.js';
import type { Configuration } from '../config/configuration.js';

/** The queue of this configuration: Bull on Redis, or a table in `database`. */
export async function openJobQueue(
  { redisUrl, databaseUrl }: Configuration,
  database: Database,
): Promise<JobQueue> {
  // A process that is alone on its database takes back at once what it held when it died.
  if (redisUrl === undefined)
    return new TableJobQueue(database, { reclaimAtStart: databaseUrl === undefined });
  throw new ConfigurationError(['CATALOG_REDIS_URL is set, but this version has no adapter for it']);
}
