/** What is said on the way, and the table at the end. */
export class Report {
  rows = [];
  passed = 0;
  failed = 0;
  start = performance.now();

  say(text) {
    console.error(`${((performance.now() - this.start) / 1000).toFixed(1).padStart(6)} s  ${text}`);
  }

  add(row) {
    this.passed++;
    this.rows.push(row);
  }

  /** One profile: its table, and what was found missing, which is a case of its own. */
  conclude(profile, counts, findings) {
    console.table(this.rows.splice(0));
    console.log(
      `${profile}: ${counts.acknowledged} writes acknowledged (${counts.accepted} of them with 202), ` +
        `${counts.searches} searches answered, ${counts.retried} requests repeated, ` +
        `${counts.urns} entities looked up in store, history and index`,
    );
    for (const finding of findings.slice(0, 50)) console.log(`WRONG  ${finding}`);
    console.log(findings.length === 0 ? 'nothing is missing' : `${findings.length} findings`);
    if (findings.length === 0) this.passed++;
    else this.failed++;
  }

  fail(error, lastWords) {
    this.failed++;
    console.table(this.rows.splice(0));
    console.error(`FAILED  ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    console.error(lastWords);
  }
}
