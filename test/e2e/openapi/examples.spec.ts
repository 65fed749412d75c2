import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATASET } from '../../../src/catalog/route/index.js';
import { DOCUMENTS } from '../../../src/modules/openapi/document/document-list.js';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { importSample, sampleFound, SAMPLE_LINES } from '../../harness/sample.js';
import { each, operationsOf, urlOf, type Operation } from '../../harness/operations.js';
import { SHORT_WAITS } from '../events/feed-reader.js';
import { encoded } from '../aspect-api/support.js';
import { isUndocumented } from './support.js';

let catalog: TestCatalog;
let calls: Operation[];
beforeAll(async () => {
  catalog = await TestCatalog.start(SHORT_WAITS);
  await importSample(catalog);
  await sampleFound(catalog);
  // What the examples of others are about.
  await catalog.post('/operations?action=registerWebhook', {
    name: 'on-call',
    url: 'https://example.org/catalog-events',
  });
  calls = (await Promise.all(DOCUMENTS.map(({ name }) => operationsOf(catalog, name)))).flat();
}, 60_000);
afterAll(() => catalog.stop());

const send = (call: Operation): Promise<Answer> =>
  catalog.request(call.method, urlOf(call), {
    headers: call.headers,
    ...(call.body !== undefined && { body: call.body }),
  });

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
const WITHOUT_SECRET: ReadonlySet<string> = new Set(['logIn', 'signUp', 'setPassword']);

/** What is wrong with an answer, in a line; undefined when it is good and says something. */
function fault(call: Operation, answer: Answer): string | undefined {
  const { name, method, path } = call;
  const quiet = method === 'DELETE' || SAY_NOTHING.test(path) || QUIET.has(name);
  return faultOf(`${name}: ${method} ${urlOf(call)}`, answer, quiet);
}

/** @param quiet whether there is nothing to say */
function faultOf(about: string, { status, body, text }: Answer, quiet: boolean): string | undefined {
  if (status < 200 || status > 299) return `${about} ${status} ${text.slice(0, 300)}`;
  const members = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const empty = [['the answer', body] as const, ...members].filter(
    ([name, value]) => ['[]', '{}', 'null'].includes(JSON.stringify(value)) && !MAY_BE_EMPTY.has(name),
  );
  return empty.length > 0 && !quiet ? `${about} is empty: ${empty.map(([name]) => name).join()}` : undefined;
}

async function faults(some: readonly Operation[]): Promise<string[]> {
  const found = await each(some, async (call) => fault(call, await send(call)));
  return found.filter((one) => one !== undefined);
}

/** Deletes what it names, wherever in the order it comes. */
const deletes = ({ name, method }: Operation): boolean =>
  method === 'DELETE' || ['callEntities delete', 'callOperations deleteWebhook'].includes(name);

/** Whether a call is one of what the listing shows: `/<path>?action=<action>`, or a path with `:name` for what varies. */
function isOf(listed: string, call: Operation): boolean {
  if (listed.includes('?')) return urlOf(call) === listed;
  const [pattern, given] = [listed.split('/'), call.pattern.split('/')];
  return (
    pattern.length === given.length && pattern.every((part, i) => part.startsWith('{') || part === given[i])
  );
}

const isProperty = (urn: string): boolean => urn.includes('structuredProperty');

/** The URN that a call names first. */
const urnOf = (call: Operation): string =>
  decodeURIComponent(/urn%3[^/?&]*/.exec(urlOf(call))?.[0] ?? (call.body as { urn?: string })?.urn ?? '');

interface Endpoint {
  method: string;
  path: string;
  example?: { path: string; headers?: Record<string, string>; body?: unknown };
}

/** The endpoints of the listing. */
async function listed(): Promise<Endpoint[]> {
  const { body } = await catalog.get('/restli/docs', { headers: { accept: 'application/json' } });
  return body.groups.flatMap(({ endpoints }: { endpoints: Endpoint[] }) => endpoints);
}

/** The names as `catalog.request` has its own. */
const lower = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** About a write or deletion of the caller, which the example cannot name. */
const isTrace = ({ pattern }: Operation): boolean => pattern.includes('{traceId}');

describe('the examples of the served documents, after the import of the sample', () => {
  it('are about what a search finds first, and what all aspects say of it does not change that', async () => {
    const query = { entity: 'dataset', input: 'orders', start: 0, count: 2 };
    const { body } = await catalog.post('/entities?action=search', query);
    expect(body.value.metadata.urns).toContain(DATASET);
  });

  it('read something', async () => {
    const reads = calls.filter((call) => ['GET', 'HEAD'].includes(call.method) && !isTrace(call));
    expect(reads.length).toBeGreaterThan(2500);
    expect(await faults(reads)).toEqual([]);
  });

  it('of the listing are calls of the aspect API, each with an answer', async () => {
    const aspectApi = (await listed()).filter(({ path }) =>
      /^\/(aspects|entit|relationships|runs|operations)/.test(path),
    );
    expect(aspectApi.filter(({ example }) => !example).map(({ path }) => path)).toEqual([]);
    const endpoints = (await listed()).filter(({ example }) => example);
    expect(endpoints.length).toBeGreaterThan(50);
    const wrong = endpoints
      // It is deleted last, with what the documents delete.
      .filter(({ path }) => !/action=delete(Webhook)?$/.test(path))
      .map(async ({ method, example: { path, headers, body } = { path: '' } }) => {
        const answer = await catalog.request(method, path, {
          ...(headers && { headers: lower(headers) }),
          body,
        });
        return faultOf(`${method} ${path}`, answer, ['/logOut', '/track'].includes(path));
      });
    expect((await Promise.all(wrong)).filter((one) => one !== undefined)).toEqual([]);
  });

  it('write what stands there, or ask with a body', async () => {
    const writes = calls.filter(
      (call) =>
        ['POST', 'PATCH'].includes(call.method) &&
        !deletes(call) &&
        !isTrace(call) &&
        !WITHOUT_SECRET.has(call.name),
    );
    expect(writes.length).toBeGreaterThan(2500);
    expect(await faults(writes)).toEqual([]);
  });

  it('of a sign-in have no secret, and are told which one is missing', async () => {
    const missing = calls
      .filter(({ name }) => WITHOUT_SECRET.has(name))
      .map(async (call) => {
        const { status, body } = await send(call);
        return [call.name, status, body.code, body.errors[0].pointer];
      });
    expect((await Promise.all(missing)).sort()).toEqual([
      ['logIn', 400, 'PARAMETER_MISSING', '/password'],
      ['setPassword', 400, 'PARAMETER_MISSING', '/resetToken'],
      ['signUp', 400, 'PARAMETER_MISSING', '/password'],
    ]);
  });

  it('ask what became of a write and of a deletion', async () => {
    const tag = 'urn:li:tag:PII';
    const item = { urn: tag, tagProperties: { value: { name: 'PII' } } };
    const queued = await catalog.post('/openapi/v3/entity/tag', [item]);
    const deleted = await catalog.request('DELETE', `/openapi/v3/entity/tag/${encoded(tag)}`);
    const idOf = (answer: Answer) => answer.headers.get('traceparent')!.split('-')[1]!;
    const asked = calls.filter(isTrace).map((call) => {
      const id = idOf(call.path.includes('/references/') ? deleted : queued);
      return { ...call, path: call.path.replace(/0{32}/, id) };
    });
    expect(asked.length).toBeGreaterThan(2);
    expect(await faults(asked)).toEqual([]);
  });

  it('delete what is there', async () => {
    const written = new Map(calls.filter(({ method }) => method === 'POST').map((call) => [call.path, call]));
    const byEntity = Map.groupBy(calls.filter(deletes), urnOf);
    const groups = [...byEntity];
    expect(groups.length).toBeGreaterThan(70);
    const wrong: string[] = [];
    const inOrder = async ([, group]: [string, Operation[]]) => {
      for (const call of group) {
        // What another deletion took is written again.
        const again = written.get(call.path);
        if (again) await send(again);
        else
          await importSample(
            catalog,
            SAMPLE_LINES.filter(({ entityUrn }) => entityUrn === urnOf(call)),
          );
        wrong.push(...(await faults([call])));
      }
    };
    await each(
      groups.filter(([key]) => !isProperty(key)),
      inOrder,
    );
    await each(
      groups.filter(([key]) => isProperty(key)),
      inOrder,
    );
    expect(wrong).toEqual([]);
  });

  it('are there for whatever the listing of the service shows', async () => {
    const missing = (await listed()).filter(
      ({ method, path }) =>
        !isUndocumented({ method, path }) &&
        !calls.some((call) => call.method === method && isOf(path, call)),
    );
    expect(missing.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  });
});
