import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';

/** A browser that reaches this machine only, with one page that is listened to. */
export class TestBrowser {
  /** What the page wrote to the console as errors, threw, or asked for in vain. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly folder: string,
    private readonly browser: Browser,
    readonly page: Page,
  ) {
    page.on('requestfailed', (request) => {
      // A page cancels what it no longer waits for, such as suggestions for what was typed before.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') this.complaints.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text());
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  static async open(): Promise<TestBrowser> {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-browser-'));
    const browser = await puppeteer.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      userDataDir: folder,
      // Above the time limit of the page, which says what was waited for.
      protocolTimeout: 400_000,
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    });
    const page = await browser.newPage();
    // For what hangs; beside other tests a page may take long.
    page.setDefaultTimeout(300_000);
    return new TestBrowser(folder, browser, page);
  }

  /**
   * Takes away the complaints of refused requests: the browser itself writes of each, also of those that are answered
   * after the page has said what is wrong. Waits until the page asks for nothing more.
   * @returns the complaints that are not of an answer with this status
   */
  async refusals(status: number): Promise<string[]> {
    await this.page.waitForNetworkIdle();
    return this.complaints.splice(0).filter((line) => !line.includes(String(status)));
  }

  /** Keeps a picture of the whole page where CATALOG_SCREENSHOTS names a folder. */
  async picture(name: string): Promise<void> {
    const folder = process.env['CATALOG_SCREENSHOTS'];
    if (folder) await this.page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  }

  async close(): Promise<void> {
    await this.browser.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
