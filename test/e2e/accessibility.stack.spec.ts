import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { TestBrowser } from '../harness/browser.js';
import { ADMIN_TOKEN, TestCatalog } from '../harness/catalog.js';
import { importSample } from '../harness/sample.js';

/** The part of a finding of axe-core that a failure shows. */
interface Finding {
  id: string;
  impact: string;
  help: string;
  nodes: Array<{ target: string[]; html: string }>;
}

const SERIOUS = ['serious', 'critical'];

/** Where GraphiQL has such findings itself: names of controls, and contrast in the dark. */
const THEIRS = ['.graphiql-tab', '.graphiql-logo'];

describe('our pages, judged by axe-core', () => {
  let catalog: TestCatalog;
  let browser: TestBrowser;
  let axe: string;

  beforeAll(async () => {
    axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    catalog = await TestCatalog.start();
    await importSample(catalog);
    browser = await TestBrowser.open();
    // The policies of our pages allow no script but theirs.
    await browser.page.setBypassCSP(true);
  });
  afterAll(async () => {
    await browser?.close();
    await catalog?.stop();
  });

  /** What axe-core finds on the page as it is shown. */
  async function findings(): Promise<string[]> {
    await browser.page.evaluate(axe);
    const { violations } = (await browser.page.evaluate(
      `axe.run({ exclude: ${JSON.stringify(THEIRS.map((selector) => [selector]))} }, { resultTypes: ['violations'] })`,
    )) as { violations: Finding[] };
    return violations
      .filter(({ impact }) => SERIOUS.includes(impact))
      .flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')}: ${html}`),
      );
  }

  describe.each(['light', 'dark'])('in a %s scheme', (scheme) => {
    beforeAll(async () => {
      await browser.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await browser.page.goto(catalog.url);
      await browser.page.evaluate('localStorage.clear()');
    });

    it.each([
      ['the home page, signed out', '/', '#sign-in'],
      ['the listing of endpoints', '/restli/docs', 'article'],
      ['the OpenAPI explorer', '/openapi/swagger-ui', '.opblock-tag'],
      ['the GraphQL playground', '/graphiql', '.graphiql-query-editor .view-line'],
    ])('%s', async (_name, path, shown) => {
      await browser.page.goto(catalog.url + path, { waitUntil: 'networkidle0' });
      await browser.page.waitForSelector(shown, { visible: true });
      expect(await browser.page.$$eval('main, [role=main]', (found) => found.length)).toBe(1);
      expect(await findings()).toEqual([]);
    });

    it('the home page, signed in', async () => {
      await browser.page.goto(catalog.url);
      await browser.page.evaluate(`localStorage.setItem('metadata-catalog:token', '${ADMIN_TOKEN}')`);
      await browser.page.reload({ waitUntil: 'networkidle0' });
      await browser.page.waitForSelector('#counts dt', { visible: true });
      expect(await findings()).toEqual([]);
      await browser.picture(`home-${scheme}`);
    });
  });
});
