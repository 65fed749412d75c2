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

/** Units and adapters, from their source: each file loads what it tests for itself. */
export const units = {
  ...common,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: [...common.testPathIgnorePatterns, '<rootDir>/test/(e2e|golden)/'],
  transform: compiled,
};

/** The whole service, from its build: what these files import of the source are the modules of the build. */
export const service = {
  ...common,
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/{e2e,golden}/**/*.spec.ts'],
  testEnvironment: '<rootDir>/test/harness/build-environment.mjs',
  transform: { '/src/.+\\.ts$': '<rootDir>/test/harness/built-module.mjs', ...compiled },
};

/** The embedded profile: everything that Node alone can run. */
export default {
  projects: [units, service],
  // A limit is for tests that hang: it is far beyond what the slowest test takes on a busy machine.
  testTimeout: 300_000,
  // One worker for each core, and one more for those that wait for processes of their own. Jest would leave one core idle.
  maxWorkers: availableParallelism() + 1,
  // Modules that are loaded in a context of their own for each file are not given back: without fresh workers the heap
  // fills up, and a service under test sheds its requests.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', '<rootDir>/test/harness/slowest-reporter.mjs'],
};
