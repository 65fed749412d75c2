import embedded from './jest.config.js';

// The same files as on the embedded profile, on the servers of the environment. CI names one of them MARIADB_URL.
process.env.TEST_PROFILE ??= 'stack';
process.env.STACK_DATABASE_URL ??= process.env.MARIADB_URL ?? '';

/**
 * What needs real servers, and the end-to-end suite on them: their addresses come from the environment, and a missing
 * one fails the test. `*.embedded.spec.ts` speaks of files that exist on the embedded profile only.
 */
export default {
  ...embedded,
  testMatch: ['**/*.stack.spec.ts', '<rootDir>/test/e2e/**/*.spec.ts', '<rootDir>/test/golden/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.embedded\\.spec\\.ts$'],
  testTimeout: 600000,
  // Each file has databases, keys and indices of its own.
  maxWorkers: 2,
};
