// Export, import and backup of an embedded catalog: how fast, with and without the start of the process, how much memory, and what writers
// notice.
import { spawn } from 'node:child_process';
import { copyFileSync, openSync, closeSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { clearInterval, setInterval } from 'node:timers';
import {
  call,
  datasetProposals,
  load,
  median,
  nodeOptions,
  removeFolder,
  ROOT,
  startCatalog,
  tempFolder,
} from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 10_000);
const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** Of a round, idle, and at least so many beside backups: the 99th in a hundred of a few hundred is chance. */
const WRITES = Number(process.env.WRITES ?? 1_000);
/** What an export holds, as tables. */
const TABLES = ['entity', 'aspect', 'aspect_history', 'timeseries_aspect', 'deleted_aspect', 'claim'];

/** Runs a program; milliseconds, and the most memory that it had, in megabytes. */
function timed(program, words, { home, output } = {}) {
  const began = performance.now();
  const descriptor = output === undefined ? 'ignore' : openSync(output, 'w');
  const child = spawn(program, words, {
    env: { ...process.env, CATALOG_HOME: home ?? '', CATALOG_LOG_LEVEL: 'warn' },
    stdio: ['ignore', descriptor, 'pipe'],
  });
  let [said, peak] = ['', 0];
  child.stderr.on('data', (text) => (said += text));
  const look = setInterval(() => {
    try {
      const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      peak = Math.max(peak, Number(found?.[1] ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  }, 20);
  return new Promise((resolve, reject) =>
    child.once('close', (code) => {
      clearInterval(look);
      if (descriptor !== 'ignore') closeSync(descriptor);
      if (code === 0) resolve({ ms: performance.now() - began, peak });
      else reject(new Error(`${program} ${words.join(' ')}: ${code} ${said}`));
    }),
  );
}

const catalogCommand = (home, ...words) =>
  timed(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...nodeOptions('catalog'),
      join(ROOT, 'dist', 'cli.js'),
      ...words,
    ],
    { home },
  );

/** A second version of one aspect of each dataset. */
async function change(url, count) {
  for (let from = 0; from < count; from += 200) {
    const proposals = Array.from({ length: Math.min(200, count - from) }, (_, k) => {
      const { aspect, ...proposal } = datasetProposals(from + k).find((p) => p.aspectName === 'globalTags');
      const value = JSON.stringify({ tags: [{ tag: `urn:li:tag:changed${k % 7}` }] });
      return { ...proposal, aspect: { ...aspect, value } };
    });
    await call(`${url}/aspects?action=ingestProposalBatch`, {
      method: 'POST',
      body: JSON.stringify({ proposals }),
    });
  }
}

/** Milliseconds of single writes one after the other, while `goesOn`. */
async function timesOfWrites(url, goesOn) {
  const times = [];
  while (goesOn(times.length)) {
    const [proposal] = datasetProposals(DATASETS * 10 + times.length);
    const began = performance.now();
    await call(`${url}/aspects?action=ingestProposal`, {
      method: 'POST',
      body: JSON.stringify({ proposal }),
    });
    times.push(performance.now() - began);
  }
  return times;
}

const quantile = (times, share) => times.sort((a, b) => a - b)[Math.floor(times.length * share)];

async function filled(datasets) {
  const home = tempFolder();
  const catalog = await startCatalog(home);
  const began = performance.now();
  await load(catalog.url, 0, datasets);
  const ms = performance.now() - began;
  const database = new DatabaseSync(join(home, 'catalog.db'), { readOnly: true });
  const { n } = database.prepare('SELECT COUNT(*) AS n FROM aspect').get();
  database.close();
  await change(catalog.url, datasets);
  return { home, catalog, aspectsPerSecond: (n / ms) * 1000 };
}

const large = await filled(DATASETS);
const idle = [];
const busy = [];
const durations = [];
const backups = tempFolder();
let peakOfBackup = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  idle.push(...(await timesOfWrites(large.catalog.url, (count) => count < WRITES)));
  for (let count = 0; count < WRITES;) {
    let running = true;
    const backup = catalogCommand(large.home, 'backup', backups, '--keep', '1').finally(
      () => (running = false),
    );
    const times = await timesOfWrites(large.catalog.url, () => running);
    count += times.length;
    busy.push(...times);
    const { ms, peak } = await backup;
    durations.push(ms);
    peakOfBackup = Math.max(peakOfBackup, peak);
  }
}
await large.catalog.stop();
const [p50, p99] = [0.5, 0.99].map((share) => [quantile(busy, share), quantile(idle, share)]);
console.log(
  `backup while serving: p99 of ${busy.length} writes ${p99[0].toFixed(1)} ms, of ${idle.length} idle ones ${p99[1].toFixed(1)} ms, ` +
    `${(p99[0] / p99[1]).toFixed(2)} × (at most 2 ×), p50 ${(p50[0] / p50[1]).toFixed(2)} ×; ` +
    `${(median(durations) / 1000).toFixed(1)} s, ${peakOfBackup.toFixed(0)} MB`,
);

const work = tempFolder();
const [file, dump, bare] = ['export.jsonl', 'dump.sql', 'bare.db'].map((name) => join(work, name));
// What .dump would read, and nothing else.
copyFileSync(join(large.home, 'catalog.db'), bare);
const [exports, dumps, starts] = [[], [], []];
let peakOfExport = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const { ms, peak } = await catalogCommand(large.home, 'export', file, '--replace');
  exports.push(ms);
  peakOfExport = Math.max(peakOfExport, peak);
  // What the process takes to start, as an export of nothing does.
  const nothing = await catalogCommand(large.home, 'export', `${file}.0`, '--replace', '--entity', 'mlModel');
  starts.push(nothing.ms);
  dumps.push((await timed('sqlite3', [bare, `.dump ${TABLES.join(' ')}`], { output: dump })).ms);
}
const megabytes = statSync(file).size / 1e6;
console.log(
  `export: ${(megabytes / (median(exports) / 1000)).toFixed(0)} MB/s of ${megabytes.toFixed(0)} MB, ` +
    `${(median(dumps) / median(exports)).toFixed(2)} × sqlite3 .dump of the same rows (at least 0.5 ×), without the start ` +
    `${(median(dumps) / (median(exports) - median(starts))).toFixed(2)} ×, ` +
    `${peakOfExport.toFixed(0)} MB of memory`,
);

const rates = [];
let peakOfImport = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  const home = tempFolder();
  const { ms, peak } = await catalogCommand(home, 'import', file);
  const database = new DatabaseSync(join(home, 'catalog.db'), { readOnly: true });
  const { n } = database.prepare('SELECT COUNT(*) AS n FROM aspect').get();
  database.close();
  rates.push((n / ms) * 1000);
  peakOfImport = Math.max(peakOfImport, peak);
  removeFolder(home);
}
console.log(
  `import: ${median(rates).toFixed(0)} aspects/s with their history, ` +
    `${(median(rates) / large.aspectsPerSecond).toFixed(2)} × batch ingest (at least 0.8 ×), ` +
    `${peakOfImport.toFixed(0)} MB of memory`,
);

// A quarter of it must not take much less.
const small = await filled(DATASETS / 4);
await small.catalog.stop();
const { peak } = await catalogCommand(small.home, 'export', file, '--replace');
const again = tempFolder();
const imported = await catalogCommand(again, 'import', file);
console.log(
  `memory of a quarter: export ${peak.toFixed(0)} MB, import ${imported.peak.toFixed(0)} MB; ` +
    `of all: ${(peakOfExport / peak).toFixed(2)} ×, ${(peakOfImport / imported.peak).toFixed(2)} × (at most 300 MB at any size)`,
);
for (const folder of [large.home, small.home, again, work, backups]) removeFolder(folder);
