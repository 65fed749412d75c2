import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';

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
      executablePath: process.env['CATALOG_CHROMIUM'] ?? '/usr/bin/chromium',
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

  it('offers examples that run', async () => {
    await page.click('button[aria-label="Show Examples"]');
    await page.waitForSelector('.examples button');
    const titles = await page.$$eval('.examples button', (buttons) =>
      buttons.map((button) => button.textContent),
    );
    expect(titles.length).toBeGreaterThan(15);
    await page.evaluate(
      'Array.from(document.querySelectorAll(".examples button")).find((b) => b.textContent === "Create a glossary term").click()',
    );
    // The tab is named after its operation once the page has read the document.
    await page.waitForFunction(
      'Array.from(document.querySelectorAll(".graphiql-tab")).some((t) => t.textContent.includes("createGlossaryTerm"))',
    );
    await page.click('button.graphiql-execute-button');
    await page.waitForFunction(
      'document.querySelector(".graphiql-response")?.textContent.includes("urn:li:glossaryTerm:revenue")',
    );
    await picture('example');
  });

  it('asked for nothing outside, and nothing failed', () => {
    expect(requested.filter((url) => !url.startsWith(service.url) && !/^(data|blob):/.test(url))).toEqual([]);
    expect(failed).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
