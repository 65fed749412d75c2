import { expect } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Viewport } from 'puppeteer-core';
import { TestBrowser } from '../../harness/browser.js';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { importSample } from '../../harness/sample.js';

export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844, isMobile: true, hasTouch: true };
/** What each page is looked at in. */
export const LOOKS = [
  ['light', 'desktop', DESKTOP],
  ['dark', 'desktop', DESKTOP],
  ['light', 'phone', PHONE],
  ['dark', 'phone', PHONE],
] as const;
type Looks = ReadonlyArray<readonly [scheme: string, width: string, viewport: Viewport]>;

/** The same without another kind of device, for which browsers open pages anew: a dialog stays open. */
export const LOOKS_OF_DIALOGS = LOOKS.map(
  ([scheme, width, { width: wide, height }]) => [scheme, width, { width: wide, height }] as const,
);

// Without numbers: results that are counted become more while what was written is indexed.
const HEADING = `document.querySelector('h1')?.textContent.replace(/\\d[\\d,]*/g, '') ?? null`;

interface Finding {
  id: string;
  nodes: Array<{ target: string[]; html: string }>;
}

/** The web application of a catalog with the sample, in a browser. */
export class WebPages {
  private constructor(
    readonly catalog: TestCatalog,
    readonly browser: TestBrowser,
    private readonly requested: string[],
    private readonly axe: string,
  ) {}

  static async open(): Promise<WebPages> {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    const catalog = await TestCatalog.start();
    await importSample(catalog);
    const browser = await TestBrowser.open();
    await browser.page.setViewport(DESKTOP);
    const requested: string[] = [];
    browser.page.on('request', (request) => requested.push(request.url()));
    return new WebPages(catalog, browser, requested, axe);
  }

  get page() {
    return this.browser.page;
  }

  /** Opens a place anew, as from a bookmark. */
  async visit(place: string): Promise<void> {
    await this.page.goto('about:blank');
    await this.page.goto(`${this.catalog.url}/web#${place}`, { waitUntil: 'networkidle0' });
  }

  async signIn(token = ADMIN_TOKEN): Promise<void> {
    const input = await this.page.waitForSelector('#token', { visible: true });
    await input!.type(token);
    await this.page.click('.sign-in form:has(#token) button');
  }

  async text(selector: string): Promise<string> {
    const found = await this.page.waitForSelector(selector, { visible: true });
    return ((await found!.evaluate((element) => element.textContent)) ?? '').replace(/\s+/g, ' ').trim();
  }

  texts(selector: string): Promise<string[]> {
    return this.page.$$eval(selector, (found) =>
      found.map((element) => (element.textContent ?? '').replace(/\s+/g, ' ').trim()),
    );
  }

  /** Waits for a text to be in an element. */
  async says(selector: string, text: string): Promise<void> {
    await this.page.waitForFunction(
      `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`,
    );
  }

  /** Judges and pictures the page that is shown, in each scheme and width: nothing found, nothing wider than the window. */
  async looksWell(name: string, looks: Looks = LOOKS): Promise<void> {
    const heading = JSON.stringify(await this.page.evaluate(HEADING));
    for (const [scheme, width, viewport] of looks) {
      await this.page.setViewport(viewport);
      // A browser opens the page anew for another kind of device: what was there is waited for.
      await this.page.waitForFunction(
        `(${HEADING}) === ${heading} && !document.querySelector('[aria-busy=true]')`,
      );
      await this.page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await this.browser.picture(`web-${name}-${width}-${scheme}`);
      const overflow = await this.page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect({ name, width, overflow, findings: await this.findings() }).toEqual({
        name,
        width,
        overflow: 0,
        findings: [],
      });
    }
    await this.page.setViewport(DESKTOP);
    await this.page.emulateMediaFeatures([]);
  }

  /** What axe-core finds. */
  private async findings(): Promise<string[]> {
    // The debugger may run what the policy of the page forbids to its scripts.
    await this.page.evaluate(this.axe);
    const { violations } = (await this.page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as {
      violations: Finding[];
    };
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${target.join(' ')}: ${html}`),
    );
  }

  /** Addresses that were asked for. */
  requests(): readonly string[] {
    return this.requested;
  }

  /** Addresses that were asked for outside of the service. */
  outside(): string[] {
    return this.requested.filter(
      (url) => !url.startsWith(this.catalog.url) && !/^(data|blob|about):/.test(url),
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.catalog.stop();
  }
}
