import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_TOKEN, TestCatalog } from '../../harness/catalog.js';
import { RawRequest } from '../../harness/raw-request.js';
import { Cookies } from './browser.js';

const PAGE = `<!doctype html><html><head><base href="@basePath"><script>window.started = 1</script>
<script type="module" src="assets/main-0a1b2c3d.js"></script></head><body><div id="root"></div></body></html>`;
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** A build of our own, of the shape of that of the field. */
async function makeBuild(folder: string): Promise<void> {
  await mkdir(join(folder, 'public/assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'secret');
  await writeFile(join(folder, 'public/index.html'), PAGE);
  await writeFile(join(folder, 'public/.hidden'), 'secret');
  await writeFile(join(folder, 'public/assets/main-0a1b2c3d.js'), 'export {};');
  await writeFile(join(folder, 'public/assets/a name.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await symlink(join(folder, 'secret.txt'), join(folder, 'public/link.txt'));
}

describe('the build of a web client', () => {
  let folder: string;
  let catalog: TestCatalog;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'catalog-client-'));
    await makeBuild(folder);
    catalog = await TestCatalog.start({ CATALOG_WEB_CLIENT: join(folder, 'public') });
  });
  afterAll(async () => {
    await catalog?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const get = (path: string, headers: Record<string, string> = {}) =>
    catalog.get(path, { token: null, headers });

  it('is served with its page for the routes of the client, and a policy', async () => {
    for (const path of ['/', '/index.html', '/login', '/dataset/urn:li:dataset:x/Schema?y=1', '/search']) {
      const { status, text, headers } = await get(path, HTML);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toBe(PAGE.replace('@basePath', '/'));
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]{44}'; .*frame-ancestors 'none'$/,
      );
    }
    const script = await get('/assets/main-0a1b2c3d.js');
    expect([script.status, script.text]).toEqual([200, 'export {};']);
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    expect((await get('/assets/a%20name.svg')).status).toBe(200);
    const known = `GET /assets/main-0a1b2c3d.js HTTP/1.1\r\nHost: x\r\nIf-None-Match: ${script.headers.get('etag')}\r\n\r\n`;
    expect((await (await RawRequest.send(catalog.url, known)).answer()).status).toBe(304);
  });

  it('hides nothing of the service', async () => {
    expect((await get('/health/live')).body).toEqual({ status: 'UP' });
    expect((await get('/web', HTML)).text).toContain('Metadata catalog');
    for (const path of ['/openapi/v3/entity/tag', '/relationships?urn=x', '/api/gms/openapi/v3/entity/tag'])
      expect([path, (await get(path, HTML)).status]).toEqual([path, 401]);
    for (const path of ['/openapi/v9', '/api/nothing', '/web/nothing'])
      expect([path, (await get(path, HTML)).status]).toEqual([path, 404]);
    expect((await get('/assets/missing.js')).status).toBe(404);
    expect((await catalog.post('/login', {}, { token: null })).status).toBe(404);
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/..%5csecret.txt',
    '//etc/passwd',
    '/link.txt',
    '/.hidden',
    '/assets/main-0a1b2c3d.js%00.html',
    '/%',
  ])('gives nothing else away: %s', async (path) => {
    const { host } = new URL(catalog.url);
    const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const { status, body } = await (await RawRequest.send(catalog.url, head)).answer();
    expect([400, 401, 404]).toContain(status);
    expect(JSON.stringify(body)).not.toMatch(/"secret"|root:/);
  });

  it('signs people in, asks by the cookie, and signs them out', async () => {
    const cookies = new Cookies(catalog);
    await cookies.send('POST', '/logIn', { username: 'admin', password: ADMIN_TOKEN });
    expect(await cookies.me()).toBe('urn:li:corpuser:admin');
    const headers = {
      cookie: `catalog_session=${cookies.value('catalog_session')}`,
      'sec-fetch-site': 'same-origin',
    };
    const out = await fetch(`${catalog.url}/logOut`, { redirect: 'manual', headers });
    expect([out.status, out.headers.get('location')]).toEqual([302, '/login']);
    expect(await cookies.me()).toBeUndefined();
  });
});

it('a folder without a build stops the start', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'catalog-client-'));
  const start = TestCatalog.start({ CATALOG_WEB_CLIENT: folder });
  await expect(start).rejects.toThrow('it has no index.html');
  await rm(folder, { recursive: true });
});
