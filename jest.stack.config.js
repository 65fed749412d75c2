import embedded from './jest.config.js';

/** What needs real servers: their addresses come from the environment, and a missing one fails the test. */
export default {
  ...embedded,
  testMatch: ['**/*.stack.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/'],
  testTimeout: 600000,
  maxWorkers: 1,
};
