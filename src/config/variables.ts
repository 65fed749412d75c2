import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { RULES, type Compatibility } from '../catalog/compatibility/index.js';

/** One variable of the environment: how it is read, and everything its documentation says. */
export interface Variable<T> {
  readonly name: string;
  readonly meaning: string;
  /** The values that are taken, in words. */
  readonly allowed: string;
  /** What holds when the variable is not set or empty, in words. */
  readonly fallback: string;
  /** Never shown in messages. */
  readonly secret?: boolean;
  /** The rule of compatibility that says what holds when the variable is not set. */
  readonly rule?: keyof Compatibility;
  /** Undefined when the text is not allowed. Called with undefined when the variable is not set. */
  readonly read: (text: string | undefined) => { value: T } | undefined;
}

/** Every variable that the service reads. The table in the documentation is compared with this one. */
export const VARIABLES = {
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
  changeLogDays: integer(
    'CATALOG_CHANGE_LOG_DAYS',
    'days to keep rows of the change log that every consumer has processed; the history of aspects is not touched',
    30,
    0,
    36_500,
  ),
  feedReaders: integer(
    'CATALOG_FEED_READERS',
    'requests that may wait for events of the change feed at the same time, in one process',
    500,
    1,
    100_000,
  ),
  feedWaitMs: integer(
    'CATALOG_FEED_WAIT_MS',
    'milliseconds that a poll of the change feed waits for a first event at most',
    10_000,
    0,
    10_000,
  ),
  feedStreamSeconds: integer(
    'CATALOG_FEED_STREAM_SECONDS',
    'seconds after which a stream of the change feed is ended; its reader connects again, maybe to another process',
    3600,
    0,
    86_400,
  ),
  feedHoldDays: integer(
    'CATALOG_FEED_HOLD_DAYS',
    'days beyond CATALOG_CHANGE_LOG_DAYS that the change log is kept for webhooks that have not read it',
    30,
    0,
    36_500,
  ),
  webhookInternal: word(
    'CATALOG_WEBHOOK_INTERNAL',
    'whether webhooks may lead to loopback and private addresses',
    ['off', 'on'],
  ),
  audit: word(
    'CATALOG_AUDIT',
    'whether the audit log records writes, deletions, tokens and changes of webhooks',
    ['on', 'off'],
  ),
  auditReads: word('CATALOG_AUDIT_READS', 'whether it records reads of single entities as well', [
    'off',
    'on',
  ]),
  auditDays: integer('CATALOG_AUDIT_DAYS', 'days that audit records are kept', 365, 1, 36_500),
  role: word(
    'CATALOG_ROLE',
    'what this process does: serve requests (api), process the change log (worker), or both',
    ['all', 'api', 'worker'],
  ),
  auth: word(
    'CATALOG_AUTH',
    'whether callers need a token; off makes every caller an administrator, on loopback only',
    ['on', 'off'],
  ),
  adminToken: {
    ...optional(
      'CATALOG_ADMIN_TOKEN',
      'an administrator token of your own, instead of the one that is made at the first start',
      '1 to 512 characters out of A-Z a-z 0-9 - . _ ~ + / =; 16 or more unless HOST is a loopback address',
      'a token is made and kept in <CATALOG_HOME>/admin-token',
      (text) => /^[A-Za-z0-9\-._~+/]{1,512}=*$/.test(text) && text.length <= 512,
    ),
    secret: true,
  },
  tokensPerUser: integer(
    'CATALOG_TOKENS_PER_USER',
    'valid access tokens that a user may have; the command line makes more in any case',
    200,
    1,
    100_000,
  ),
  models: path('CATALOG_MODELS', 'folder with YAML files of your own entities and aspects', 'none'),
  compatibility: word(
    'CATALOG_COMPATIBILITY',
    'what is followed where the specification and the reference catalog of the field differ; see compatibility.md',
    ['specification', 'reference'],
  ),
  unknownFields: byCompatibility(
    word<'refuse' | 'keep'>('CATALOG_UNKNOWN_FIELDS', 'fields of an aspect that its schema does not know', [
      'refuse',
      'keep',
    ]),
    'unknownFields',
  ),
  references: word('CATALOG_REFERENCES', 'whether raw ingest may name terms and tags that do not exist', [
    'lenient',
    'strict',
  ]),
  vendor: byCompatibility(
    pattern(
      'CATALOG_VENDOR',
      'vendor word in the URNs that the service makes (urn:li:dataType:<vendor>.string)',
      'platform',
      'a word of letters and digits',
      /^[A-Za-z][A-Za-z0-9]{0,63}$/,
    ),
    'vendor',
  ),
  recordNamespace: pattern(
    'CATALOG_RECORD_NAMESPACE',
    'namespace of the record names that the service writes',
    'com.linkedin',
    'words joined by dots',
    /^(?=.{1,128}$)[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$/,
  ),
  bodyLimit: size(
    'CATALOG_BODY_LIMIT',
    'largest body of a request that writes aspects',
    '16MiB',
    1024,
    1024 ** 3,
  ),
  queryBodyLimit: size(
    'CATALOG_QUERY_BODY_LIMIT',
    'largest body of all other requests (searches, reads of many, GraphQL), where CATALOG_BODY_LIMIT is not smaller',
    '2MiB',
    1024,
    1024 ** 3,
  ),
  bodyMemory: size(
    'CATALOG_BODY_MEMORY',
    'bytes of larger bodies that the process holds at the same time, at least one of CATALOG_BODY_LIMIT; further requests are refused with 503',
    '64MiB',
    1024 ** 2,
    64 * 1024 ** 3,
  ),
  compressFrom: size(
    'CATALOG_COMPRESS_FROM',
    'size of an answer from which on it is compressed for clients that accept zstd, br or gzip; less costs more work than it saves in a fast network',
    '64KiB',
    1024,
    1024 ** 3,
  ),
  tokenRequests: integer(
    'CATALOG_TOKEN_REQUESTS',
    'requests of one token that are under way at the same time; 1,024 more wait, and others are refused with 429',
    64,
    1,
    10_000,
  ),
  connectionsPerAddress: integer(
    'CATALOG_CONNECTIONS_PER_ADDRESS',
    'connections that one address (a load balancer is one) may have open; others are refused with 429; 0 is no limit',
    16_384,
    0,
    1_000_000,
  ),
  idleSeconds: integer(
    'CATALOG_IDLE_SECONDS',
    'seconds that a connection stays open without a request; longer than a load balancer keeps it',
    30,
    1,
    3_600,
  ),
  shedDelayMs: integer(
    'CATALOG_SHED_DELAY_MS',
    'mean delay of the event loop in a second, in milliseconds, from which on requests are refused with 503, health checks excepted',
    1_000,
    50,
    60_000,
  ),
  graphqlMaxDepth: integer(
    'CATALOG_GRAPHQL_MAX_DEPTH',
    'levels of fields in a GraphQL operation',
    25,
    5,
    100,
  ),
  graphqlMaxCost: integer(
    'CATALOG_GRAPHQL_MAX_COST',
    'fields that a GraphQL operation may return, counted from its page sizes before anything is read',
    500_000,
    100,
    100_000_000,
  ),
  graphqlMaxSearchCost: integer(
    'CATALOG_GRAPHQL_MAX_SEARCH_COST',
    'what the searches of a GraphQL operation may cost together: a search 5 and 3 for each facet that is selected, along lineage 50 more, a browse 30',
    1_000,
    50,
    1_000_000,
  ),
  graphqlMaxAliases: integer('CATALOG_GRAPHQL_MAX_ALIASES', 'aliases in a GraphQL document', 100, 0, 10_000),
  graphqlMaxTokens: integer(
    'CATALOG_GRAPHQL_MAX_TOKENS',
    'tokens of a GraphQL document',
    10_000,
    100,
    1_000_000,
  ),
  graphqlMaxBatch: integer(
    'CATALOG_GRAPHQL_MAX_BATCH',
    'elements of one list in the arguments of a GraphQL operation',
    5_000,
    1,
    50_000,
  ),
  graphqlTimeoutMs: integer(
    'CATALOG_GRAPHQL_TIMEOUT_MS',
    'milliseconds until a GraphQL operation is aborted',
    30_000,
    100,
    600_000,
  ),
  logLevel: word(
    'CATALOG_LOG_LEVEL',
    'least important log line that is written; debug writes one for each request',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
  ),
  mappingsReindex: flag(
    'ELASTICSEARCH_INDEX_BUILDER_MAPPINGS_REINDEX',
    'system-update: build the search index anew with the mappings that are needed now',
  ),
  structuredPropertiesUpdate: flag(
    'ENABLE_STRUCTURED_PROPERTIES_SYSTEM_UPDATE',
    'system-update: drop structured properties that were deleted from the mappings',
  ),
} as const;

/** A variable whose default depends on what is followed: the reference has another one. */
function byCompatibility<T>(variable: Variable<T>, rule: keyof Compatibility): Variable<T> {
  const fallback = `${variable.fallback}; ${RULES[rule].reference.value} with CATALOG_COMPATIBILITY=reference`;
  return { ...variable, fallback, rule };
}

function optional(
  name: string,
  meaning: string,
  allowed: string,
  fallback: string,
  accepts: (text: string) => boolean,
): Variable<string | undefined> {
  return {
    name,
    meaning,
    allowed,
    fallback,
    read: (text) => (text === undefined || accepts(text) ? { value: text } : undefined),
  };
}

function path(name: string, meaning: string, fallback: string): Variable<string | undefined> {
  const read = (text: string | undefined) => ({ value: text === undefined ? undefined : resolve(text) });
  return { name, meaning, allowed: 'a path', fallback, read };
}

function url(
  name: string,
  meaning: string,
  protocols: readonly string[],
  fallback: string,
): Variable<URL | undefined> {
  return {
    name,
    meaning,
    allowed: protocols.map((protocol) => `${protocol}//…`).join(' or '),
    fallback,
    // It may hold a password.
    secret: true,
    read: (text) => {
      if (text === undefined) return { value: undefined };
      const parsed = URL.parse(text);
      return parsed && protocols.includes(parsed.protocol) && parsed.hostname !== ''
        ? { value: parsed }
        : undefined;
    },
  };
}

/** The first word is the default, unless `fallback` names another. */
function word<W extends string>(
  name: string,
  meaning: string,
  words: readonly [W, ...W[]],
  fallback: NoInfer<W> = words[0],
): Variable<W> {
  return {
    name,
    meaning,
    allowed: words.join(', '),
    fallback,
    read: (text = fallback) => {
      const value = words.find((w) => w === text.toLowerCase());
      return value === undefined ? undefined : { value };
    },
  };
}

function pattern(
  name: string,
  meaning: string,
  fallback: string,
  allowed: string,
  shape: RegExp,
): Variable<string> {
  const read = (text = fallback) => (shape.test(text) ? { value: text } : undefined);
  return { name, meaning, allowed, fallback, read };
}

function integer(
  name: string,
  meaning: string,
  fallback: number,
  min: number,
  max: number,
): Variable<number> {
  return {
    name,
    meaning,
    allowed: `a whole number from ${min} to ${max}`,
    fallback: String(fallback),
    read: (text = String(fallback)) => {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : NaN;
      return value >= min && value <= max ? { value } : undefined;
    },
  };
}

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3 };

function size(name: string, meaning: string, fallback: string, min: number, max: number): Variable<number> {
  return {
    name,
    meaning,
    allowed: `bytes from ${min} to ${max}, also with KiB, MiB or GiB`,
    fallback,
    read: (text = fallback) => {
      const [, digits, unit = ''] = /^(\d{1,12}) ?(b|kib|mib|gib)?$/i.exec(text) ?? [];
      const value = Number(digits) * (UNITS[unit.toLowerCase()] ?? NaN);
      return value >= min && value <= max ? { value } : undefined;
    },
  };
}

function flag(name: string, meaning: string): Variable<boolean> {
  return {
    name,
    meaning,
    allowed: 'true or false',
    fallback: 'false',
    read: (text = 'false') => {
      const value = text.toLowerCase();
      return value === 'true' || value === 'false' ? { value: value === 'true' } : undefined;
    },
  };
}
