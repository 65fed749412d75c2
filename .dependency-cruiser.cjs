/**
 * The import table of docs/architecture.md, as rules. Specs are free: they may reach what they test.
 */
/** Modules that every module may import: index.ts, graphql.ts with what resolvers need of them, offline.ts with what commands need. */
const SHARED = ['auth', 'entities', 'graphql', 'ingest'];
/** Modules that are made of others besides. */
const MADE_OF = {
  // Assertions are about datasets, found by their edges, and their results are events.
  assertions: ['datasets', 'relationships', 'timeseries'],
  // A product has owners; products of an asset are found by their edges, its assets are searched.
  'data-products': ['ownership', 'relationships', 'search'],
  // Columns have tags and terms; an update of a dataset is one of its owners and of its deprecation. Queries are searched.
  datasets: ['glossary', 'lifecycle', 'ownership', 'search', 'tags'],
  // Commits are published, delivered to consumers, and waited for.
  // Events are made of the change log, by the rules of the timeline.
  events: ['change-log', 'timeline'],
  // Events are delivered.
  audit: ['paging'],
  webhooks: ['change-log', 'events'],
  ingest: ['change-log'],
  // They are listed, and so are their runs.
  'ingestion-sources': ['search'],
  // What a form is put to is searched.
  forms: ['search'],
  // The incidents of an asset are listed.
  incidents: ['search'],
  lifecycle: ['change-log'],
  // Scroll ids are signed.
  search: ['change-log', 'paging'],
  // What is new has an owner; what belongs to a domain is searched.
  glossary: ['ownership', 'search'],
  tags: ['ownership'],
  // Kinds of ownership are searched.
  ownership: ['search'],
  // Lists and lineage are searched; properties are counted with the other facets.
  // A list of everything has the place in the change log from which a reader goes on.
  openapi: ['change-log', 'search'],
  // Runs that read or wrote a dataset are a field of it.
  relationships: ['datasets', 'paging', 'search'],
  // A key that all processes share encrypts secrets.
  secrets: ['paging'],
  'structured-properties': ['search'],
  // Policies are listed.
  policies: ['search'],
  // Profiles and usage are fields of datasets.
  timeseries: ['datasets', 'paging'],
  // A group has owners; users and groups are listed.
  users: ['ownership', 'search'],
  // Versions are found by their edges, and searched.
  versions: ['relationships', 'search'],
  // An export says where the change log goes on, and may hold what a search finds.
  transfer: ['change-log', 'search'],
  // Values that the change log names stay.
  retention: ['change-log'],
};

/** What a module may import of others. */
const importable = (names) =>
  `^src/modules/(${names.join('|')})/(index|graphql|offline)\\.ts$|^src/modules/graphql/lazy\\.ts$`;

/** Packages that speak to a backing service; only adapters may load them. */
const BACKING = 'node_modules/(@elastic|@opentelemetry|bull|@nestjs/bull|ioredis|mysql2)/';

module.exports = {
  forbidden: [
    {
      name: 'catalog-is-the-kernel',
      comment: 'The kernel imports nothing but itself.',
      severity: 'error',
      from: { path: '^src/catalog/' },
      to: { path: '^src/(modules|adapters|backing|config)/|^src/[^/]+\\.ts$' },
    },
    {
      name: 'catalog-without-persistence',
      comment: 'The kernel knows no database library and no framework beyond injection tokens.',
      severity: 'error',
      from: { path: '^src/catalog/' },
      to: { path: `node_modules/(typeorm|@nestjs)/|${BACKING}` },
    },
    {
      name: 'adapters-know-the-kernel-only',
      comment: 'An adapter imports the kernel and its own folder.',
      severity: 'error',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/', pathNot: '^src/catalog/|^src/adapters/$1/' },
    },
    {
      name: 'modules-do-not-import-adapters',
      comment: 'Modules see the ports of the kernel, never an adapter.',
      severity: 'error',
      from: { path: '^src/modules/' },
      to: { path: `^src/adapters/|${BACKING}` },
    },
    {
      name: 'modules-meet-in-the-kernel',
      comment: 'A module imports itself, the kernel, and the index.ts of the shared modules.',
      severity: 'error',
      from: { path: '^src/modules/([^/]+)/', pathNot: `^src/modules/(${Object.keys(MADE_OF).join('|')})/` },
      to: { path: '^src/modules/([^/]+)/', pathNot: `^src/modules/$1/|${importable(SHARED)}` },
    },
    ...Object.entries(MADE_OF).map(([module, parts]) => ({
      name: `${module}-is-made-of`,
      comment: `Besides the shared modules, ${module} imports the index.ts of ${parts.join(', ')}.`,
      severity: 'error',
      from: { path: `^src/modules/${module}/` },
      to: {
        path: '^src/modules/([^/]+)/',
        pathNot: `^src/modules/${module}/|${importable([...SHARED, ...parts])}`,
      },
    })),
    {
      name: 'typeorm-in-rows-and-repositories',
      comment: 'In a module, only rows (entities/) and repositories may import TypeORM.',
      severity: 'error',
      from: { path: '^src/modules/', pathNot: `/entities/|\\.repository\\.ts$` },
      to: { path: 'node_modules/typeorm/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-cycles-between-modules',
      comment: 'Two modules never need each other, whichever of their files meet.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/modules/[^/]+$' },
      to: { circular: true, path: '^src/modules/[^/]+$' },
    },
    {
      name: 'http-stands-on-few-modules',
      comment: 'HTTP knows who is calling, and gives way to requests. Nothing else of modules.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: '^src/modules/', pathNot: '^src/modules/auth/index\\.ts$' },
    },
    {
      name: 'backing-stands-on-one-module',
      comment: 'Backing services say how they are. Nothing else of modules.',
      severity: 'error',
      from: { path: '^src/backing/' },
      to: { path: '^src/modules/', pathNot: '^src/modules/operations/index\\.ts$' },
    },
    {
      name: 'config-stands-alone',
      severity: 'error',
      from: { path: '^src/config/' },
      to: { path: '^src/(modules|adapters|backing|http|cli)/' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
