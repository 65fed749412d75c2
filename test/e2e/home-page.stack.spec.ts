import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestBrowser } from '../harness/browser.js';
import { ADMIN_TOKEN, TestCatalog } from '../harness/catalog.js';
import { importSample } from '../harness/sample.js';

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true };

/** The page at `/` as people see it, in a real browser. */
describe('the home page', () => {
  let catalog: TestCatalog;
  let browser: TestBrowser;
  const shown = (selector: string) => browser.page.waitForSelector(selector, { visible: true });
  const hidden = (selector: string) => browser.page.waitForSelector(selector, { hidden: true });
  const text = async (selector: string): Promise<string> =>
    ((await browser.page.$eval(selector, (element) => element.textContent)) ?? '')
      .replace(/\s+/g, ' ')
      .trim();
  const signIn = async (token: string) => {
    await (await shown('#token'))!.type(token);
    await browser.page.click('#sign-in button');
  };
  /** The page looks again while the index is behind, which may take its time beside other tests. */
  const upToDate = () =>
    browser.page.waitForFunction(
      'document.querySelector("#index").textContent === "The search index has all changes."',
      { timeout: 300_000 },
    );
  /** How many pixels the page is wider than the window. */
  const overflow = () =>
    browser.page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    browser = await TestBrowser.open();
    await browser.page.setViewport(DESKTOP);
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.stop();
  });

  it('leads to the other pages, and asks for a token', async () => {
    const answer = await browser.page.goto(catalog.url, { waitUntil: 'networkidle0' });
    expect(answer!.headers()['content-security-policy']).toContain("script-src 'self';");
    await shown('#sign-in');
    await hidden('#state');
    await hidden('#next');
    const links = await browser.page.$$eval('.pages a', (found) => found.map((a) => a.getAttribute('href')));
    expect(links).toEqual(['web', 'graphiql', 'openapi/swagger-ui', 'restli/docs', 'health']);
    // As a browser follows them.
    for (const link of links) expect((await fetch(`${catalog.url}/${link}`)).status).toBe(200);
    await browser.picture('home-signed-out');
    expect(browser.complaints).toEqual([]);
  });

  it('says at once when a token is wrong', async () => {
    await signIn('not-a-token');
    await browser.page.waitForFunction('document.querySelector("#said").textContent.startsWith("Refused: ")');
    await shown('#sign-in');
    expect(await browser.page.evaluate('localStorage.length')).toBe(0);
    expect(await browser.refusals(401)).toEqual([]);
  });

  it('shows what to do next while the catalog is empty', async () => {
    await signIn(`Bearer ${ADMIN_TOKEN}`);
    await shown('#next');
    await hidden('#sign-in');
    expect(await browser.page.$$eval('#next li', (items) => items.length)).toBe(3);
    expect(await text('#next')).toContain('npm run catalog -- import examples/warehouse.jsonl');
    await upToDate();
    await hidden('#content');
    await browser.picture('home-empty');
  });

  it.each([
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ])('shows what is in the catalog: %s', async (name, viewport) => {
    if ((await catalog.search('dataset', '*')).numEntities === 0) await importSample(catalog);
    const { token } = await catalog.issueToken({ role: 'READER' });
    await browser.page.setViewport(viewport);
    await browser.page.evaluate(`localStorage.setItem('metadata-catalog:token', '${token}')`);
    await browser.page.reload({ waitUntil: 'networkidle0' });
    await shown('#counts');
    await hidden('#next');
    const counts = (await catalog.get('/openapi/v1/entities/counts')).body.counts as Array<{
      entityType: string;
      activeCount: number;
      softDeletedCount: number;
    }>;
    const datasets = counts.find(({ entityType }) => entityType === 'dataset')!.activeCount;
    expect(datasets).toBeGreaterThan(100);
    expect(await text('#counts')).toContain(`Dataset${datasets}`);
    expect(await text('#more')).toContain('Catalog policy');
    expect(await text('#content')).not.toMatch(/entityType|dataHub/);
    expect(await text('#more summary')).toMatch(/^\d+ more types$/);
    await upToDate();
    const sum = (of: 'activeCount' | 'softDeletedCount') => counts.reduce((all, one) => all + one[of], 0);
    const everything = await catalog.post('/entities?action=searchAcrossEntities', {
      input: '*',
      start: 0,
      count: 0,
    });
    const why = await text('#why');
    expect(why).toContain(`A search for everything finds ${everything.body.value.numEntities}:`);
    expect(why).toContain(`${sum('softDeletedCount')} removed entities`);
    expect(why).toContain(`verify compares all ${sum('activeCount') + sum('softDeletedCount')}.`);
    expect(await text('#runs li')).toMatch(/^third-kettle-2026-06: \d+ aspects(now|.* ago)$/);
    expect(await overflow()).toBe(0);
    await browser.picture(`home-${name}`);
    expect(browser.complaints).toEqual([]);
  });

  it('leads to a listing of endpoints that fits on a phone as well', async () => {
    await browser.page.setViewport(PHONE);
    await browser.page.goto(`${catalog.url}/restli/docs`, { waitUntil: 'networkidle0' });
    // A page that is wider makes the viewport of a phone wider.
    expect(await browser.page.evaluate('innerWidth')).toBe(PHONE.width);
    await browser.picture('endpoints-phone');
    await browser.page.goto(catalog.url);
    await shown('#counts');
  });

  it('shows a run of a moment ago first when the reader comes back', async () => {
    const run = { systemMetadata: { runId: 'nightly-crawl' } };
    await catalog.propose('urn:li:tag:newest', 'tagProperties', { name: 'newest' }, run);
    await browser.page.evaluate('dispatchEvent(new Event("focus"))');
    await browser.page.waitForFunction(
      'document.querySelector("#runs li").textContent.startsWith("nightly-crawl: ")',
    );
  });

  it('forgets the token', async () => {
    await browser.page.click('#sign-out');
    await shown('#sign-in');
    await hidden('#state');
    expect(await browser.page.evaluate('localStorage.length')).toBe(0);
  });

  it('is asked for again, not loaded again', async () => {
    const page = await catalog.get('/', { token: null });
    const etag = page.headers.get('etag')!;
    const again = await catalog.get('/', {
      token: null,
      headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
    const [, file] = /src="(home\/[^"]+)"/.exec(page.text)!;
    expect((await catalog.get(`/${file}`, { token: null })).headers.get('cache-control')).toContain(
      'immutable',
    );
  });
});
