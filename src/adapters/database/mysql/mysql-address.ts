/** Where a MySQL or MariaDB server is, and how to speak to it. */
export interface MysqlAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  database: string;
  /** Undefined: without TLS. */
  ssl: { rejectUnauthorized: boolean } | undefined;
  /** The most connections that this process opens. */
  poolSize: number;
}

/** Enough for readers beside the few transactions at a time; a server of default size feeds ten such processes. */
const POOL_SIZE = 12;

/**
 * Reads `mysql://user:password@host:port/database?ssl=true&pool=12`.
 * `ssl`: `true`, `no-verify` (encrypted, no certificate check) or `false`, the default; `pool`: 2 to 200 connections.
 * @throws Error naming what is wrong, never the password.
 */
export function mysqlAddress(url: URL): MysqlAddress {
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '' || database.includes('/')) {
    throw new Error('the address of the database must name one: mysql://user:password@host:3306/catalog');
  }
  for (const name of url.searchParams.keys()) {
    if (name !== 'ssl' && name !== 'pool') {
      throw new Error(`the address of the database has an option "${name}"; there are ssl and pool`);
    }
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    ssl: sslOf(url.searchParams.get('ssl') ?? 'false'),
    poolSize: poolSizeOf(url.searchParams.get('pool')),
  };
}

function sslOf(word: string): MysqlAddress['ssl'] {
  if (word === 'false') return undefined;
  if (word === 'true') return { rejectUnauthorized: true };
  if (word === 'no-verify') return { rejectUnauthorized: false };
  throw new Error(`the address of the database has ssl=${word}; it can be true, no-verify or false`);
}

function poolSizeOf(text: string | null): number {
  if (text === null) return POOL_SIZE;
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (size >= 2 && size <= 200) return size;
  throw new Error(`the address of the database has pool=${text}; it can be 2 to 200`);
}
