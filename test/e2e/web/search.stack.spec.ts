import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { ROOT } from '../../harness/service-process.js';
import { LOOKS_OF_DIALOGS, WebPages } from './support.js';

describe('the web application: signing in and searching', () => {
  let web: WebPages;
  beforeAll(async () => {
    web = await WebPages.open();
  });
  afterAll(() => web?.close());

  /** The facets come after the results. */
  const counted = () => web.page.waitForSelector('.facets[aria-busy=false] fieldset');

  it('is reached from the first page, and asks who one is', async () => {
    await web.page.goto(web.catalog.url, { waitUntil: 'networkidle0' });
    await Promise.all([web.page.waitForNavigation(), web.page.click('.pages a')]);
    expect(web.page.url()).toBe(`${web.catalog.url}/web`);
    const { headers } = await web.catalog.get('/web', { token: null });
    expect(headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self';");
    await web.page.waitForSelector('#token', { visible: true });
    await web.looksWell('sign-in');
  });

  it('says at once when a token is refused', async () => {
    await web.signIn('not-a-token');
    await web.says('[role=alert]', 'Refused: ');
    expect(await web.browser.refusals(401)).toEqual([]);
  });

  it('signs in with a password, keeps no token, and ends the session', async () => {
    const [user, password] = ['ada', 'tea at half past four'];
    const made = await web.catalog.post('/api/graphql', {
      query: `mutation { createAccount(input: {userUrn: "urn:li:corpuser:${user}", role: EDITOR}) { resetToken } }`,
    });
    const { resetToken } = made.body.data.createAccount;
    const set = { email: user, resetToken, password };
    expect((await web.catalog.post('/resetNativeUserCredentials', set, { token: null })).status).toBe(200);
    // A token that was refused before is not in the way.
    await web.page.type('#user', user);
    await web.page.type('#password', 'tea at five');
    await web.page.keyboard.press('Enter');
    await web.says('#password[aria-invalid]', '');
    await web.says('form:has(#password) [role=alert]', 'The user name or the password is wrong.');
    expect(await web.page.evaluate('document.activeElement.id')).toBe('password');
    expect(await web.browser.refusals(400)).toEqual([]);
    await web.looksWell('sign-in-refused', LOOKS_OF_DIALOGS);
    await web.page.type('#password', password);
    await web.page.keyboard.press('Enter');
    await web.says('.user', user);
    const token =
      'sessionStorage["metadata-catalog:token"] ?? localStorage["metadata-catalog:token"] ?? null';
    expect(await web.page.evaluate(token)).toBe(null);
    await web.page.reload({ waitUntil: 'networkidle0' });
    await web.says('.user', user);
    const cookies = await web.page.browserContext().cookies();
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const status = async () =>
      (
        await fetch(`${web.catalog.url}/openapi/v1/registry/models/aspect/specifications`, {
          headers: { cookie },
        })
      ).status;
    expect(await status()).toBe(200);
    await web.page.click('.user button');
    await web.page.waitForSelector('#password');
    expect(await web.page.evaluate('document.cookie')).toBe('');
    expect(await status()).toBe(401);
  });

  it('keeps the token for the tab, and for the browser when asked to', async () => {
    await web.signIn(`Bearer ${ADMIN_TOKEN}`);
    await web.says('.user', 'admin');
    const kept = 'sessionStorage.getItem("metadata-catalog:token")';
    expect(await web.page.evaluate(kept)).toBe(ADMIN_TOKEN);
    expect(await web.page.evaluate('localStorage.length')).toBe(0);
    await web.page.reload({ waitUntil: 'networkidle0' });
    await web.says('.user', 'admin');
    await web.page.click('.user button');
    await web.page.waitForSelector('#token');
    expect(await web.page.evaluate(kept)).toBe(null);
    await web.page.click('.sign-in input[type=checkbox]');
    await web.signIn();
    await web.says('.user', 'admin');
    expect(await web.page.evaluate('localStorage.getItem("metadata-catalog:token")')).toBe(ADMIN_TOKEN);
  });

  it('suggests while one types, and leads to what is chosen with the keyboard', async () => {
    await web.page.type('.search-box input', 'parcel');
    await web.page.waitForSelector('.options .option .name');
    const names = await web.texts('.options .name');
    expect(names.some((name) => /parcel/i.test(name))).toBe(true);
    await web.browser.picture('web-suggestions');
    await web.page.keyboard.press('ArrowDown');
    await web.page.waitForSelector('.option[data-focus] .name');
    const chosen = await web.text('.option[data-focus] .name');
    await web.page.keyboard.press('Enter');
    await web.says('h1', chosen);
    expect(web.page.url()).toContain('#/entity?urn=');
  });

  it('shows all that share a name, each with what tells it apart', async () => {
    const table = (platform: string, name: string, environment: string) =>
      `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},${environment})`;
    const twins = [
      table('hive', 'east.twins', 'PROD'),
      table('hive', 'east.twins', 'DEV'),
      table('mysql', 'twins', 'PROD'),
    ];
    await web.catalog.ingest(
      ...twins.map((urn): [string, string, object] => [urn, 'datasetProperties', { name: 'twins' }]),
      ['urn:li:container:west', 'containerProperties', { name: 'West' }],
      [twins[2]!, 'container', { container: 'urn:li:container:west' }],
    );
    await web.visit('/');
    await web.page.type('.search-box input', 'twins');
    await web.page.waitForFunction(`document.querySelector('.options')?.textContent.includes('West')`);
    expect((await web.texts('.options .quiet')).sort()).toEqual([
      'Dataset · hive · east · DEV',
      'Dataset · hive · east · PROD',
      'Dataset · mysql · PROD · West',
    ]);
    await web.browser.picture('web-suggestions-of-one-name');
  });

  it('searches with Enter, marks the words and counts facets', async () => {
    await web.visit('/');
    await web.page.type('.search-box input', 'late parcels');
    await web.page.keyboard.press('Enter');
    await web.says('h1', 'for “late parcels”');
    const marked = await web.texts('.hits mark');
    expect(marked.some((text) => /^parcels?$/i.test(text))).toBe(true);
    await counted();
    expect(await web.texts('.facets legend')).toEqual(expect.arrayContaining(['Type', 'Platform']));
    expect(web.page.url()).toContain('q=late');
    await web.looksWell('search');
  });

  it('names the terms by which something was found', async () => {
    await web.catalog.ingest(
      [
        'urn:li:glossaryTerm:42-steeping',
        'glossaryTermInfo',
        { name: 'Steeping time', definition: '', termSource: 'INTERNAL' },
      ],
      [
        'urn:li:dataset:(urn:li:dataPlatform:hive,cups,PROD)',
        'glossaryTerms',
        {
          terms: [{ urn: 'urn:li:glossaryTerm:42-steeping' }],
          auditStamp: { time: 1, actor: 'urn:li:corpuser:admin' },
        },
      ],
    );
    await web.visit('/?q=steeping');
    await web.says('.hits', 'Glossary terms: Steeping time');
    expect(await web.text('.hits')).not.toContain('urn:li:');
  });

  it('offers to leave out a query that cannot be read, as to ask again would not help', async () => {
    await web.visit(`/?q=${encodeURIComponent('/q name:(a')}`);
    await web.says('.results [role=alert]', 'this parenthesis is not closed');
    expect(await web.page.$$('.results [role=alert] button')).toHaveLength(0);
    await web.page.click('.results [role=alert] + p a');
    await web.page.waitForSelector('.hits li');
    expect(await web.page.$$('.results [role=alert]')).toHaveLength(0);
  });

  it('keeps query, filters and page in the address', async () => {
    await web.visit('/');
    const total = async () => Number(/^[\d,]+/.exec(await web.text('h1'))![0].replace(',', ''));
    await web.says('h1', 'entities');
    await counted();
    const titles = await web.texts('.facets legend');
    expect(new Set(titles).size).toBe(titles.length);
    const all = await total();
    const label = (await web.texts('.facets .check')).find((text) => text.startsWith('Dataset'))!;
    const count = Number(/[\d,]+$/.exec(label)![0].replace(',', ''));
    expect(count).toBeLessThan(all);
    await web.page.evaluate(
      `[...document.querySelectorAll('.facets .check')].find((l) => l.textContent.startsWith('Dataset')).click()`,
    );
    await web.page.waitForFunction(
      `document.querySelector('h1').textContent.startsWith(${JSON.stringify(count.toLocaleString('en'))})`,
    );
    await web.page.click('.pages [rel=next]');
    await web.says('.pages', 'Page 2 of');
    await web.page.waitForSelector('.search[aria-busy=false]');
    const [url, hits] = [web.page.url(), await web.texts('.hits h2')];
    await web.page.goto('about:blank');
    await web.page.goto(url, { waitUntil: 'networkidle0' });
    await web.says('.pages', 'Page 2 of');
    expect(await web.texts('.hits h2')).toEqual(hits);
    expect(await total()).toBe(count);
  });

  it('shows all values of a facet when asked to', async () => {
    const values = () =>
      web.page.$$eval('.facets fieldset:has(.more)', ([one]) => one!.querySelectorAll('.check').length);
    await counted();
    expect(await values()).toBe(6);
    await web.page.click('.facets fieldset .more');
    expect(await values()).toBeGreaterThan(7);
    await web.page.click('.facets fieldset .more');
  });

  it('comes back to the place of the page that was left', async () => {
    await web.page.evaluate('window.scrollTo(0, 700)');
    await web.page.waitForFunction('window.scrollY > 600');
    // The browser tells the router of it before it says that scrolling has ended.
    await web.page.evaluate(
      'new Promise((resolve) => { addEventListener("scrollend", resolve, { once: true }); scrollBy(0, 1); })',
    );
    const top = await web.page.evaluate('window.scrollY');
    await web.page.evaluate(
      `[...document.querySelectorAll('.hits a')].find((a) => a.getBoundingClientRect().top > 100).click()`,
    );
    await web.page.waitForSelector('.entity h1');
    await web.page.goBack();
    await web.page.waitForSelector('.hits a');
    await web.page.waitForFunction(`Math.abs(window.scrollY - ${String(top)}) < 5`);
  });

  it('asks for nothing outside, and nothing fails', () => {
    expect(web.outside()).toEqual([]);
    expect(web.browser.complaints).toEqual([]);
  });

  it('takes 250 kB at most before lineage is drawn, compressed with gzip', () => {
    const folder = join(ROOT, 'dist/web');
    const [digest] = readdirSync(folder).filter((name) => /^[0-9a-f]{16}$/.test(name));
    const files = readdirSync(join(folder, digest!)).filter(
      // That these come with the picture is tested with it.
      (name) => name.endsWith('.gz') && !/^(picture|layout)\./.test(name),
    );
    expect(files.length).toBeGreaterThan(1);
    const bytes = files.reduce((sum, name) => sum + statSync(join(folder, digest!, name)).size, 0);
    expect(bytes).toBeLessThan(250_000);
  });
});

describe('with CATALOG_WEB=off', () => {
  it('is not there, and the first page does not lead to it', async () => {
    const catalog = await TestCatalog.start({ CATALOG_WEB: 'off' });
    try {
      expect((await catalog.get('/web', { token: null })).status).toBe(404);
      const { status, text } = await catalog.get('/', { token: null });
      expect(status).toBe(200);
      expect(text).toContain('href="graphiql"');
      expect(text).not.toContain('href="web"');
    } finally {
      await catalog.stop();
    }
  });
});
