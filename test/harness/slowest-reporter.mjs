/** Lists the twenty slowest files of a test run, with the slowest test of each, so that a growing suite shows where. */
export default class SlowestReporter {
  onRunComplete(_contexts, results) {
    const files = results.testResults
      .filter(({ perfStats }) => perfStats.runtime > 0)
      .sort((a, b) => b.perfStats.runtime - a.perfStats.runtime)
      .slice(0, 20);
    if (files.length < 2) return;
    console.log('\nSlowest files (seconds, the slowest test of each):');
    for (const { testFilePath, perfStats, testResults } of files) {
      const [slowest] = [...testResults].sort((a, b) => (b.duration ?? 0) - (a.duration ?? 0));
      const name = testFilePath.slice(process.cwd().length + 1);
      const detail = slowest === undefined ? '' : ` (${seconds(slowest.duration ?? 0)} ${slowest.title})`;
      console.log(`${seconds(perfStats.runtime).padStart(7)}  ${name}${detail}`);
    }
  }
}

const seconds = (ms) => (ms / 1000).toFixed(1);
