import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { createConnection } from 'mysql2/promise';
import { call } from './lib.mjs';

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

/**
 * A database, indexes and queues of their own on the servers that STACK_DATABASE_URL, STACK_REDIS_URL and STACK_SEARCH_URL name, as the
 * environment of a process and what removes them again; undefined when none is named.
 */
export async function freshPlace() {
  const { STACK_DATABASE_URL: database, STACK_REDIS_URL: redis, STACK_SEARCH_URL: search } = process.env;
  if (!database && !redis && !search) return undefined;
  if (!database)
    throw new Error('without STACK_DATABASE_URL there is only one process: name all servers, or none');
  const { name, url, drop: dropDatabase } = await freshDatabase(database);
  const environment = {
    CATALOG_DATABASE_URL: url,
    CATALOG_QUEUE_PREFIX: name,
    CATALOG_SEARCH_PREFIX: name,
    ...(redis && { CATALOG_REDIS_URL: redis }),
    ...(search && { CATALOG_SEARCH_URL: search }),
  };
  const drop = async () => {
    await dropDatabase();
    if (!search) return;
    const indexes = Object.keys(JSON.parse(await call(`${search}/${name}*/_alias`, { token: '' })));
    for (const index of indexes) await removeIndex(`${search}/${index}`);
  };
  return { name, search, environment, drop };
}

const removeIndex = (url) =>
  new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'DELETE' }, (response) => {
      response.resume();
      response.on('end', resolve);
    });
    request.on('error', reject);
    request.end();
  });
