import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DOCUMENTS } from '../../../src/modules/openapi/document/document-list.js';
import { TestBrowser } from '../../harness/browser.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { operationsOf, type Operation } from '../../harness/operations.js';
import { importSample, sampleFound } from '../../harness/sample.js';
import { SHORT_WAITS } from '../events/feed-reader.js';
import { deleteAll, faults, isRead, isWrite, registerWebhook, tracesOf } from './example-calls.js';

/** Calls that the page has under way: a browser has six connections to a host, and orders the rest. */
const AT_ONCE = 48;

/** An answer as the page has it. */
interface Response {
  status: number;
  text?: string | { text(): Promise<string> };
}
/** The parts of Swagger UI that the page uses itself when somebody clicks on «Execute». */
interface SwaggerUi {
  fn: { execute(request: unknown): Promise<Response> };
  getConfigs(): { requestInterceptor: unknown; responseInterceptor: unknown };
  authSelectors: { authorized(): { toJS(): unknown } };
  specSelectors: {
    specJson(): { toJS(): any; hasIn(path: readonly string[]): boolean };
    parameterValues(operation: readonly [string, string]): { toJS(): Record<string, unknown> };
  };
  oas3Selectors: { requestBodyValue(path: string, method: string): unknown };
}
/** What the functions below find in the page they run in. */
declare const ui: SwaggerUi;
declare const window: { opened?: Record<string, any> };

/**
 * Every example of Swagger UI, sent by the page in Chromium. To open and click 7,000 operations takes hours, so their requests are
 * made by the function that the page calls for a click; swagger-ui.stack.spec.ts clicks.
 */
describe('the examples of Swagger UI, sent in a browser', () => {
  let catalog: TestCatalog;
  let browser: TestBrowser;
  let calls: Operation[];

  beforeAll(async () => {
    // The page is tried here; examples.spec.ts sends the same calls to servers as well.
    const { TEST_PROFILE: profile } = process.env;
    process.env['TEST_PROFILE'] = 'embedded';
    try {
      catalog = await TestCatalog.start(SHORT_WAITS);
    } finally {
      // The files that this worker takes up later are of the profile of the run.
      if (profile === undefined) delete process.env['TEST_PROFILE'];
      else process.env['TEST_PROFILE'] = profile;
    }
    await importSample(catalog);
    await sampleFound(catalog);
    await registerWebhook(catalog);
    calls = (await Promise.all(DOCUMENTS.map(({ name }) => operationsOf(catalog, name)))).flat();
    browser = await TestBrowser.open();
    const { page } = browser;
    await page.goto(`${catalog.url}/openapi/swagger-ui`);
    await page.waitForSelector('.auth-wrapper .authorize');
    await page.click('.auth-wrapper .authorize');
    await page.waitForSelector('.auth-container input');
    await page.type('.auth-container input', ADMIN_TOKEN);
    await page.click('.auth-btn-wrapper button[type=submit]');
    await page.waitForSelector('.auth-btn-wrapper .btn-done');
    await page.click('.auth-btn-wrapper .btn-done');
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.stop();
  });

  /** Chooses a document in the list, and keeps what the page has read of it. */
  async function open(name: string): Promise<void> {
    const { page } = browser;
    const address = await page.$$eval(
      '#select option',
      (all, part) =>
        all.map((one) => (one as unknown as { value: string }).value).find((v) => v.includes(part)),
      `/${name}?`,
    );
    await page.select('#select', address!);
    const paths = new Set(calls.filter(({ document: one }) => one === name).map(({ pattern }) => pattern));
    await page.waitForFunction(
      (...all) => all.every((path) => ui.specSelectors.specJson().hasIn(['paths', path])),
      {},
      ...paths,
    );
    await page.evaluate((key) => {
      const spec = ui.specSelectors.specJson().toJS();
      const resolved = (one: { $ref?: string }) =>
        one.$ref === undefined ? one : spec.components.parameters[one.$ref.split('/').pop()!];
      // The page resolves an operation when it is opened.
      for (const item of Object.values<any>(spec.paths)) {
        item.parameters &&= item.parameters.map(resolved);
        for (const operation of Object.values<any>(item))
          if (Array.isArray(operation.parameters)) operation.parameters = operation.parameters.map(resolved);
      }
      (window.opened ??= {})[key] = spec;
    }, name);
  }

  /** Sends a call as «Execute» does. */
  const send = batched(async (some: readonly Operation[]) => {
    const requests = some.map(({ document: key, pattern, method, given, headers, body }) => ({
      key,
      pathName: pattern,
      method: method.toLowerCase(),
      parameters: given,
      requestContentType: headers['content-type'],
      requestBody: body === undefined ? undefined : JSON.stringify(body, null, 2),
    }));
    const answers = await browser.page.evaluate(executeAll, requests);
    return answers.map(({ status, text }) => ({ status, text, body: parsed(text) }));
  });

  it('are those of every document in its list', async () => {
    expect(calls.length).toBeGreaterThan(7000);
    for (const { name } of DOCUMENTS) await open(name);
  });

  it('read something', async () => {
    expect(await faults(calls.filter(isRead), send, AT_ONCE)).toEqual([]);
  });

  it('write what stands there, or ask with a body', async () => {
    expect(await faults(calls.filter(isWrite), send, AT_ONCE)).toEqual([]);
  });

  it('ask what became of a write and of a deletion', async () => {
    expect(await faults(await tracesOf(calls, catalog), send)).toEqual([]);
  });

  it('delete what is there', async () => {
    const { entities, wrong } = await deleteAll(calls, catalog, send, AT_ONCE);
    expect(entities).toBeGreaterThan(70);
    expect(wrong).toEqual([]);
  });

  it('without a complaint of the page', () => {
    expect(browser.complaints).toEqual([]);
  });
});

/** Runs in the page: what a click on «Execute» calls, with what the page has of the document and of the token. */
function executeAll(
  requests: Array<{ key: string; pathName: string }>,
): Promise<Array<{ status: number; text: string }>> {
  const { requestInterceptor, responseInterceptor } = ui.getConfigs();
  const authorized = ui.authSelectors.authorized().toJS();
  return Promise.all(
    requests.map(async ({ key, ...request }) => {
      const spec = window.opened![key];
      const { status, text } = await ui.fn
        .execute({
          ...request,
          spec: { ...spec, paths: { [request.pathName]: spec.paths[request.pathName] } },
          responseContentType: 'application/json',
          securities: {
            authorized,
            definitions: spec.components.securitySchemes,
            specSecurity: spec.security,
          },
          requestInterceptor,
          responseInterceptor,
        })
        .catch((error: { response?: Response }) => {
          if (error.response === undefined) throw error;
          return error.response;
        });
      // What has no type of a text is a blob, also where it is empty.
      return { status, text: typeof text === 'string' ? text : ((await text?.text()) ?? '') };
    }),
  );
}

/** Has `work` do what is asked for while it is busy in one go. */
function batched<T, R>(work: (batch: readonly T[]) => Promise<R[]>): (one: T) => Promise<R> {
  const waiting: Array<{ one: T; resolve: (result: R) => void; reject: (error: unknown) => void }> = [];
  let batch: Promise<void> | undefined;
  const run = async () => {
    while (waiting.length > 0) {
      const taken = waiting.splice(0);
      try {
        const results = await work(taken.map(({ one }) => one));
        taken.forEach(({ resolve }, i) => resolve(results[i]!));
      } catch (error) {
        for (const { reject } of taken) reject(error);
      }
      // Whoever goes on with these asks for the next.
      await new Promise(setImmediate);
    }
    batch = undefined;
  };
  return (one) =>
    new Promise((resolve, reject) => {
      waiting.push({ one, resolve, reject });
      batch ??= Promise.resolve().then(run);
    });
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
