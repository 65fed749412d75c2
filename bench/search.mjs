// Search over 10,000 and then 100,000 datasets in one service, against SQL that a good engineer would write by hand.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { call, load, median, removeFolder, residentMegabytes, startCatalog, tempFolder } from './lib.mjs';

const DATASETS = Number(process.env.DATASETS ?? 100_000);
const FEWER = DATASETS / 10;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Requests of a kind in each round. */
const COUNT = Number(process.env.COUNT ?? 50);
const PAGE = 500;

const home = tempFolder();
const catalog = await startCatalog(home);
const act = async (action, parameters) =>
  JSON.parse(
    await call(`${catalog.url}/entities?action=${action}`, {
      method: 'POST',
      body: JSON.stringify(parameters),
    }),
  ).value;

/** What is typed into the search box: a name, words of a description, words that most descriptions have. */
const TYPED = [
  (i) => `table_${(i * 37) % FEWER}`,
  (i) => `subject ${(i * 37) % 977} reports`,
  (i) => `area ${i % 50} team ${i % 31}`,
];
const typed = (i) =>
  act('search', { entity: 'dataset', input: TYPED[i % TYPED.length](i), start: 0, count: 10 });

await load(catalog.url, 0, FEWER);
await caughtUp(FEWER);
const small = await times(typed);
await load(catalog.url, FEWER, DATASETS);
await caughtUp(DATASETS);
const large = await times(typed);
report('search', median(large), 'that over a tenth of the datasets', median(small), 3);
for (const [kind, text] of TYPED.entries()) {
  const own = (all) => median(all.filter((_, i) => (i % COUNT) % TYPED.length === kind));
  console.log(`  such as "${text(1)}": ${own(large).toFixed(2)} ms, ${own(small).toFixed(2)} ms`);
}

// Equal answers are compared: the number of hits, the first ten by URN, and the twenty most frequent values of every
// facet that the service answers with.
const filter = (i) => {
  const criteria = [
    { field: 'tags', values: [`urn:li:tag:tag${i % 25}`], condition: 'EQUAL' },
    { field: 'platform', values: ['urn:li:dataPlatform:postgres'], condition: 'EQUAL' },
  ];
  return { or: [{ and: criteria }] };
};
const filtered = (i) =>
  act('search', { entity: 'dataset', input: '*', start: 0, count: 10, filter: filter(i) });
// What a person has typed of a name: from a few letters, which all names have, to nearly all of it.
const begun = (i) => `table_${(i * 7919) % DATASETS}`.slice(0, 3 + (i % 9));
const completed = (i) => act('autocomplete', { entity: 'dataset', query: begun(i), limit: 10 });

const example = await filtered(0);
const facets = example.metadata.searchResultMetadatas ?? example.metadata.aggregations;
const named = (Array.isArray(facets) ? facets : facets.aggregations).map((facet) => facet.name);
// The service counts one facet over two fields besides, which the SQL leaves out.
const fields = named.filter((name) => !name.includes('␞'));
const plain = await startPlain(fields);
const ask = async (path) => JSON.parse(await call(plain.url + path));
const filteredSql = (i) => ask(`/filtered?tag=urn:li:tag:tag${i % 25}&platform=urn:li:dataPlatform:postgres`);
const completedSql = (i) => ask(`/completed?text=${begun(i)}`);
const bySql = await filteredSql(0);
if (bySql.total !== example.numEntities) throw new Error('the SQL finds something else');
await sideBySide('filtered search with facets', filtered, 'the SQL by hand', filteredSql, 1.5);
await sideBySide('autocomplete', completed, 'a prefix look-up in an index', completedSql, 3);
plain.stop();

const tenths = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const pages = [];
  let scrollId;
  do {
    const began = performance.now();
    const parameters = { entities: ['dataset'], input: '*', count: PAGE, scrollId };
    ({ scrollId } = await act('scrollAcrossEntities', {
      ...parameters,
      searchFlags: { skipAggregates: true },
    }));
    pages.push(performance.now() - began);
  } while (scrollId);
  const tenth = Math.max(1, Math.floor(DATASETS / PAGE / 10));
  const sum = (some) => some.reduce((a, b) => a + b, 0);
  tenths.push(sum(pages.slice(0, tenth)) / sum(pages.slice(pages.length - tenth)));
}
console.log(`scroll: last tenth at ${median(tenths).toFixed(2)} x the rate of the first (floor: 0.9)`);
console.log(`memory after all: ${residentMegabytes(catalog.pid).toFixed(0)} MB (ceiling: 350)`);
await catalog.stop();
removeFolder(home);

/** The index is filled behind the writes; a search waits for it, but not for minutes. */
async function caughtUp(datasets) {
  for (let tries = 0; ; tries += 1) {
    try {
      const { numEntities } = await act('search', { entity: 'dataset', input: '*', start: 0, count: 0 });
      if (numEntities !== datasets) throw new Error(`${numEntities} datasets instead of ${datasets}`);
      return;
    } catch (error) {
      if (tries >= 40 || !error.message.includes('SEARCH_UNAVAILABLE')) throw error;
    }
  }
}

/** Milliseconds of each call, one after the other; the first round only warms up. */
async function times(send) {
  const all = [];
  for (let at = -COUNT; at < COUNT * ROUNDS; at += 1) {
    const began = performance.now();
    await send((at + COUNT) % COUNT);
    if (at >= 0) all.push(performance.now() - began);
  }
  return all;
}

async function sideBySide(name, ours, against, theirs, ceiling) {
  const spent = { ours: [], theirs: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [who, send] of Object.entries({ ours, theirs })) {
      for (let i = 0; i < COUNT; i += 1) {
        const began = performance.now();
        await send(i);
        if (round > 0) spent[who].push(performance.now() - began);
      }
    }
  }
  report(name, median(spent.ours), against, median(spent.theirs), ceiling);
}

function report(name, ours, against, theirs, ceiling) {
  const ratio = (ours / theirs).toFixed(2);
  console.log(
    `${name}: p50 ${ours.toFixed(2)} ms, ${ratio} x ${against} (${theirs.toFixed(2)} ms; ceiling: ${ceiling})`,
  );
}

/** Tables of one's own from the catalog's database, and a bare HTTP server that answers from them. */
async function startPlain(facetFields) {
  const file = join(home, 'plain.db');
  const db = new DatabaseSync(file);
  db.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE dataset (id INTEGER PRIMARY KEY, urn TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
      removed INTEGER NOT NULL);
    CREATE TABLE term (id INTEGER PRIMARY KEY, field TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (field, value));
    CREATE TABLE label (term INTEGER NOT NULL, dataset INTEGER NOT NULL, PRIMARY KEY (term, dataset)) WITHOUT ROWID;
    ATTACH '${join(home, 'catalog.db')}' AS catalog; ATTACH '${join(home, 'search.db')}' AS search;
    INSERT INTO dataset SELECT e.id, e.urn, a.value ->> 'name', e.removed
      FROM catalog.entity e JOIN catalog.aspect a ON a.entity_id = e.id AND a.aspect = 'datasetProperties'
      WHERE e.type = 'dataset' AND e.live;
  `);
  // The values of the facets as the search documents have them: what they are derived from differs from facet to facet.
  const labels = JSON.stringify([...new Set([...facetFields, 'tags', 'platform'])]);
  const from = `FROM dataset d JOIN search.doc s ON s.urn = d.urn, json_each(s.body) f, json_each(f.value) v`;
  const facet = 'f.key IN (SELECT value FROM json_each(?))';
  db.prepare(
    `INSERT INTO term (field, value) SELECT DISTINCT f.key, CAST(v.value AS TEXT) ${from} WHERE ${facet}`,
  ).run(labels);
  db.prepare(
    `INSERT OR IGNORE INTO label SELECT t.id, d.id ${from}
       JOIN term t ON t.field = f.key AND t.value = CAST(v.value AS TEXT) WHERE ${facet}`,
  ).run(labels);
  db.exec(`
    CREATE INDEX label_dataset ON label (dataset, term);
    CREATE INDEX dataset_name ON dataset (name);
    ANALYZE;
  `);
  db.close();
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(process.env.FILE);
    db.exec('PRAGMA cache_size = -65536');
    const term = db.prepare('SELECT id FROM term WHERE field = ? AND value = ?');
    const found = \`FROM label t JOIN label p ON p.term = ? AND p.dataset = t.dataset JOIN dataset d ON d.id = t.dataset
      WHERE t.term = ? AND NOT d.removed\`;
    const total = db.prepare(\`SELECT count(*) AS total \${found}\`);
    const page = db.prepare(\`SELECT d.urn \${found} ORDER BY d.urn LIMIT 10\`);
    const facets = db.prepare(\`SELECT t.field, t.value, c.count FROM (
        SELECT l.term, count(*) AS count FROM (SELECT d.id \${found}) f JOIN label l ON l.dataset = f.id GROUP BY l.term
      ) c JOIN term t ON t.id = c.term ORDER BY t.field, c.count DESC, t.value\`);
    const named = db.prepare('SELECT name, urn FROM dataset WHERE name >= ? AND name < ? ORDER BY name LIMIT 10');
    const server = require('node:http').createServer((request, response) => {
      const { pathname, searchParams: asked } = new URL(request.url, 'http://plain');
      let answer;
      if (pathname === '/filtered') {
        const by = [['platform', asked.get('platform')], ['tags', asked.get('tag')]].map((pair) => term.get(...pair).id);
        answer = { ...total.get(...by), page: page.all(...by), facets: {} };
        for (const { field, value, count } of facets.all(...by)) {
          const values = (answer.facets[field] ??= []);
          if (values.length < 20) values.push({ value, count });
        }
      } else {
        const text = asked.get('text');
        answer = named.all(text, text + String.fromCodePoint(0x10ffff));
      }
      const body = Buffer.from(JSON.stringify(answer));
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
      response.end(body);
    }).listen(0, '127.0.0.1', () => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', program], {
    env: { ...process.env, FILE: file },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise((resolve) => child.stdout.once('data', (text) => resolve(Number(text))));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
