import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';

/** A database of its own on the server that `database` names, as the URL and what removes it again. */
export async function freshDatabase(database) {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const run = async (sql) => {
    const connection = await createConnection(database);
    await connection.query(sql);
    await connection.end();
  };
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(database);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => run(`DROP DATABASE ${name}`) };
}
