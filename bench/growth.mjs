// What a search costs in a catalog ten times as large: the embedded index alone, asked straight, sizes in turns.
// Documents are written straight into it, as over HTTP a million would take most of an hour. Words, tags and owners come up again, as with
// people, so what the index keeps of a word, a value or a search for several of them is known after the second round. Of two
// rows there is one more, of searches that no other caller has made before.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { dataset, NOUNS, PLATFORMS } from './corpus.mjs';
import { median, removeFolder, ROOT, tempFolder } from './lib.mjs';

const dist = (path) => import(join(ROOT, 'dist', path));
const { Model } = await dist('catalog/model/index.js');
const { compileInput, SearchSchema, searchDocument } = await dist('catalog/search/index.js');
const { SqliteSearchIndex } = await dist('adapters/search/sqlite/index.js');

const SMALL = Number(process.env.DATASETS ?? 10_000);
const SIZES = process.env.SIZES?.split(',').map(Number) ?? [
  SMALL,
  SMALL * 10,
  ...(process.env.LARGE ? [SMALL * 100] : []),
];
const ONLY = process.env.ONLY;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const COUNT = Number(process.env.COUNT ?? 20);
/** Searches of all kinds before memory is looked at. */
const MIXED = Number(process.env.MIXED ?? 10_000);
/** Documents of one write: large ones load faster. */
const BATCH = 2_000;

const model = Model.load();
const schema = new SearchSchema(model.entities.values());
const entity = model.findEntity('dataset');
const entities = ['dataset'];

/** Whether what was answered before may be answered again: otherwise every request differs from all others. */
let again = false;
let requests = 0;
const everything = {
  entities,
  includeRemoved: false,
  filter: { op: 'all' },
  query: { op: 'all' },
  start: 0,
  count: 10,
  maxFacetValues: 20,
  matchedFields: false,
  facets: [],
  /** No property of the port. */
  get asked() {
    return nextRequest();
  },
};
const nextRequest = () => (again ? 0 : ++requests);
const fields = schema
  .facets(entities)
  .slice(0, 11)
  .map(({ name }) => name);
/** Callers name the facets of a request: other names make another request. */
const facets = () => {
  const request = nextRequest();
  return fields.map((name) => ({ name: `${name} ${request}`, fields: [name] }));
};
const equal = (field, value) => ({ op: 'field', field, test: { is: 'equal', values: [value] } });
const platform = (i) => equal('platform', `urn:li:dataPlatform:${PLATFORMS[i % 5]}`);
const tag = (i) => equal('tags', `urn:li:tag:${NOUNS[i % 20]}`);
/** The same search as one that was never made before: no document has this tag. */
const anew = (...nodes) => ({
  op: 'and',
  nodes: [...nodes, { op: 'not', node: equal('tags', `urn:li:tag:none${again ? 0 : ++requests}`) }],
});
const text = (input) =>
  compileInput(
    input,
    { lookup: (name) => schema.lookup(name, entities), queried: schema.queried(entities) },
    '',
  );
const rare = (i) => `${NOUNS.at(-1 - (i % 8))} ${NOUNS.at(-9 - (i % 7))}`;
const browse = (index, path) => index.browse({ ...everything, field: 'browsePaths', separator: '/', path });
const completed = schema.autocomplete(entities).map(({ name }) => name);

/** Each kind of search, and how many times what it costs in the smallest catalog it may cost in the largest. */
const ROWS = {
  'filter tag and platform, facets': [
    2,
    (index, i) =>
      index.search({ ...everything, facets: facets(), filter: { op: 'and', nodes: [tag(i), platform(i)] } }),
  ],
  'filter tag and platform for the first time, facets': [
    2,
    (index, i) => index.search({ ...everything, facets: facets(), filter: anew(tag(i), platform(i)) }),
  ],
  'filter rare owner, facets': [
    2,
    (index, i) =>
      index.search({
        ...everything,
        facets: facets(),
        filter: equal('owners', `urn:li:corpuser:user${1500 + i}`),
      }),
  ],
  'text and facets, common word': [
    4,
    (index, i) => index.search({ ...everything, facets: facets(), query: text(NOUNS[i % 10]) }),
  ],
  'text and facets, common word within a platform': [
    4,
    (index, i) =>
      index.search({ ...everything, facets: facets(), query: text(NOUNS[i % 10]), filter: platform(i) }),
  ],
  'text and facets, common word within a platform for the first time': [
    4,
    (index, i) =>
      index.search({
        ...everything,
        facets: facets(),
        query: text(NOUNS[i % 10]),
        filter: anew(platform(i)),
      }),
  ],
  'text and facets, rare words': [
    4,
    (index, i) => index.search({ ...everything, facets: facets(), query: text(rare(i)) }),
  ],
  'text without facets': [4, (index, i) => index.search({ ...everything, query: text(NOUNS[i % 10]) })],
  'everything and facets': [4, (index) => index.search({ ...everything, facets: facets() })],
  'browse the root': [2, (index) => browse(index, [])],
  'browse one level': [2, (index, i) => browse(index, ['prod', PLATFORMS[i % 5]])],
  autocomplete: [
    2,
    (index, i) =>
      index.autocomplete({
        ...everything,
        text: NOUNS[i % 10].slice(0, 3 + (i % 4)),
        fields: completed,
        limit: 10,
      }),
  ],
};

const folder = process.env.FOLDER ?? tempFolder();
mkdirSync(folder, { recursive: true });
const indexes = [];
for (const size of SIZES) indexes.push(await loaded(size));

for (const [name, [ceiling, ask]] of Object.entries(ROWS)) {
  if (ONLY && !name.includes(ONLY)) continue;
  const [spent, waited, repeated] = [SIZES.map(() => []), SIZES.map(() => []), SIZES.map(() => [])];
  for (let round = 0; round <= ROUNDS * 2; round += 1) {
    again = round > ROUNDS;
    for (const [at, index] of indexes.entries()) {
      const began = performance.now();
      const before = process.cpuUsage();
      for (let i = 0; i < COUNT; i += 1) await ask(index, i);
      const { user, system } = process.cpuUsage(before);
      if (round === 0) continue;
      (again ? repeated : spent)[at].push((user + system) / 1000 / COUNT);
      if (!again) waited[at].push((performance.now() - began) / COUNT);
    }
  }
  const cpu = spent.map(median);
  const figures = SIZES.map(
    (size, at) => `${size}: ${cpu[at].toFixed(2)} ms, ${(1000 / median(waited[at])).toFixed(0)}/s`,
  );
  const growth = (cpu.at(-1) / cpu[0]).toFixed(1);
  const kept = repeated.map((times) => median(times).toFixed(2)).join(' / ');
  console.log(
    `${name}: ${figures.join('; ')}; ${growth} x (ceiling from 10,000 to 1,000,000: ${ceiling}); asked again: ${kept} ms`,
  );
}

again = false;
if (!ONLY) await againstFts();
for (let i = 0; i < (ONLY ? 0 : MIXED); i += 1) {
  const rows = Object.values(ROWS);
  await rows[i % rows.length][1](indexes.at(-1), i);
}
console.log(
  `memory with ${SIZES.length} indexes open, after ${MIXED} searches of the largest: ` +
    `${(process.memoryUsage.rss() / 2 ** 20).toFixed(0)} MB (ceiling for one of 1,000,000: 400)`,
);
for (const index of indexes) await index.close();
if (!process.env.FOLDER) removeFolder(folder);

async function loaded(size) {
  const path = join(folder, `${size}.db`);
  const kept = existsSync(path);
  const index = new SqliteSearchIndex(path);
  const rebuild = await index.ensureSchema(schema);
  if (kept) {
    if (rebuild) throw new Error(`${path} is not one that was loaded whole by this version`);
    return index;
  }
  let cpu = 0;
  for (let from = 0; from < size; from += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, size - from) }, (_, i) => documentOf(from + i));
    const before = process.cpuUsage();
    await index.upsert(documents);
    const { user, system } = process.cpuUsage(before);
    cpu += user + system;
  }
  await rebuild.finished();
  const megabytes = statSync(path).size / 2 ** 20;
  console.log(`${size} datasets: ${(cpu / size).toFixed(0)} us CPU each, ${megabytes.toFixed(0)} MB on disk`);
  return index;
}

function documentOf(i) {
  const { urn, aspects } = dataset(i);
  const created = { time: 1600000000000 + i * 1000, actor: 'urn:li:corpuser:crawler' };
  const stored = Object.entries(aspects).map(([name, value]) => [
    name,
    { name, value, version: 1, systemMetadata: {}, created },
  ]);
  return searchDocument(entity, {
    urn,
    entityType: 'dataset',
    sequence: i + 1,
    exists: true,
    removed: aspects.status.removed,
    aspects: new Map(stored),
  });
}

/** The second size against the best that FTS5 does by itself with the same texts. */
async function againstFts() {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE VIRTUAL TABLE fts USING fts5(name, text, parts)');
  const insert = db.prepare('INSERT INTO fts VALUES (?, ?, ?)');
  for (let i = 0; i < SIZES[1]; i += 1) {
    const { datasetProperties: of, schemaMetadata } = dataset(i).aspects;
    const parts = schemaMetadata.fields.map(({ fieldPath, description }) => `${fieldPath} ${description}`);
    insert.run(of.name, of.description, parts.join(' '));
  }
  const ranked = db.prepare('SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rank LIMIT 10');
  const times = { ours: [], theirs: [] };
  for (let i = 0; i < COUNT * ROUNDS; i += 1) {
    const word = NOUNS[i % 10];
    let began = performance.now();
    await indexes[1].search({ ...everything, query: text(word) });
    times.ours.push(performance.now() - began);
    began = performance.now();
    ranked.all(word);
    times.theirs.push(performance.now() - began);
  }
  db.close();
  const [ours, theirs] = [median(times.ours), median(times.theirs)];
  console.log(
    `text search of ${SIZES[1]}: ${ours.toFixed(2)} ms, ${(ours / theirs).toFixed(2)} x bare FTS5 by rank (ceiling: 2)`,
  );
}
