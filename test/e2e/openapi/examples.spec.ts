import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DATASET } from '../../../src/catalog/route/index.js';
import { DOCUMENTS } from '../../../src/modules/openapi/document/document-list.js';
import { TestCatalog, type Answer } from '../../harness/catalog.js';
import { importSample, sampleFound } from '../../harness/sample.js';
import { operationsOf, urlOf, type Operation } from '../../harness/operations.js';
import { SHORT_WAITS } from '../events/feed-reader.js';
import {
  deleteAll,
  faultOf,
  faults,
  isRead,
  isWrite,
  registerWebhook,
  tracesOf,
  WITHOUT_SECRET,
} from './example-calls.js';
import { isUndocumented } from './support.js';

let catalog: TestCatalog;
let calls: Operation[];
beforeAll(async () => {
  catalog = await TestCatalog.start(SHORT_WAITS);
  await importSample(catalog);
  await sampleFound(catalog);
  await registerWebhook(catalog);
  calls = (await Promise.all(DOCUMENTS.map(({ name }) => operationsOf(catalog, name)))).flat();
});
afterAll(() => catalog.stop());

const send = (call: Operation): Promise<Answer> =>
  catalog.request(call.method, urlOf(call), {
    headers: call.headers,
    ...(call.body !== undefined && { body: call.body }),
  });

/** Whether a call is one of what the listing shows: `/<path>?action=<action>`, or a path with `:name` for what varies. */
function isOf(listed: string, call: Operation): boolean {
  if (listed.includes('?')) return urlOf(call) === listed;
  const [pattern, given] = [listed.split('/'), call.pattern.split('/')];
  return (
    pattern.length === given.length && pattern.every((part, i) => part.startsWith('{') || part === given[i])
  );
}

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

describe('the examples of the served documents, after the import of the sample', () => {
  it('are about what a search finds first, and what all aspects say of it does not change that', async () => {
    const query = { entity: 'dataset', input: 'orders', start: 0, count: 2 };
    const { body } = await catalog.post('/entities?action=search', query);
    expect(body.value.metadata.urns).toContain(DATASET);
  });

  it('read something', async () => {
    const reads = calls.filter(isRead);
    expect(reads.length).toBeGreaterThan(2500);
    expect(await faults(reads, send)).toEqual([]);
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
        // As a browser does.
        const page = answer.status === 302 ? answer.headers.get('location') : null;
        if (page !== null) return faultOf(`GET ${page}`, await catalog.get(page), false);
        return faultOf(`${method} ${path}`, answer, ['/logOut', '/track'].includes(path));
      });
    expect((await Promise.all(wrong)).filter((one) => one !== undefined)).toEqual([]);
  });

  it('write what stands there, or ask with a body', async () => {
    const writes = calls.filter(isWrite);
    expect(writes.length).toBeGreaterThan(2500);
    expect(await faults(writes, send)).toEqual([]);
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
    const asked = await tracesOf(calls, catalog);
    expect(asked.length).toBeGreaterThan(2);
    expect(await faults(asked, send)).toEqual([]);
  });

  it('delete what is there', async () => {
    const { entities, wrong } = await deleteAll(calls, catalog, send);
    expect(entities).toBeGreaterThan(70);
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
