import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ADMIN_TOKEN, proposal } from '../../harness/catalog.js';
import { ROOT, ServiceProcess } from '../../harness/service-process.js';

/** The examples, each after what it needs. */
const IN_ORDER = [
  'Who am I?',
  'Create a glossary term',
  'Attach terms to a dataset',
  'Attach terms to a column',
  'Describe a dataset, and link its documentation',
  'Describe a column',
  'Create a property',
  'Add an allowed value',
  'Set the properties of a dataset',
  'A dataset with what is said about it',
  'Any entity, with its aspects as JSON',
  'A structured property',
  'Search across entities',
  'Walk over all datasets (scrollAcrossEntities)',
  'By the value of a structured property',
  'Count the values of fields (aggregateAcrossEntities)',
  'Lineage',
  'Remove a term from a dataset',
  'Remove terms from several entities',
  'Remove properties from a dataset',
];

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
  const picture = async (name: string) => {
    const folder = process.env['CATALOG_SCREENSHOTS'];
    if (folder) await page.screenshot({ path: join(folder, `${name}.png`) });
  };

  /** The dataset that the examples speak of. */
  const describeOrders = async () => {
    const stamp = { time: 1, actor: 'urn:li:corpuser:admin' };
    const aspects = {
      datasetProperties: { name: 'orders', description: 'All orders' },
      schemaMetadata: {
        schemaName: 'orders',
        platform: 'urn:li:dataPlatform:hive',
        version: 0,
        hash: '',
        created: stamp,
        lastModified: stamp,
        platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '' } },
        fields: [
          {
            fieldPath: 'amount',
            nullable: true,
            nativeDataType: 'bigint',
            type: { type: { 'com.linkedin.schema.NumberType': {} } },
            recursive: false,
            isPartOfKey: false,
          },
        ],
      },
    };
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
    const proposals = Object.entries(aspects).map(([name, value]) => proposal(urn, name, value));
    expect(await service.post('/aspects?action=ingestProposalBatch', { proposals })).toMatchObject({
      status: 200,
    });
  };

  it('is linked from the first page', async () => {
    await page.goto(service.url, { waitUntil: 'networkidle0' });
    await picture('landing');
    await Promise.all([page.waitForNavigation(), page.click('a[href="graphiql"]')]);
    expect(page.url()).toBe(`${service.url}/graphiql`);
    await page.waitForSelector('.graphiql-query-editor .view-line');
  });

  it('keeps the token, shows the schema, and runs a query', async () => {
    // Without a token the schema cannot be read: that one request is refused, and nothing else goes wrong.
    failed.length = 0;
    complaints.length = 0;
    await page.type('#token', ADMIN_TOKEN);
    await page.click('.token-bar button[type=submit]');
    await page.waitForFunction('document.querySelector(".said")?.textContent === "Kept in this browser"');
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

  it('offers an example of every operation, and each of them runs', async () => {
    await describeOrders();
    await page.click('button[aria-label="Show Examples"]');
    await page.waitForSelector('.examples button');
    const titles = await page.$$eval('.examples button', (buttons) =>
      buttons.map((button) => button.textContent),
    );
    expect([...titles].sort()).toEqual([...IN_ORDER].sort());
    const file = await readFile(join(ROOT, 'playground', 'examples.js'), 'utf8');
    const operations = new Map(
      [...file.matchAll(/title: '([^']+)',\s+query: `(?:query|mutation) (\w+)/g)].map(([, title, name]) => [
        title,
        name,
      ]),
    );
    for (const title of IN_ORDER) {
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
      expect(Object.values(answer.data ?? {})).toEqual([expect.anything()]);
    }
    await picture('examples');
  });

  it('asked for nothing outside, and nothing failed', () => {
    expect(requested.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(failed).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
