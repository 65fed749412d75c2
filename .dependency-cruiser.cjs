/**
 * The import table of docs/architecture.md, as rules. Specs are free: they may reach what they test.
 */
/** Modules that every module may import: index.ts, graphql.ts with what resolvers need of them, offline.ts with what commands need. */
const SHARED = ['auth', 'entities', 'graphql', 'ingest'];
/** Modules that are made of others besides; docs/architecture.md says why, and a test compares the two. */
const MADE_OF = {
  'accepted-writes': ['search'],
  assertions: ['datasets', 'relationships', 'timeseries'],
  audit: ['paging'],
  'data-products': ['ownership', 'relationships', 'search'],
  datasets: ['glossary', 'lifecycle', 'ownership', 'search', 'tags'],
  domains: ['ownership', 'search', 'trees'],
  events: ['change-log', 'timeline'],
  forms: ['search'],
  glossary: ['search', 'trees'],
  incidents: ['search'],
  ingest: ['change-log'],
  'ingestion-sources': ['search'],
  lifecycle: ['change-log'],
  openapi: ['accepted-writes', 'change-log', 'search'],
  ownership: ['search'],
  policies: ['search'],
  relationships: ['datasets', 'paging', 'search'],
  retention: ['change-log'],
  search: ['change-log', 'paging'],
  secrets: ['paging'],
  'structured-properties': ['search'],
  tags: ['ownership'],
  timeseries: ['datasets', 'paging'],
  transfer: ['change-log', 'search'],
  trees: ['ownership'],
  users: ['ownership', 'search'],
  versions: ['search'],
  views: ['search'],
  webhooks: ['change-log', 'events'],
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
