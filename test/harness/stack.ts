import { randomBytes } from 'node:crypto';

// What speaks to the servers is loaded where there are servers.

/** The real servers that a run of the tests has; each may be missing, and then the embedded part takes its place. */
export interface Stack {
  databaseUrl: string | undefined;
  redisUrl: string | undefined;
  searchUrl: string | undefined;
}

/** The servers of `TEST_PROFILE=stack`; undefined on the embedded profile. Throws when there is none to test with. */
export function stackOf(environment: NodeJS.ProcessEnv = process.env): Stack | undefined {
  const { TEST_PROFILE: profile = 'embedded' } = environment;
  if (profile === 'embedded') return undefined;
  if (profile !== 'stack') throw new Error(`TEST_PROFILE=${profile}: there are embedded and stack`);
  const stack = {
    databaseUrl: environment['STACK_DATABASE_URL'] || undefined,
    redisUrl: environment['STACK_REDIS_URL'] || undefined,
    searchUrl: environment['STACK_SEARCH_URL'] || undefined,
  };
  if (Object.values(stack).every((url) => url === undefined)) {
    throw new Error(
      'TEST_PROFILE=stack needs STACK_DATABASE_URL, STACK_REDIS_URL, STACK_SEARCH_URL, or some of them',
    );
  }
  return stack;
}

/** Every MySQL and MariaDB server there is to test with, by the variable that names it. Throws when there is none. */
export function databaseServers(environment: NodeJS.ProcessEnv = process.env): Array<[string, string]> {
  const found = new Map<string, string>();
  for (const name of ['STACK_DATABASE_URL', 'MARIADB_URL', 'MYSQL_URL']) {
    const url = environment[name];
    if (url !== undefined && url !== '' && ![...found.values()].includes(url)) found.set(name, url);
  }
  if (found.size === 0) throw new Error('set STACK_DATABASE_URL, MARIADB_URL or MYSQL_URL to a server');
  return [...found];
}

/** A place of its own on shared servers. */
export interface StackPlace {
  /** Settings that lead a catalog there. */
  environment: Record<string, string>;
  /** Leaves nothing behind. */
  drop(): Promise<void>;
}

/** Makes a database, and names for keys and indices, that nobody else uses. */
export async function stackPlace(stack: Stack): Promise<StackPlace> {
  const word = randomWord();
  const environment: Record<string, string> = {
    CATALOG_QUEUE_PREFIX: word,
    CATALOG_SEARCH_PREFIX: word,
    // Tests ask right after they wrote, on machines that do much else.
    CATALOG_SEARCH_CATCH_UP_MS: '60000',
  };
  const drops: Array<() => Promise<void>> = [];
  if (stack.databaseUrl !== undefined) {
    const database = await freshDatabase(stack.databaseUrl, word);
    environment['CATALOG_DATABASE_URL'] = database.url;
    drops.push(database.drop);
  }
  if (stack.redisUrl !== undefined) {
    environment['CATALOG_REDIS_URL'] = stack.redisUrl;
    drops.push(() => dropKeys(stack.redisUrl as string, word));
  }
  if (stack.searchUrl !== undefined) {
    environment['CATALOG_SEARCH_URL'] = stack.searchUrl;
    const { dropIndices } = await import('./search-server.js');
    drops.push(() => dropIndices(new URL(stack.searchUrl as string), word));
  }
  return {
    environment,
    drop: async () => {
      for (const drop of drops) await drop();
    },
  };
}

/** An empty database beside the one that the URL names. */
export async function freshDatabase(
  serverUrl: string,
  name = randomWord(),
): Promise<{ url: string; drop: () => Promise<void> }> {
  await withServer(serverUrl, `CREATE DATABASE \`${name}\``);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => withServer(serverUrl, `DROP DATABASE IF EXISTS \`${name}\``) };
}

/** Empties tables of a migrated database, which takes far less than migrating another one. */
export async function emptyTables(url: string, tables: readonly string[]): Promise<void> {
  for (const table of tables) await withServer(url, `TRUNCATE TABLE ${table}`);
}

async function withServer(serverUrl: string, sql: string): Promise<void> {
  const { createConnection } = await import('mysql2/promise');
  const connection = await createConnection(serverUrl);
  try {
    await connection.query(sql);
  } finally {
    await connection.end();
  }
}

async function dropKeys(redisUrl: string, prefix: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(redisUrl);
  try {
    let cursor = '0';
    do {
      const [next, keys] = await redis.scan(cursor, 'MATCH', `${prefix}*`, 'COUNT', 1000);
      if (keys.length > 0) await redis.unlink(...keys);
      cursor = next;
    } while (cursor !== '0');
  } finally {
    redis.disconnect();
  }
}

export function randomWord(): string {
  return `t${randomBytes(8).toString('hex')}`;
}
