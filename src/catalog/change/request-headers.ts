import { refuse } from '../errors/index.js';
import { WAIT_HEADER } from './write-headers.js';

/** The headers of a request, names in lower case. */
export type HttpHeaders = Readonly<Record<string, string | string[] | undefined>>;

const CONDITIONS = ['if-match', 'if-none-match', 'if-version-match'] as const;
const DATES = ['if-modified-since', 'if-unmodified-since'] as const;

/** The headers of a request that a proposal carries: its conditions, and when it is answered. */
export function proposalHeaders(headers: HttpHeaders): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of CONDITIONS) {
    const text = textOf(headers[name]);
    if (text !== undefined) found[name] = text;
  }
  for (const name of DATES) {
    const text = textOf(headers[name]);
    if (text !== undefined) found[name] = fromHttpDate(text, name);
  }
  const sync = textOf(headers[WAIT_HEADER]);
  if (sync !== undefined) found[WAIT_HEADER] = sync;
  return found;
}

/** The headers of a request that hold for every proposal of a batch. */
export function waitHeader(headers: HttpHeaders): Readonly<Record<string, string>> {
  const sync = textOf(headers[WAIT_HEADER]);
  return sync === undefined ? {} : { [WAIT_HEADER]: sync };
}

/** A batch carries conditions in its items: a header could not say which item it means. */
export function refuseConditions(headers: HttpHeaders, hint: string): void {
  const name = [...CONDITIONS, ...DATES].find((condition) => headers[condition] !== undefined);
  if (name !== undefined) throw refuse('PARAMETER_INVALID', `${name} is not understood here: ${hint}`, '');
}

/** A client that sends a key relies on a repeated call being answered as before, which only OpenAPI does. */
export function refuseIdempotencyKey(headers: HttpHeaders): void {
  if (headers['idempotency-key'] === undefined) return;
  const message =
    'Idempotency-Key is not understood here: POST /openapi/v2/platform/entities/v1 takes change proposals with it';
  throw refuse('PARAMETER_INVALID', message, '/headers/Idempotency-Key');
}

const IMF_DATE =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/** The date of HTTP has whole seconds, so it stands for the end of its second. Other texts are left as they are. */
function fromHttpDate(text: string, name: string): string {
  if (!IMF_DATE.test(text)) return text;
  const time = Date.parse(text);
  if (Number.isNaN(time) || new Date(time).toUTCString() !== text)
    throw refuse('PARAMETER_INVALID', `"${text}" is no date`, `/headers/${name}`);
  return new Date(time + 999).toISOString();
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}
