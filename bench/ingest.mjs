// Batched ingest over HTTP, against the same rows written straight into SQLite in transactions of the same size.
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { DATASET_ASPECTS, load, median, removeFolder, search, startCatalog, tempFolder } from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 8_000);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Connections at once; the field's own ingestion tool uses up to fifteen. */
const WORKERS = Number(process.env.WORKERS ?? 8);
const TABLES = ['entity', 'aspect', 'relationship', 'change_log'];

/** Copies every row that the service wrote into new tables of the same shape; proposals per second. */
function straight(home, transactions) {
  const source = new DatabaseSync(join(home, 'catalog.db'), { readOnly: true });
  const folder = tempFolder();
  const target = new DatabaseSync(join(folder, 'copy.db'));
  target.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  const ddl = source.prepare(
    'SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY rowid',
  );
  const work = TABLES.map((table) => {
    for (const { sql } of ddl.all(table)) target.exec(sql);
    // Generated columns are not written by anybody; pragma_table_info leaves them out.
    const columns = source.prepare(`SELECT name FROM pragma_table_info('${table}')`).all();
    const names = columns.map((column) => column.name).join(', ');
    const rows = source.prepare(`SELECT ${names} FROM ${table}`).all().map(Object.values);
    const values = columns.map(() => '?').join(', ');
    return {
      rows,
      insert: target.prepare(`INSERT INTO ${table} (${names}) VALUES (${values})`),
    };
  });
  const began = performance.now();
  for (let i = 0; i < transactions; i += 1) {
    target.exec('BEGIN IMMEDIATE');
    for (const { rows, insert } of work) {
      const from = Math.floor((rows.length * i) / transactions);
      const to = Math.floor((rows.length * (i + 1)) / transactions);
      for (let r = from; r < to; r += 1) insert.run(...rows[r]);
    }
    target.exec('COMMIT');
  }
  const ms = performance.now() - began;
  target.close();
  source.close();
  removeFolder(folder);
  return ((DATASETS * DATASET_ASPECTS) / ms) * 1000;
}

const ratios = [];
const service = [];
const caughtUp = [];
for (let round = 0; round <= ROUNDS; round += 1) {
  const home = tempFolder();
  const catalog = await startCatalog(home);
  await load(catalog.url, 1_000_000, 1_000_100);
  const began = performance.now();
  const perSecond = await load(catalog.url, 0, DATASETS, WORKERS);
  await search(catalog.url, 'table_1');
  const throughIndex = ((DATASETS * DATASET_ASPECTS) / (performance.now() - began)) * 1000;
  await catalog.stop();
  const raw = straight(home, Math.ceil((DATASETS * DATASET_ASPECTS) / 200));
  removeFolder(home);
  if (round === 0) continue;
  ratios.push(perSecond / raw);
  service.push(perSecond);
  caughtUp.push(throughIndex / raw);
}
console.log(`ingest, batches of 200: ${median(service).toFixed(0)} proposals/s`);
console.log(`ingest: ${median(ratios).toFixed(2)} x straight into SQLite (floor: 0.4)`);
console.log(`ingest until found by search: ${median(caughtUp).toFixed(2)} x straight into SQLite`);
