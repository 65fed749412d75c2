import { availableParallelism } from 'node:os';

const compiled = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      swcrc: false,
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
        target: 'es2024',
        keepClassNames: true,
      },
      module: { type: 'es6' },
      sourceMaps: 'inline',
    },
  ],
};

const common = {
  testEnvironment: 'node',
  testPathIgnorePatterns: ['/node_modules/', '\\.stack\\.spec\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
};

/**
 * Specs that replace timers or modules, count turns of the event loop, or make a Nest application of parts of the service:
 * that works only where the service is loaded into the context of the spec.
 */
const FROM_SOURCE = [
  'src/catalog/queue/processor',
  'src/catalog/schedule/background-throttle',
  'src/cli/import-export',
  'src/cli/progress',
  'src/http/create-application',
  'src/http/ingress/ingress',
  'src/http/log-destination',
  'src/http/quick-reads',
  'src/modules/auth/bearer.guard',
  'src/modules/events/feed-pages',
  'src/modules/graphql/engine/engine',
  'src/modules/graphql/engine/introspection',
  'src/modules/graphql/engine/leaf-values',
  'src/modules/graphql/slices',
  'src/modules/operations/operations',
  'src/modules/policies/policies.service',
  'src/modules/search/maintenance/system-update.processor',
  'src/modules/webhooks/webhook-target',
].map((name) => `<rootDir>/${name}.spec.ts`);

/** From the source: each file loads what it tests for itself. */
export const fromSource = {
  ...common,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: FROM_SOURCE,
  transform: compiled,
};

/** From the build: what these files import of the source are the modules of the build. */
const fromBuild = {
  ...common,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testEnvironment: '<rootDir>/test/harness/build-environment.mjs',
  transform: { '/src/.+(?<!\\.spec)\\.ts$': '<rootDir>/test/harness/built-module.mjs', ...compiled },
};

/** Units and adapters. */
const units = {
  ...fromBuild,
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [
    ...common.testPathIgnorePatterns,
    '<rootDir>/test/(e2e|golden)/',
    ...FROM_SOURCE.map((path) => path.replaceAll('.', '\\.')),
  ],
};

/** The whole service. */
export const service = { ...fromBuild, testMatch: ['<rootDir>/test/{e2e,golden}/**/*.spec.ts'] };

/** The embedded profile: everything that Node alone can run. */
export default {
  projects: [fromSource, units, service],
  // A limit is for tests that hang: it is far beyond what the slowest test takes on a busy machine.
  testTimeout: 300_000,
  testSequencer: '<rootDir>/test/harness/longest-first.mjs',
  // One worker for each core, and three more for those that wait for processes of their own, or for a clock. Jest would leave one
  // core idle.
  maxWorkers: availableParallelism() + 3,
  // Common collections do not give back modules that are loaded in a context of their own for each file: where the environment of
  // the build (build-environment.mjs) does not end it before, the heap fills up, and a service under test sheds its requests.
  workerIdleMemoryLimit: '1GB',
  // Half a second is too short for a worker with such a heap on a busy machine: it was taken for one that does not end.
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/test/harness/slowest-reporter.mjs'],
};
