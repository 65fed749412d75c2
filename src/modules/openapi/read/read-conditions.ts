import { readTags, type HttpHeaders } from '../../../catalog/change/index.js';
import { refuse } from '../../../catalog/errors/index.js';

const MATCH = 'if-match';
const NONE_MATCH = 'if-none-match';

/** Whether a read has conditions at all. */
export const hasConditions = (headers: HttpHeaders): boolean =>
  headers[MATCH] !== undefined || headers[NONE_MATCH] !== undefined;

/**
 * The conditions of a read (RFC 9110, section 13): `If-Match` comes before `If-None-Match`, and neither concerns what is
 * not there.
 */
export class ReadConditions {
  private readonly expected: '*' | readonly string[];
  private readonly known: '*' | readonly string[];

  /** @throws CatalogError PARAMETER_INVALID for what is no list of tags */
  constructor(headers: HttpHeaders = {}) {
    this.expected = tagsOf(headers, MATCH, 'If-Match') ?? '*';
    this.known = tagsOf(headers, NONE_MATCH, 'If-None-Match') ?? [];
  }

  /**
   * @param tag of what is there now; undefined for what has none
   * @param what is read, for the message
   * @throws CatalogError PRECONDITION_FAILED where the caller expects another one. A weak tag is none of these.
   */
  check(tag: string | undefined, what: string): void {
    if (this.expected === '*' || (tag !== undefined && this.expected.includes(tag))) return;
    const now = tag === undefined ? 'it has no tag' : 'it is not that now';
    const message = `${what}: what an earlier read found is expected, but ${now}`;
    throw refuse('PRECONDITION_FAILED', message, '/headers/If-Match');
  }

  /** Whether the caller has it already: of reads, weak tags mean the same as strong ones. */
  knows(tag: string): boolean {
    return this.known === '*' || this.known.some((one) => one.replace(/^W\//, '') === tag);
  }
}

function tagsOf(headers: HttpHeaders, name: string, shown: string): '*' | string[] | undefined {
  const value = headers[name];
  const text = Array.isArray(value) ? value.join(', ') : value;
  return text === undefined ? undefined : readTags(shown, text, `/headers/${shown}`);
}
