import Sequencer from '@jest/test-sequencer';

/** Files that work or wait longest, and that their size does not tell. */
const LONGEST =
  /(older-database|backup-restore|poison|webhooks|naughty-strings|(elasticsearch|sqlite)-search-index|shell-commands|(openapi|graphql)\/(bounds|examples|whole-model|document-bytes|generated-client|cleanup)|refusals\/parameters|visibility|aspect-api\/(finding|fuzz)|verify-files|export-import|search-digest|threaded-search-index|how-to|data-folder|guides|removal|client-package|openapi\/(linters|generators|swagger-ui-examples)|client\/commands[a-z-]*|mysql-(migrations|failures)|one-index|server-backup|web\/(edits|places|lineage))\b.*\.spec\.ts$/;

/** Each of these takes minutes, most of them of one core: what begins with them ends with them. */
const FIRST = /openapi\/fuzz-\w+\.stack\.spec\.ts$/;

/** What a file that no run has timed is taken to need, in milliseconds. */
const TIMES = { first: 300_000, longest: 60_000, forEachByte: 0.3 };

/**
 * Begins with the files that take longest, so that no core is idle at the end. Jest remembers how long files took. Those that it
 * has not run it puts before all others: where a few of the longest were run by themselves, these would be the last.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const expected = new Map(tests.map((test) => [test, this.time(test) ?? guess(test)]));
    return super
      .sort(tests)
      .toSorted((a, b) => this.hasFailed(b) - this.hasFailed(a) || expected.get(b) - expected.get(a));
  }
}

function guess({ path, context }) {
  if (FIRST.test(path)) return TIMES.first;
  if (LONGEST.test(path)) return TIMES.longest;
  return (context.hasteFS.getSize(path) ?? 0) * TIMES.forEachByte;
}
