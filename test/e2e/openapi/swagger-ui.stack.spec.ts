import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { ADMIN_TOKEN } from '../../harness/catalog.js';
import { ServiceProcess } from '../../harness/service-process.js';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const TAG = 'urn:li:tag:PII';

/** Swagger UI as a person uses it, in a browser that reaches nothing but the service. */
describe('Swagger UI in a browser', () => {
  let home: string;
  let service: ServiceProcess;
  let browser: Browser;
  let page: Page;
  const failed: string[] = [];
  const outside: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-swagger-'));
    service = await ServiceProcess.start(home);
    browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    page = await browser.newPage();
    // For what hangs; beside other tests a page may take long.
    page.setDefaultTimeout(300_000);
    await page.setViewport({ width: 1300, height: 1000 });
    page.on('requestfailed', (request) => failed.push(`${request.url()} ${request.failure()?.errorText}`));
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.url()} ${response.status()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('data:'))
        outside.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
    await rm(home, { recursive: true, force: true });
  });

  const seen = (selector: string): Promise<ElementHandle> =>
    page.waitForSelector(selector, { visible: true }).then((found) => found!);
  const click = async (selector: string) => {
    await seen(selector);
    await page.$eval(selector, (element) => (element as unknown as { click(): void }).click());
  };
  const texts = (selector: string) =>
    page.$$eval(selector, (all) => all.map((element) => element.textContent?.trim() ?? ''));

  const values = () =>
    page.$$eval('#select option', (all) => all.map((one) => (one as unknown as { value: string }).value));
  const select = async (value: string) => {
    const title = await page.$eval('.info .title', (element) => element.textContent);
    await page.select('#select', value);
    await page.waitForFunction(
      `document.querySelector('.opblock-tag-section') && document.querySelector('.info .title')?.textContent !== ${JSON.stringify(title)}`,
    );
  };

  it('opens with the operations that all entities share', async () => {
    await page.goto(`${service.url}/openapi/swagger-ui`);
    await seen('.opblock-tag-section');
    expect(await texts('.opblock-tag > a')).toEqual(['entities']);
  });

  it('has the documents of entities, grouped by entity', async () => {
    await select((await values()).find((value) => value.includes('entities-v3-core'))!);
    const tags = await texts('.opblock-tag > a');
    expect(tags).toEqual(expect.arrayContaining(['dataset', 'tag', 'glossaryTerm', 'structuredProperty']));
    expect((await texts('.info .title')).join()).toContain('Catalog');
    expect(await texts('#select option')).toEqual(expect.arrayContaining([expect.stringContaining('v2')]));
  });

  it('says at once when a token is wrong, and takes it back', async () => {
    await click('.auth-wrapper .authorize');
    await (await seen('.auth-container input')).type('not-a-token');
    await click('.auth-btn-wrapper button[type=submit]');
    const alert = await seen('.modal-ux-content [role=alert]');
    expect(await alert.evaluate((element) => element.textContent)).toBe('Refused: invalid access token');
    await seen('.auth-container input');
    const kept = 'localStorage.getItem("authorized") ?? "{}"';
    expect(await page.evaluate(kept)).not.toContain('not-a-token');
    await page.waitForNetworkIdle();
    expect(failed.splice(0)).toEqual([expect.stringMatching(/ 401$/)]);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('401')]);
  });

  it('authorises with a token', async () => {
    // People copy the whole header.
    await (await seen('.auth-container input')).type(`Bearer ${ADMIN_TOKEN}`);
    await click('.auth-btn-wrapper button[type=submit]');
    await page.waitForFunction(`document.querySelector('.auth-container h6')?.textContent === 'Authorized'`);
    expect(await page.$('[role=alert]')).toBe(null);
    await click('.auth-btn-wrapper .btn-done');
  });

  it('tries out a write and a read, and shows the answers', async () => {
    await click('#operations-tag-tag > a, [id="operations-tag-tag"] a');
    const write = '#operations-tag-writeV3TagTagProperties';
    await click(`${write} .opblock-summary-control`);
    await seen(`${write} .execute`);
    expect(
      await page.$eval(`${write} textarea`, (area) => (area as unknown as { value: string }).value),
    ).toContain('PII');
    await click(`${write} .execute`);
    await seen(`${write} .live-responses-table .response-col_status`);
    expect((await texts(`${write} .live-responses-table .response .response-col_status`))[0]).toMatch(/^200/);

    const read = '#operations-tag-getV3Tag';
    await click(`${read} .opblock-summary-control`);
    await click(`${read} .execute`);
    await seen(`${read} .live-responses-table .response-col_status`);
    expect((await texts(`${read} .live-responses-table .response .response-col_status`))[0]).toMatch(/^200/);
    const shown = (await texts(`${read} .live-responses-table .response .highlight-code`)).join('');
    expect(shown).toContain(TAG);
    expect(shown).toContain('tagProperties');
    const folder = process.env['SCREENSHOTS'];
    if (folder) await page.screenshot({ path: join(folder, 'swagger-ui.png') });
  });

  it('opens another document', async () => {
    const all = await values();
    expect(all.length).toBeGreaterThan(3);
    for (const value of all) {
      if (value !== (await page.$eval('#select', (one) => (one as unknown as { value: string }).value)))
        await select(value);
    }
  });

  it('keeps the token over documents and reloads, and is kept by the browser itself', async () => {
    const client = await page.createCDPSession();
    let bytes = 0;
    client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await client.send('Network.enable');
    await page.goto(`${service.url}/openapi/swagger-ui/`, { waitUntil: 'networkidle0' });
    await seen('.opblock-tag-section');
    await client.detach();
    await seen('.auth-wrapper .authorize.locked');
    expect(bytes).toBeLessThan(20_000);
  });

  it('asked nobody else, and nothing failed', () => {
    expect({ failed, outside, complaints }).toEqual({ failed: [], outside: [], complaints: [] });
  });
});
