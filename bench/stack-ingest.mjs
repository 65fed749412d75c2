// Ingest over HTTP into MySQL or MariaDB by 16 clients, one proposal a request and by hundreds, against a bare script
// that commits the same rows to the same server over 16 connections: one transaction for each request, one statement
// a row; then transactions of a hundred proposals with multi-row statements.
// STACK_DATABASE_URL names the server; STACK_REDIS_URL and STACK_SEARCH_URL are used when they are there.
import { randomBytes } from 'node:crypto';
import { createConnection, createPool } from 'mysql2/promise';
import {
  call,
  DATASET_ASPECTS,
  datasetProposals,
  median,
  rate,
  removeFolder,
  startCatalog,
  tempFolder,
} from './lib.mjs';

const SERVER = process.env.STACK_DATABASE_URL;
if (!SERVER) throw new Error('STACK_DATABASE_URL is not set: mysql://user:password@host:port/database');
const CLIENTS = Number(process.env.WORKERS ?? 16);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const TABLES = ['entity', 'aspect', 'relationship', 'change_log'];
/** Proposals of a request, and how many datasets are written that way. */
const SHAPES = [
  { batch: 1, datasets: Number(process.env.DATASETS ?? 600) },
  { batch: 100, datasets: Number(process.env.BATCH_DATASETS ?? 4_000) },
];

async function onServer(sql) {
  const connection = await createConnection(SERVER);
  await connection.query(sql);
  await connection.end();
}

async function freshDatabase() {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  await onServer(`CREATE DATABASE ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => onServer(`DROP DATABASE ${name}`) };
}

function bodies({ batch, datasets }) {
  const proposals = Array.from({ length: datasets }, (_, i) => datasetProposals(i)).flat();
  if (batch === 1) return proposals.map((proposal) => JSON.stringify({ proposal }));
  const found = [];
  for (let i = 0; i < proposals.length; i += batch) {
    found.push(JSON.stringify({ proposals: proposals.slice(i, i + batch) }));
  }
  return found;
}

/** Proposals per second through the service. */
async function throughService(shape, url) {
  const home = tempFolder();
  const prefix = `bench${randomBytes(6).toString('hex')}`;
  const environment = {
    CATALOG_DATABASE_URL: url,
    CATALOG_QUEUE_PREFIX: prefix,
    CATALOG_SEARCH_PREFIX: prefix,
  };
  if (process.env.STACK_REDIS_URL) environment.CATALOG_REDIS_URL = process.env.STACK_REDIS_URL;
  if (process.env.STACK_SEARCH_URL) environment.CATALOG_SEARCH_URL = process.env.STACK_SEARCH_URL;
  const catalog = await startCatalog(home, environment);
  const action = shape.batch === 1 ? 'ingestProposal' : 'ingestProposalBatch';
  const send = (body) => call(`${catalog.url}/aspects?action=${action}`, { method: 'POST', body });
  const warm = bodies({ ...shape, datasets: 20 }).map((body) => body.replaceAll('shop.area_', 'warm.area_'));
  for (const body of warm) await send(body);
  const all = bodies(shape);
  const perSecond = (await rate((i) => send(all[i]), all.length, CLIENTS)) * shape.batch;
  await catalog.stop();
  removeFolder(home);
  return perSecond;
}

/** Proposals per second of the bare script, with the rows that the service wrote. */
async function straight({ batch, datasets }, source) {
  const target = await freshDatabase();
  const pool = createPool({ uri: target.url, connectionLimit: CLIENTS, supportBigNumbers: true });
  const tables = [];
  for (const table of TABLES) {
    await pool.query(`CREATE TABLE ${table} LIKE ${source.name}.${table}`);
    const [columns] = await pool.query(
      `SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = ? AND table_name = ? AND extra NOT LIKE '%VIRTUAL%' ORDER BY ordinal_position`,
      [source.name, table],
    );
    const names = columns.map(({ name }) => name);
    const [rows] = await pool.query({
      sql: `SELECT ${names.join(', ')} FROM ${source.name}.${table}`,
      rowsAsArray: true,
    });
    tables.push({ head: `INSERT INTO ${table} (${names.join(', ')}) VALUES`, rows });
  }
  const transactions = Math.ceil((datasets * DATASET_ASPECTS) / batch);
  const commit = async (i) => {
    const connection = await pool.getConnection();
    await connection.query('START TRANSACTION');
    for (const { head, rows } of tables) {
      const [from, to] = [i, i + 1].map((n) => Math.floor((rows.length * n) / transactions));
      if (batch > 1 && to > from) await connection.query(`${head} ?`, [rows.slice(from, to)]);
      else for (let r = from; r < to; r += 1) await connection.query(`${head} (?)`, [rows[r]]);
    }
    await connection.query('COMMIT');
    connection.release();
  };
  const perSecond = (await rate(commit, transactions, CLIENTS)) * batch;
  await pool.end();
  await target.drop();
  return perSecond;
}

for (const shape of SHAPES) {
  const measured = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const database = await freshDatabase();
    try {
      const service = await throughService(shape, database.url);
      const bare = await straight(shape, database);
      if (round > 0) measured.push({ service, bare, ratio: service / bare });
    } finally {
      await database.drop();
    }
  }
  const of = (name) => median(measured.map((m) => m[name]));
  console.log(
    `stack ingest, ${CLIENTS} clients, ${shape.batch} a request: ${of('service').toFixed(0)} proposals/s, ` +
      `bare script ${of('bare').toFixed(0)}: ${of('ratio').toFixed(2)} x (floor: 0.5)`,
  );
}
