import { readFileSync, writeFileSync } from 'node:fs';

const FOLDER = '/test/e2e/client/';
const RECORD = new URL('../e2e/client/results.json', import.meta.url);

/**
 * Keeps the results of the tests with unmodified clients, from which docs/compatibility.md is made: written anew with
 * UPDATE_CLIENT_RESULTS=1, compared otherwise. Only of files that were run as a whole.
 */
export default class ClientResultsReporter {
  onRunComplete(_contexts, { testResults }) {
    const files = testResults.filter(({ testFilePath }) => testFilePath.includes(FOLDER)).map(resultsOf);
    const whole = files.filter(([, calls]) => Object.values(calls).every((status) => status !== 'pending'));
    if (whole.length === 0) return;
    const recorded = JSON.parse(readFileSync(RECORD, 'utf8'));
    if (process.env.UPDATE_CLIENT_RESULTS === '1') {
      const all = Object.entries({ ...recorded, ...Object.fromEntries(whole) });
      all.sort(([a], [b]) => (a < b ? -1 : 1));
      writeFileSync(RECORD, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
      return;
    }
    const changed = whole.filter(([file, calls]) => JSON.stringify(recorded[file]) !== JSON.stringify(calls));
    if (changed.length === 0) return;
    const names = changed.map(([file]) => file).join(', ');
    // Jest ends with the error but does not print it.
    const message = `results of ${names} differ from test/e2e/client/results.json: run with UPDATE_CLIENT_RESULTS=1, then npm run generate`;
    console.error(`\n${message}`);
    this.error = new Error(message);
  }

  getLastError() {
    return this.error;
  }
}

/** The name of a file, and what came of each of its tests by their titles. */
function resultsOf({ testFilePath, testResults }) {
  const file = testFilePath.slice(testFilePath.indexOf(FOLDER) + FOLDER.length);
  const calls = testResults
    .filter(({ title }) => !BOOKKEEPING.includes(title))
    .map(({ ancestorTitles, title, status }) => [[...ancestorTitles, title].join(' › '), status]);
  return [file, Object.fromEntries(calls)];
}

/** Tests of the tests. */
const BOOKKEEPING = ['has a test for every step'];
