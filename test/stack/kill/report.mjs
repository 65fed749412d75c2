/** What is said on the way, and the table at the end. */
export class Report {
  rows = [];
  start = performance.now();

  say(text) {
    console.error(`${((performance.now() - this.start) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  }

  add(row) {
    this.rows.push(row);
  }

  conclude(counts, findings) {
    console.table(this.rows);
    console.log(
      `${counts.acknowledged} writes acknowledged, ${counts.searches} searches answered, ${counts.retried} requests ` +
        `repeated, ${counts.urns} entities looked up in store and index`,
    );
    for (const finding of findings.slice(0, 50)) console.log(`LOST  ${finding}`);
    console.log(findings.length === 0 ? 'nothing is missing' : `${findings.length} findings`);
  }

  fail(error, lastWords) {
    console.table(this.rows);
    console.error(`FAILED  ${error instanceof Error ? error.message : String(error)}`);
    console.error(lastWords);
  }
}
