import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestBrowser } from '../harness/browser.js';
import { AUDIENCE, IdentityProvider, PAGE_CLIENT } from '../harness/identity-provider.js';
import { ServiceProcess } from '../harness/service-process.js';

/** People sign in at a real provider, in a real browser that reaches this machine only. */
describe('the pages of the service', () => {
  let home: string;
  let provider: IdentityProvider;
  let service: ServiceProcess;
  let browser: TestBrowser;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'catalog-sign-in-'));
    provider = await IdentityProvider.start();
    service = await ServiceProcess.start(home, {
      CATALOG_OIDC_ISSUER: provider.url,
      CATALOG_OIDC_AUDIENCE: AUDIENCE,
      CATALOG_OIDC_ROLES: 'catalog-editors=EDITOR',
      CATALOG_OIDC_DEFAULT_ROLE: 'reader',
      CATALOG_OIDC_CLIENT_ID: PAGE_CLIENT,
    });
    await provider.serve([
      `${service.url}/graphiql`,
      `${service.url}/openapi/swagger-ui/`,
      `${service.url}/web`,
    ]);
  });
  beforeEach(async () => {
    browser = await TestBrowser.open();
  });
  afterEach(() => browser?.close());
  afterAll(async () => {
    await service?.stop();
    await provider?.stop();
    await rm(home, { recursive: true, force: true });
  });

  /** Signs in on the pages of the provider, and lets the catalog know who it is. */
  const signInAs = async (user: string) => {
    const { page } = browser;
    await page.waitForSelector('input[name=login]');
    expect(page.url().startsWith(provider.url)).toBe(true);
    await page.type('input[name=login]', user);
    await page.type('input[name=password]', 'any');
    await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
    await page.waitForSelector('button[type=submit]');
    await Promise.all([page.waitForNavigation(), page.click('button[type=submit]')]);
  };
  /** Not those of the pages of the provider, which want a font and an icon. */
  const complaints = () =>
    browser.complaints.filter((text) => !/^https:\/\/fonts\.|^Failed to load resource/.test(text));
  const click = (text: string) =>
    browser.page.waitForSelector(`::-p-xpath(//button[text()='${text}'])`).then((button) => button!.click());

  it('the GraphQL playground: a person signs in, and is who they are', async () => {
    const { page } = browser;
    await page.goto(`${service.url}/graphiql`, { waitUntil: 'networkidle0' });
    await click('Sign in');
    await signInAs('ada');
    await page.waitForFunction('document.querySelector(".said")?.textContent.startsWith("Signed in as ada")');
    // Neither the code nor the state stays in the address.
    expect(page.url()).toBe(`${service.url}/graphiql`);
    await browser.picture('sign-in-graphiql');
    await page.reload({ waitUntil: 'networkidle0' });
    await page.waitForFunction('document.querySelector(".said")?.textContent.startsWith("Signed in as ada")');
    expect(complaints()).toEqual([]);
  });

  it('Swagger UI: a person signs in, and reads as who they are', async () => {
    const { page } = browser;
    await page.goto(`${service.url}/openapi/swagger-ui/`, { waitUntil: 'networkidle0' });
    await click('Sign in');
    await signInAs('bob');
    await page.waitForSelector('.auth-wrapper .authorize.locked');
    expect(page.url()).toBe(`${service.url}/openapi/swagger-ui/`);
    await browser.picture('sign-in-swagger');
    const kept = (await page.evaluate('localStorage.getItem("authorized")')) as string;
    const { value } = (JSON.parse(kept) as { bearer: { value: string } }).bearer;
    const query = JSON.stringify({ query: '{ me { corpUser { urn } } }' });
    const response = await fetch(`${service.url}/api/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: query,
    });
    expect(await response.json()).toMatchObject({
      data: { me: { corpUser: { urn: 'urn:li:corpuser:bob' } } },
    });
    expect(complaints()).toEqual([]);
  });

  it('the web application: a person signs in, is who they are, and comes back to the place they wanted', async () => {
    const { page } = browser;
    await page.goto(`${service.url}/web#/model`, { waitUntil: 'networkidle0' });
    const { host } = new URL(provider.url);
    await browser.picture('sign-in-web');
    await click(`Sign in at ${host}`);
    await signInAs('ada');
    await page.waitForFunction('document.querySelector(".user")?.textContent.includes("ada")');
    expect(page.url()).toBe(`${service.url}/web#/model`);
    await page.waitForSelector('.model');
    const kept = () =>
      page.evaluate('[sessionStorage, localStorage].map((one) => one["metadata-catalog:token"] ?? null)');
    expect(await kept()).toEqual([expect.stringMatching(/^ey/), null]);
    await page.reload({ waitUntil: 'networkidle0' });
    await page.waitForFunction('document.querySelector(".user")?.textContent.includes("ada")');
    await click('Sign out');
    await page.waitForSelector('.provider button');
    expect(await kept()).toEqual([null, null]);
    expect(complaints()).toEqual([]);
  });

  it('the web application says why a person could not sign in, and takes no code that it did not ask for', async () => {
    const { page } = browser;
    await page.goto(`${service.url}/web`, { waitUntil: 'networkidle0' });
    await click(`Sign in at ${new URL(provider.url).host}`);
    await page.waitForSelector('input[name=login]');
    const cancel = await page.waitForSelector('::-p-xpath(//a[contains(text(), "Cancel")])');
    await Promise.all([page.waitForNavigation(), cancel!.click()]);
    await page.waitForFunction(
      'document.querySelector("[role=alert]")?.textContent.startsWith("Signing in failed: ")',
    );
    expect(page.url()).toMatch(/\/web#?\/?$/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${service.url}/web?code=stolen&state=guessed`, { waitUntil: 'networkidle0' });
    await page.waitForSelector('.provider button');
    expect(asked.filter((url) => url.startsWith(provider.url))).toEqual([]);
    expect(await page.$$('[role=alert]')).toHaveLength(0);
  });

  it('say why a person could not sign in', async () => {
    const { page } = browser;
    await page.goto(`${service.url}/graphiql`, { waitUntil: 'networkidle0' });
    await click('Sign in');
    await page.waitForSelector('input[name=login]');
    const cancel = await page.waitForSelector('::-p-xpath(//a[contains(text(), "Cancel")])');
    await Promise.all([page.waitForNavigation(), cancel!.click()]);
    await page.waitForFunction(
      'document.querySelector(".said")?.textContent.startsWith("Signing in failed: ")',
    );
    expect(page.url()).toBe(`${service.url}/graphiql`);
  });

  it('take no code that they did not ask for', async () => {
    const { page } = browser;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${service.url}/graphiql?code=stolen&state=guessed`, { waitUntil: 'networkidle0' });
    await page.waitForFunction('document.querySelector(".said")?.textContent === "No token yet"');
    expect(asked.filter((url) => url.startsWith(provider.url))).toEqual([]);
  });
});
