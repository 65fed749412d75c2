import Sequencer from '@jest/test-sequencer';

/** Files that work or wait longest, and that their size does not tell. */
const LONGEST =
  /(older-database|backup-restore|poison|webhooks|naughty-strings|(elasticsearch|sqlite)-search-index|shell-commands|(openapi|graphql)\/(bounds|examples|whole-model|document-bytes|generated-client|cleanup)|refusals\/parameters|visibility|aspect-api\/(finding|fuzz)|verify-files|export-import|search-digest|threaded-search-index|how-to|data-folder|guides|removal|client-package|openapi\/(linters|generators|swagger-ui-examples)|client\/commands[a-z-]*|mysql-(migrations|failures)|one-index|server-backup|web\/(edits|places|lineage))\b.*\.spec\.ts$/;

/** Each of these takes minutes, most of them of one core: what begins with them ends with them. */
const FIRST = /openapi\/fuzz-\w+\.stack\.spec\.ts$/;

/**
 * Begins with the files that take longest, so that no core is idle at the end. Jest remembers how long files took, but
 * goes by their size on a machine that has not run them.
 */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    const rank = ({ path }) => (FIRST.test(path) ? 0 : LONGEST.test(path) ? 1 : 2);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
