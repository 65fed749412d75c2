import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { emptyPlaces } from '../../harness/empty-places.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';

/** The playground as people see it: the build, in a real browser that reaches this machine only. */
describe('the playground', () => {
  let home: string;
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const failed: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-playground-'));
    service = await ServiceProcess.start(home);
    browser = await puppeteer.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      userDataDir: join(home, 'browser'),
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
    page = await browser.newPage();
    // For what hangs; beside other tests a page may take long.
    page.setDefaultTimeout(300_000);
    await page.setViewport({ width: 1400, height: 900 });
    page.on('request', (request) => requested.push(request.url()));
    page.on('requestfailed', (request) => failed.push(request.url()));
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(home, { recursive: true, force: true });
  });

  /** What the page shows in the pane of answers. */
  const shown = () =>
    page.$eval('.graphiql-response', (pane) =>
      (pane as unknown as { textContent: string }).textContent.replaceAll('\u00a0', ' '),
    );
  const said = () => page.$eval('.said', (element) => element.textContent);
  const use = async (token: string) => {
    await page.$eval('#token', (input) => (input as unknown as { select(): void }).select());
    await page.type('#token', token);
    await page.click('.token-bar button[type=submit]');
  };
  const picture = async (name: string) => {
    const folder = process.env['CATALOG_SCREENSHOTS'];
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  /** The sample that the README imports, which the examples speak of. */
  const importSample = async () => {
    const lines = (await readFile(join(ROOT, 'examples', 'warehouse.jsonl'), 'utf8')).trim().split('\n');
    for (let start = 0; start < lines.length; start += 200) {
      const proposals = lines.slice(start, start + 200).map((line) => {
        const { aspect, ...rest } = JSON.parse(line) as { aspect: { json: unknown } };
        const value = JSON.stringify(aspect.json);
        return { ...rest, aspect: { contentType: 'application/json', value } };
      });
      expect(await service.post('/aspects?action=ingestProposalBatch', { proposals })).toMatchObject({
        status: 200,
      });
    }
  };

  /** Bytes that a visit to the page takes from the service. */
  const weight = async (path: string) => {
    const client = await page.createCDPSession();
    let bytes = 0;
    client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await client.send('Network.enable');
    await page.goto(service.url + path, { waitUntil: 'networkidle0' });
    await page.waitForSelector('.graphiql-query-editor .view-line');
    await client.detach();
    return bytes;
  };

  it('is linked from the first page', async () => {
    await page.goto(service.url, { waitUntil: 'networkidle0' });
    await picture('landing');
    await Promise.all([page.waitForNavigation(), page.click('.pages a[href="graphiql"]')]);
    expect(page.url()).toBe(`${service.url}/graphiql`);
    await page.waitForSelector('.graphiql-query-editor .view-line');
  });

  it('keeps the token, shows the schema, and runs a query', async () => {
    expect(await said()).toBe('No token yet');
    // People copy the whole header.
    await use(`Bearer ${ADMIN_TOKEN}`);
    await page.waitForFunction(
      'document.querySelector(".said")?.textContent.startsWith("Signed in as admin")',
    );
    await page.reload({ waitUntil: 'networkidle0' });
    await page.waitForSelector('.graphiql-query-editor .view-line');

    await page.click('button[aria-label="Show Documentation Explorer"]');
    await page.waitForFunction(
      'document.querySelector(".graphiql-doc-explorer-content")?.textContent.includes("Mutation")',
    );
    await picture('documentation');

    await page.click('button.graphiql-execute-button');
    await page.waitForFunction(
      'document.querySelector(".graphiql-response")?.textContent.includes("urn:li:corpuser:admin")',
    );
    expect(await shown()).toContain('urn:li:corpuser:admin');
    await picture('result');
  });

  it('offers examples that all have something to show on the sample', async () => {
    await importSample();
    await page.click('button[aria-label="Show Examples"]');
    await page.waitForSelector('.examples button');
    const titles = await page.$$eval('.examples button', (buttons) =>
      buttons.map((button) => button.textContent),
    );
    const file = await readFile(join(ROOT, 'playground', 'examples.js'), 'utf8');
    const operations = new Map(
      [...file.matchAll(/title: '([^']+)',\s+query: `(?:query|mutation) (\w+)/g)].map(([, title, name]) => [
        title,
        name,
      ]),
    );
    expect(titles).toEqual([...operations.keys()]);
    for (const title of titles) {
      await page.evaluate(
        `Array.from(document.querySelectorAll(".examples button")).find((b) => b.textContent === ${JSON.stringify(title)}).click()`,
      );
      // Each opens in a tab of its own, named after its operation once the page has read it, without an answer yet.
      await page.waitForFunction(
        `document.querySelector(".graphiql-tab-active")?.textContent.includes(${JSON.stringify(operations.get(title))})`,
      );
      await page.waitForFunction('!document.querySelector(".graphiql-response")?.textContent.includes("{")');
      const [response] = await Promise.all([
        page.waitForResponse((reply) => reply.url().endsWith('/api/graphql')),
        page.click('button.graphiql-execute-button'),
      ]);
      const answer = (await response.json()) as { data?: object; errors?: unknown };
      await page.waitForFunction(
        'document.querySelector(".graphiql-response")?.textContent.includes("data")',
      );
      expect({ title, errors: answer.errors }).toEqual({ title, errors: undefined });
      expect({ title, empty: emptyPlaces(answer.data) }).toEqual({ title, empty: [] });
    }
    await picture('examples');
  });

  it('is kept by the browser: another visit transfers next to nothing', async () => {
    expect(await weight('/graphiql')).toBeLessThan(20_000);
  });

  it('asked for nothing outside, and nothing failed', () => {
    expect(requested.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(failed).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('says at once when a token is refused', async () => {
    await use('not-a-token');
    await page.waitForFunction('document.querySelector(".said")?.textContent.startsWith("Refused: ")');
  });

  it('fits on a phone: nothing is wider, and the answer is under the query', async () => {
    await use(ADMIN_TOKEN);
    await page.setViewport({ width: 390, height: 800 });
    await page.waitForSelector('.graphiql-query-editor .view-line');
    const places = (await page.evaluate(`({
      width: document.documentElement.scrollWidth,
      queryBottom: document.querySelector('.graphiql-editors').getBoundingClientRect().bottom,
      queryWidth: document.querySelector('.graphiql-query-editor').getBoundingClientRect().width,
      answerTop: document.querySelector('.graphiql-response').getBoundingClientRect().top,
    })`)) as Record<'width' | 'queryBottom' | 'queryWidth' | 'answerTop', number>;
    await picture('phone');
    expect(places.width).toBe(390);
    expect(places.queryWidth).toBeGreaterThan(300);
    expect(places.answerTop).toBeGreaterThanOrEqual(places.queryBottom);
  });
});
