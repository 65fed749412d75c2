/** The embedded profile: everything that Node alone can run. */
export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.stack\\.spec\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.ts', '$1.js'] },
  transform: {
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
  },
  // A limit is for tests that hang: it is far beyond what the slowest test takes on a busy machine.
  testTimeout: 300_000,
  // One worker for each core: jest would leave one core idle, which is half of a small machine.
  maxWorkers: '100%',
  // Modules that are loaded in a context of their own for each file are not given back: without fresh workers the heap
  // fills up, and a service under test sheds its requests.
  workerIdleMemoryLimit: '1GB',
  reporters: ['default', '<rootDir>/test/harness/slowest-reporter.mjs'],
};
