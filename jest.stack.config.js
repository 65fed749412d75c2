import embedded, { fromSource, service } from './jest.config.js';

// The same files as on the embedded profile, on the servers of the environment. CI names one of them MARIADB_URL.
process.env.TEST_PROFILE ??= 'stack';
process.env.STACK_DATABASE_URL ??= process.env.MARIADB_URL ?? '';

/**
 * What needs real servers, and the end-to-end suite on them: their addresses come from the environment, and a missing
 * one fails the test. `*.embedded.spec.ts` speaks of what the profile cannot change, or of files that the
 * embedded one has only.
 */
export default {
  ...embedded,
  projects: [
    {
      ...fromSource,
      testMatch: ['**/*.stack.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(e2e|golden)/'],
    },
    { ...service, testPathIgnorePatterns: ['/node_modules/', '\\.embedded\\.spec\\.ts$'] },
  ],
  testTimeout: 600_000,
  // Each file has databases, keys and indices of its own.
  // Many of them wait for servers, leases and time limits: one worker more than cores uses what they leave. With more, servers
  // on two cores answer so late that what waits for them gives up.
  maxWorkers: 3,
  reporters: [...embedded.reporters, '<rootDir>/test/harness/client-results-reporter.mjs'],
};
