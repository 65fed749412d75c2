import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { NoAuditLog } from '../../catalog/audit/index.js';
import { AccessTokenRepository } from './access-token.repository.js';
import { RefusedTokens } from './refused-tokens.js';
import type { AuthOptions } from './auth-options.js';
import { FirstToken } from './first-token.js';
import { TokenService } from './token.service.js';

let home: string;
let database: SqliteDatabase;
let printed: string[];
let service: TokenService;

/** One start of the service, before it listens. */
async function begin(change: Partial<AuthOptions> = {}): Promise<FirstToken> {
  const print = (text: string) => void printed.push(text);
  const options: AuthOptions = { auth: 'on', role: 'all', home, print, ...change };
  const audit = new NoAuditLog(database);
  const repository = new AccessTokenRepository(database, audit);
  service = new TokenService(repository, options, new RefusedTokens(audit));
  const first = new FirstToken(repository, service, options);
  Object.assign(first, { logger: { warn: (text: string) => printed.push(`warning: ${text}`) } });
  await first.onApplicationBootstrap();
  return first;
}
/** One start that comes to listen. */
async function start(change: Partial<AuthOptions> = {}): Promise<void> {
  (await begin(change)).announce();
}
const fileText = () => readFile(join(home, 'admin-token'), 'utf8');
const rows = () => database.all<Record<string, unknown>>('SELECT * FROM access_token');

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'first-token-'));
  database = await SqliteDatabase.open(join(home, 'catalog.db'));
  printed = [];
});
afterEach(async () => {
  await database.close();
  await rm(home, { recursive: true });
});

describe('the first administrator token', () => {
  it('is written for its owner alone, printed once, and works', async () => {
    await start();
    const token = (await fileText()).trim();
    expect((await stat(join(home, 'admin-token'))).mode & 0o777).toBe(0o600);
    expect(printed.join('')).toContain(token);
    expect(await service.verify(token)).toMatchObject({ actor: 'urn:li:corpuser:admin', role: 'ADMIN' });
    expect(Number((await rows())[0]!['expires_at'])).toBeGreaterThan(Date.now());
    expect((await readdir(home)).filter((name) => name.startsWith('admin-token'))).toEqual(['admin-token']);
  });

  it('is made once, at the first start', async () => {
    await start();
    const token = await fileText();
    printed = [];
    await start();
    await rm(join(home, 'admin-token'));
    await start();
    expect(printed).toEqual([]);
    expect(await rows()).toHaveLength(1);
    await expect(fileText()).rejects.toThrow('ENOENT');
    expect(await service.verify(token.trim())).toMatchObject({ role: 'ADMIN' });
  });

  it('is taken back by a start that fails', async () => {
    const failed = await begin();
    const token = (await fileText()).trim();
    await failed.beforeApplicationShutdown();
    expect(printed).toEqual([]);
    expect(await rows()).toEqual([]);
    await expect(fileText()).rejects.toThrow('ENOENT');
    const next = await begin();
    next.announce();
    await next.beforeApplicationShutdown();
    expect(printed).toHaveLength(1);
    expect(printed[0]).toContain((await fileText()).trim());
    expect(await service.verify((await fileText()).trim())).toMatchObject({ role: 'ADMIN' });
    expect(printed[0]).not.toContain(token);
  });

  it('is made by one of several processes that start together', async () => {
    await Promise.all([start(), start(), start()]);
    expect(await rows()).toHaveLength(1);
    expect(await service.verify((await fileText()).trim())).toMatchObject({ role: 'ADMIN' });
    expect(printed).toHaveLength(1);
  });

  it.each([{ adminToken: 'a-token-of-my-own-0123' }, { auth: 'off' }, { role: 'worker' }] as Array<
    Partial<AuthOptions>
  >)('is not made with %j', async (options) => {
    await start(options);
    expect(await rows()).toHaveLength(0);
    await expect(fileText()).rejects.toThrow('ENOENT');
  });

  it('warns where every caller is an administrator', async () => {
    await start({ auth: 'off' });
    expect(printed.join()).toContain('every caller');
  });

  it('is not replaced when it was revoked, the way back is named', async () => {
    await start();
    await service.revoke({ actor: 'urn:li:corpuser:admin', role: 'ADMIN' }, 'first-administrator');
    printed = [];
    await start();
    expect(printed).toHaveLength(1);
    expect(printed[0]).toMatch(/^warning: .*tokens create/);
    expect(await rows()).toHaveLength(1);
  });
});
