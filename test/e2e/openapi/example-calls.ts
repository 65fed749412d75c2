import { encoded } from '../aspect-api/support.js';
import type { Answer } from '../../harness/catalog.js';
import { each, urlOf, type Operation } from '../../harness/operations.js';
import { importSample, SAMPLE_LINES } from '../../harness/sample.js';

/** What of an answer says whether it is good. */
export type Answered = Pick<Answer, 'status' | 'body' | 'text'>;
/** Whoever calls operations with their examples. */
export type Send = (call: Operation) => Promise<Answered>;
/** Whoever imports the sample, and asks without a document. */
interface Client {
  post(path: string, body: unknown): Promise<{ status: number; body: unknown }>;
}

/** Members of answers that say nothing where there was nothing to say. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set([
  // Lists that were not asked for facets.
  'facets',
  // Of a last page.
  'scrollId',
  // What went wrong in a read of several.
  'statuses',
  'errors',
  // Of the configuration, for clients that wait for it.
  'models',
  // Of GraphQL.
  'extensions',
]);
/** Aspects whose answers are empty: those that nobody may read, and one without any field. */
const SAY_NOTHING = /\/(corpUserCredentials|dataHubSecretValue|dataHubAccessTokenInfo|dataHubPersonaInfo)$/;

/** Operations with nothing to say in a catalog where all is well, or where what they write stands there already. */
const QUIET: ReadonlySet<string> = new Set(['writeEntitiesV1', 'logOut']);
/** Operations whose examples leave out a secret, which is for the person to say. */
export const WITHOUT_SECRET: ReadonlySet<string> = new Set(['logIn', 'signUp', 'setPassword']);

/** What is wrong with an answer, in a line; undefined when it is good and says something. */
function fault(call: Operation, answer: Answered): string | undefined {
  const { name, method, path } = call;
  const quiet = method === 'DELETE' || SAY_NOTHING.test(path) || QUIET.has(name);
  return faultOf(`${name}: ${method} ${urlOf(call)}`, answer, quiet);
}

/** @param quiet whether there is nothing to say */
export function faultOf(about: string, { status, body, text }: Answered, quiet: boolean): string | undefined {
  if (status < 200 || status > 299) return `${about} ${status} ${text.slice(0, 300)}`;
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const empty = [['the answer', body] as const, ...members].filter(
    ([name, value]) => ['[]', '{}', 'null'].includes(JSON.stringify(value)) && !MAY_BE_EMPTY.has(name),
  );
  return empty.length > 0 && !quiet ? `${about} is empty: ${empty.map(([name]) => name).join()}` : undefined;
}

/** What is wrong with the answers, a line each. */
export async function faults(some: readonly Operation[], send: Send, atOnce?: number): Promise<string[]> {
  const found = await each(some, async (call) => fault(call, await send(call)), atOnce);
  return found.filter((one) => one !== undefined);
}

/** Deletes what it names, wherever in the order it comes. */
export const deletes = ({ name, method }: Operation): boolean =>
  method === 'DELETE' || ['callEntities delete', 'callOperations deleteWebhook'].includes(name);

/** About a write or deletion of the caller, which the example cannot name. */
export const isTrace = ({ pattern }: Operation): boolean => pattern.includes('{traceId}');

/** Reads whose examples say something. */
export const isRead = (call: Operation): boolean => ['GET', 'HEAD'].includes(call.method) && !isTrace(call);

/** Writes of what stands there, and questions with a body. */
export const isWrite = (call: Operation): boolean =>
  ['POST', 'PATCH'].includes(call.method) &&
  !deletes(call) &&
  !isTrace(call) &&
  !WITHOUT_SECRET.has(call.name);

/**
 * A property takes its values along, a set of versions `versionProperties` of whatever names it, and the last version its set: in the
 * sample a version of a model, whose set a dataset names as well.
 */
const takesFromOthers = (urn: string): boolean => /structuredProperty|:versionSet:|:mlModel:/.test(urn);

/** The URN that a call names first. */
const urnOf = (call: Operation): string =>
  decodeURIComponent(/urn%3[^/?&]*/.exec(urlOf(call))?.[0] ?? (call.body as { urn?: string })?.urn ?? '');

/** What the examples of others are about. */
export async function registerWebhook(client: Client): Promise<void> {
  await client.post('/operations?action=registerWebhook', {
    name: 'on-call',
    url: 'https://example.org/catalog-events',
  });
}

/** The calls that ask what became of a write or a deletion, about such of `client`. */
export async function tracesOf(
  calls: readonly Operation[],
  client: { request(method: string, path: string, options?: { body?: unknown }): Promise<Answer> },
): Promise<Operation[]> {
  const tag = 'urn:li:tag:PII';
  const item = { urn: tag, tagProperties: { value: { name: 'PII' } } };
  const queued = await client.request('POST', '/openapi/v3/entity/tag', { body: [item] });
  const deleted = await client.request('DELETE', `/openapi/v3/entity/tag/${encoded(tag)}`);
  const written = queued.headers.get('traceparent')!.split('-')[1]!;
  const cleared = deleted.headers.get('location')!.split('/').at(-1)!;
  return calls.filter(isTrace).map((call) => {
    const id = call.path.includes('/references/') ? cleared : written;
    return {
      ...call,
      path: call.path.replace(/0{32}/, id),
      given: { ...call.given, 'path.traceId': id },
    };
  });
}

/** Calls every deletion, each after what it names has been written again. @returns how many entities, and what was wrong */
export async function deleteAll(
  calls: readonly Operation[],
  client: Client,
  send: Send,
  atOnce?: number,
): Promise<{ entities: number; wrong: string[] }> {
  const written = new Map(calls.filter(({ method }) => method === 'POST').map((call) => [call.path, call]));
  const groups = [...Map.groupBy(calls.filter(deletes), urnOf)];
  const wrong: string[] = [];
  const inOrder = async ([urn, group]: [string, Operation[]]) => {
    for (const call of group) {
      // What another deletion took is written again; a structured property comes into being with its definition only.
      const again = urn.startsWith('urn:li:structuredProperty:') ? undefined : written.get(call.path);
      if (again) await send(again);
      else
        await importSample(
          client,
          SAMPLE_LINES.filter(({ entityUrn }) => entityUrn === urn),
        );
      wrong.push(...(await faults([call], send)));
    }
  };
  const [others, takers] = [false, true].map((takes) =>
    groups.filter(([key]) => takesFromOthers(key) === takes),
  );
  await each(others!, inOrder, atOnce);
  for (const taker of takers!) await inOrder(taker);
  return { entities: groups.length, wrong };
}
