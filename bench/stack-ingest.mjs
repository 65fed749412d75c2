// Ingest over HTTP into MySQL or MariaDB by 16 clients, one proposal a request and by hundreds, against a bare script
// that commits the same rows to the same server over 16 connections: one transaction for each request, one statement
// a row; then transactions of a hundred proposals with multi-row statements.
// STACK_DATABASE_URL names the server; STACK_REDIS_URL and STACK_SEARCH_URL are used when they are there. PROCESSES=1 is
// one process that does everything; any other number is so many api processes, which share the clients, and one worker;
// that needs a search server.
import { randomBytes } from 'node:crypto';
import { createPool } from 'mysql2/promise';
import {
  call,
  DATASET_ASPECTS,
  datasetProposals,
  median,
  rate,
  removeFolder,
  startCatalog,
  startWorker,
  tempFolder,
} from './lib.mjs';
import { freshDatabase } from './servers.mjs';

const SERVER = process.env.STACK_DATABASE_URL;
if (!SERVER) throw new Error('STACK_DATABASE_URL is not set: mysql://user:password@host:port/database');
const CLIENTS = Number(process.env.WORKERS ?? 16);
const PROCESSES = Number(process.env.PROCESSES ?? 1);
if (PROCESSES > 1 && !process.env.STACK_SEARCH_URL) throw new Error('PROCESSES needs STACK_SEARCH_URL');
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const LAYOUT = [
  PROCESSES > 1 ? `${PROCESSES} api processes and a worker` : 'one process',
  process.env.STACK_SEARCH_URL ? 'search server' : 'embedded index',
].join(', ');
const TABLES = ['entity', 'aspect', 'relationship', 'change_log'];
/**
 * Proposals of a request, and how many datasets are written that way; before them, as many others as a process that has
 * just started needs to be compiled: the bare script starts once for all rounds.
 */
const SHAPES = [
  { batch: 1, datasets: Number(process.env.DATASETS ?? 600), warm: 100 },
  { batch: 100, datasets: Number(process.env.BATCH_DATASETS ?? 4_000), warm: 1_000 },
];

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
  const prefix = `bench${randomBytes(6).toString('hex')}`;
  const environment = {
    CATALOG_DATABASE_URL: url,
    CATALOG_QUEUE_PREFIX: prefix,
    CATALOG_SEARCH_PREFIX: prefix,
  };
  if (process.env.STACK_REDIS_URL) environment.CATALOG_REDIS_URL = process.env.STACK_REDIS_URL;
  if (process.env.STACK_SEARCH_URL) environment.CATALOG_SEARCH_URL = process.env.STACK_SEARCH_URL;
  const homes = [];
  const home = () => homes[homes.push(tempFolder()) - 1];
  const catalogs = [];
  if (PROCESSES > 1) environment.CATALOG_ROLE = 'api';
  for (let n = 0; n < PROCESSES; n += 1) catalogs.push(await startCatalog(home(), environment));
  const worker = PROCESSES > 1 && (await startWorker(home(), environment));
  const action = shape.batch === 1 ? 'ingestProposal' : 'ingestProposalBatch';
  // Each client stays with the process that it found first, as behind a load balancer.
  const send = (body, client = 0) =>
    call(`${catalogs[client % PROCESSES].url}/aspects?action=${action}`, { method: 'POST', body });
  const warm = bodies({ ...shape, datasets: shape.warm * PROCESSES });
  await rate(
    (i, client) => send(warm[i].replaceAll('shop.area_', 'warm.area_'), client),
    warm.length,
    CLIENTS,
  );
  const all = bodies(shape);
  const perSecond = (await rate((i, client) => send(all[i], client), all.length, CLIENTS)) * shape.batch;
  for (const catalog of catalogs) await catalog.stop();
  if (worker) await worker.stop();
  for (const folder of homes) removeFolder(folder);
  return perSecond;
}

/** Proposals per second of the bare script, with the rows that the service wrote. */
async function straight({ batch, datasets, warm }, source) {
  const target = await freshDatabase(SERVER);
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
  const transactions = Math.ceil(((datasets + warm * PROCESSES) * DATASET_ASPECTS) / batch);
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
    const database = await freshDatabase(SERVER);
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
    `stack ingest, ${LAYOUT}, ${CLIENTS} clients, ${shape.batch} a request: ${of('service').toFixed(0)} proposals/s, ` +
      `bare script ${of('bare').toFixed(0)}: ${of('ratio').toFixed(2)} x (floor: 0.5)`,
  );
}
