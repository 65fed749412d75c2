import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { integer, optional, pattern, url, word, type Variable } from '../variable.js';

/** Where the service listens, and which servers stand behind it. */
export const SERVERS = {
  port: integer('PORT', 'port of the HTTP server; 0 takes any free one', 8080, 0, 65_535),
  host: optional(
    'HOST',
    'address that the HTTP server listens on',
    'a host name or an IP address; with CATALOG_AUTH=off a loopback one',
    'all interfaces (0.0.0.0); 127.0.0.1 with CATALOG_AUTH=off',
    (text) => isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/.test(text),
  ),
  home: {
    name: 'CATALOG_HOME',
    meaning: 'data folder: embedded database and search index, administrator token',
    allowed: 'a path',
    fallback: '.catalog in the working folder',
    read: (text) => ({ value: resolve(text ?? '.catalog') }),
  } satisfies Variable<string> as Variable<string>,
  acceptEmpty: word(
    'CATALOG_ACCEPT_EMPTY',
    'begin with an empty database beside the search index of a catalog, and drop that index; such a start is refused otherwise',
    ['off', 'on'],
  ),
  databaseUrl: url('CATALOG_DATABASE_URL', 'database server', ['mysql:'], 'SQLite in CATALOG_HOME'),
  redisUrl: url(
    'CATALOG_REDIS_URL',
    'Redis, for the queue',
    ['redis:', 'rediss:'],
    'a durable table in the database',
  ),
  searchUrl: url(
    'CATALOG_SEARCH_URL',
    'Elasticsearch or OpenSearch; needed as soon as more than one process runs on a database, and then the same for all of them',
    ['http:', 'https:'],
    'SQLite FTS5 in CATALOG_HOME, which one process alone can follow',
  ),
  queuePrefix: pattern(
    'CATALOG_QUEUE_PREFIX',
    'what the keys in Redis begin with: several catalogs may share a server',
    'catalog',
    'a word of letters, digits, - and _',
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
  ),
  searchPrefix: pattern(
    'CATALOG_SEARCH_PREFIX',
    'what the names of the indices in Elasticsearch begin with: several catalogs may share a server',
    'catalog',
    'a word of small letters, digits, - and _',
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
  ),
  searchCatchUpMs: integer(
    'CATALOG_SEARCH_CATCH_UP_MS',
    'milliseconds that a search waits for the writes before it, where several processes may share the catalog',
    2000,
    0,
    60_000,
  ),
  searchTimeoutMs: integer(
    'CATALOG_SEARCH_TIMEOUT_MS',
    'milliseconds of work after which the searches of a request are ended and refused as too costly',
    10_000,
    100,
    600_000,
  ),
  searchThreads: integer(
    'CATALOG_SEARCH_THREADS',
    'threads for the long searches of the embedded index, beside the one for short searches; each keeps columns of its own in memory. 0: one less than processors, between 1 and 4',
    0,
    0,
    64,
  ),
} as const;
