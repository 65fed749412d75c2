import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Global, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { mkdtempSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SqliteDatabase } from '../../adapters/database/index.js';
import { AuditLog, NoAuditLog } from '../../catalog/audit/index.js';
import type { Principal } from '../../catalog/auth/index.js';
import { Database } from '../../catalog/store/index.js';
import { createApplication } from '../../http/index.js';
import { AuthModule, CurrentPrincipal, Public, TokenService, type AuthOptions } from './index.js';
import passport from 'passport';
import { BearerStrategy } from './bearer.strategy.js';
import type { JwtService } from './oidc/jwt.service.js';

@Controller()
class ProbeController {
  @Get('whoami')
  whoami(@CurrentPrincipal() principal: Principal) {
    return principal;
  }
  @Post('whoami')
  post(@CurrentPrincipal() principal: Principal) {
    return principal;
  }
  @Public()
  @Get('health')
  health() {
    return { open: true };
  }
}

const CONFIGURATION = { bodyLimit: 4096, logLevel: 'silent', recordNamespace: 'com.acme' } as const;
const home = mkdtempSync(join(tmpdir(), 'auth-'));
const databases: SqliteDatabase[] = [];

async function start(name: string, options: Partial<AuthOptions> = {}): Promise<NestFastifyApplication> {
  const database = await SqliteDatabase.open(join(home, `${name}.db`));
  databases.push(database);
  @Global()
  @Module({
    providers: [
      { provide: Database, useValue: database },
      { provide: AuditLog, useValue: new NoAuditLog(database) },
    ],
    exports: [Database, AuditLog],
  })
  class DatabaseModule {}
  @Module({
    imports: [
      DatabaseModule,
      AuthModule.forRoot({ auth: 'on', role: 'all', home, adminToken: 'own', ...options }),
    ],
    controllers: [ProbeController],
  })
  class ProbeModule {}
  const auth = options.auth ?? 'on';
  const app = await createApplication(ProbeModule, { ...CONFIGURATION, auth }, pino({ level: 'silent' }));
  await app.listen(0, '127.0.0.1');
  return app;
}

let app: NestFastifyApplication;
let token: string;
let tokenId: string;

beforeAll(async () => {
  app = await start('main');
  const issued = await app
    .get(TokenService)
    .issue(
      { actor: 'urn:li:corpuser:admin', role: 'ADMIN' },
      { actor: 'urn:li:corpuser:ann', role: 'EDITOR', name: 'test', durationMs: 60_000 },
    );
  token = issued.token;
  tokenId = issued.info.id;
});
afterAll(async () => {
  await app.close();
  for (const database of databases) await database.close();
});

const baseOf = (server: NestFastifyApplication) =>
  `http://127.0.0.1:${(server.getHttpServer().address() as AddressInfo).port}`;
const call = (path: string, init: RequestInit = {}, server = app) => fetch(baseOf(server) + path, init);
const withHeader = (authorization: string, path = '/whoami') => call(path, { headers: { authorization } });

describe('BearerGuard', () => {
  it('tells the endpoint who holds the token', async () => {
    const answer = await withHeader(`Bearer ${token}`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ actor: 'urn:li:corpuser:ann', role: 'EDITOR', tokenId });
  });

  it('tells the callers of one connection apart', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ports = new Set<number | undefined>();
    const actorOf = (sent: string) =>
      new Promise<string | number>((resolve, reject) => {
        get(`${baseOf(app)}/whoami`, { agent, headers: { authorization: `Bearer ${sent}` } }, (answer) => {
          ports.add(answer.socket.localPort);
          let body = '';
          answer.on('data', (part) => (body += String(part)));
          answer.on('end', () =>
            resolve((JSON.parse(body) as Partial<Principal>).actor ?? answer.statusCode!),
          );
        }).on('error', reject);
      });
    const seen: Array<string | number> = [];
    for (const sent of [token, 'own', token, token, 'own', 'own', 'none', token])
      seen.push(await actorOf(sent));
    agent.destroy();
    const [ann, admin] = ['urn:li:corpuser:ann', seen[1]];
    expect(seen).toEqual([ann, admin, ann, ann, admin, admin, 401, ann]);
    expect(admin).not.toBe(ann);
    expect(ports.size).toBe(1);
  });

  it.each(['bearer', 'BEARER', 'BeArEr'])('takes the scheme as %s', async (scheme) => {
    expect((await withHeader(`${scheme} ${token}`)).status).toBe(200);
  });

  it('asks for a token where there is none', async () => {
    for (const headers of [
      {},
      { authorization: 'Bearer' },
      { authorization: 'Basic a:b' },
      { authorization: token },
    ]) {
      const answer = await call('/whoami', { headers: headers as Record<string, string> });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expect(await answer.json()).toMatchObject({ code: 'TOKEN_MISSING', status: 401 });
    }
  });

  it('refuses a bad token, however strange', async () => {
    const bad = ['cat_unknown', `${token}x`, `${token} ${token}`, 'a,b', 'x'.repeat(5000), `"${token}"`];
    for (const text of bad) {
      const answer = await withHeader(`Bearer ${text}`);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(await answer.json()).toMatchObject({ code: 'TOKEN_INVALID' });
    }
  });

  it('takes no token from the query or the body', async () => {
    expect((await call(`/whoami?access_token=${token}`)).status).toBe(401);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
    expect((await call('/whoami', { ...json, body: JSON.stringify({ access_token: token }) })).status).toBe(
      401,
    );
    // A body may have a field of that name, and the header still counts.
    const headers = { ...json.headers, authorization: `Bearer ${token}` };
    const both = await call('/whoami?access_token=x', { ...json, headers, body: '{"access_token":"x"}' });
    expect(both.status).toBe(201);
    expect(await both.json()).toMatchObject({ actor: 'urn:li:corpuser:ann' });
  });

  it('believes no header about who is calling', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'x-actor': 'urn:li:corpuser:root',
      'x-datahub-actor': 'urn:li:corpuser:root',
    };
    expect(await (await call('/whoami', { headers })).json()).toMatchObject({ actor: 'urn:li:corpuser:ann' });
  });

  it('refuses two Authorization headers', async () => {
    const { port } = new URL(baseOf(app));
    const answer = await new Promise<string>((resolve, reject) => {
      const lines = [`Authorization: Bearer ${token}`, 'authorization: Bearer other', 'Connection: close'];
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET /whoami HTTP/1.1\r\nHost: x\r\n${lines.join('\r\n')}\r\n\r\n`),
      );
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 401/);
    expect(answer).toContain('more than one Authorization header');
  });

  it('opens public endpoints, whatever token is sent', async () => {
    expect((await call('/health')).status).toBe(200);
    expect((await withHeader('Bearer wrong', '/health')).status).toBe(200);
  });

  it('answers 404, not 401, where there is nothing', async () => {
    expect((await call('/nowhere')).status).toBe(404);
  });

  it('can be asked by endpoints that are no routes', async () => {
    const { BearerGuard } = await import('./index.js');
    const guard = app.get(BearerGuard);
    const request = { headers: { authorization: `Bearer ${token}` } };
    expect(await guard.authenticate(request)).toMatchObject({ actor: 'urn:li:corpuser:ann' });
    await expect(guard.authenticate({ headers: {} })).rejects.toMatchObject({ code: 'TOKEN_MISSING' });
  });

  it('keeps two applications in one process apart', async () => {
    const other = await start('other', { adminToken: 'theirs' });
    try {
      const answer = (header: string, server: NestFastifyApplication) =>
        call('/whoami', { headers: { authorization: `Bearer ${header}` } }, server).then(
          ({ status }) => status,
        );
      expect(await answer('theirs', other)).toBe(200);
      expect(await answer('theirs', app)).toBe(401);
      expect(await answer('own', app)).toBe(200);
      expect(await answer(token, other)).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('makes everybody administrator where authentication is off', async () => {
    const open = await start('open', { auth: 'off' });
    try {
      expect(await (await call('/whoami', {}, open)).json()).toEqual({
        actor: 'urn:li:corpuser:admin',
        role: 'ADMIN',
      });
    } finally {
      await open.close();
    }
  });
});

describe('Passport', () => {
  it('forgets the strategy of an application that has ended', () => {
    const strategy = new BearerStrategy({} as TokenService, {} as JwtService);
    const { _strategies: kept } = passport as unknown as { _strategies: Record<string, unknown> };
    expect(kept[strategy.name]).toBe(strategy);
    strategy.onApplicationShutdown();
    expect(kept).not.toHaveProperty(strategy.name);
  });
});
