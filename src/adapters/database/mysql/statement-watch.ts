import { createConnection, type Connection, type PoolConnection } from 'mysql2';
import { isLost } from './mysql-errors.js';

/**
 * How long a statement may have no answer before the server is first asked about it, and the pause between two
 * questions.
 */
const LOOK_MS = 10_000;
/** An answer may be on its way at the first look, and is there at the second. */
const CONFIRM_MS = 2_000;
/** A statement that takes longer is given up together with its connection: a hung server must not hang everything. */
const LIMIT_MS = 120_000;
/** How long the server may take to say whether it runs the statement. */
const ASK_MS = 5_000;

/** What the driver made of the address. */
interface Settings {
  host: string;
  port: number;
  user: string;
  password: string;
  ssl: object | false;
}

/**
 * Watches a statement that has no answer yet. A connection whose other side vanished looks like a slow statement.
 * Therefore the server is asked, over another connection, whether it runs the statement. If it does not, or does not
 * answer at all, the statement and its connection are given up.
 * @param giveUp called at most once
 * @returns ends the watch
 */
export function watchStatement(connection: PoolConnection, giveUp: (reason: string) => void): () => void {
  const start = performance.now();
  let ended = false;
  let suspected = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    const waited = performance.now() - start;
    if (waited >= LIMIT_MS) return giveUp(`the database has not answered for ${LIMIT_MS / 1000} s`);
    const running = await isRunning(connection);
    if (ended) return;
    if (!running && suspected) {
      return giveUp(`the database is not at a statement that was sent ${Math.round(waited / 1000)} s ago`);
    }
    suspected = !running;
    wait(suspected ? CONFIRM_MS : LOOK_MS);
  };
  const wait = (ms: number) => (timer = setTimeout(() => void look(), ms).unref());
  wait(LOOK_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** What one look at the server finds out, for all statements that ask at the same moment. */
const looks = new WeakMap<object, Promise<Set<number> | 'unknown' | 'unavailable'>>();

async function isRunning(connection: PoolConnection): Promise<boolean> {
  const { pool } = connection as unknown as { pool?: object };
  const key = pool ?? connection;
  let running = looks.get(key);
  if (running === undefined) {
    running = askServer(connection).finally(() => looks.delete(key));
    looks.set(key, running);
  }
  const found = await running;
  return found === 'unknown' || (found !== 'unavailable' && found.has(connection.threadId));
}

/** The numbers of the connections that the server is at a statement of. */
async function askServer(connection: PoolConnection): Promise<Set<number> | 'unknown' | 'unavailable'> {
  const asking = connectBeside(connection);
  try {
    const rows = await answerOf(asking);
    return new Set(rows.map(({ id }) => Number(id)));
  } catch (error) {
    // A server that refuses the question is there.
    return isLost(error) ? 'unavailable' : 'unknown';
  } finally {
    asking.destroy();
  }
}

/** A connection of its own to the server of another. */
export function connectBeside(connection: PoolConnection): Connection {
  const { host, port, user, password, ssl } = connection.config as unknown as Settings;
  return createConnection({
    ...{ host, port, user, password, connectTimeout: ASK_MS },
    ...(ssl && { ssl }),
  });
}

function answerOf(connection: Connection): Promise<Array<{ id: number }>> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(Object.assign(new Error('late'), { code: 'ETIMEDOUT' })), ASK_MS);
    connection.on('error', reject);
    const sql = `SELECT id AS id FROM information_schema.processlist WHERE command <> 'Sleep'`;
    connection.query(sql, (error, rows) => {
      clearTimeout(late);
      if (error) reject(error);
      else resolve(rows as Array<{ id: number }>);
    });
  });
}
