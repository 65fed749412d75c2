import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Delete, Get, Global, Injectable, Module, Post } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { Documented } from '../../catalog/extension/documented.js';
import { action, Actions, flag, serve } from '../../catalog/route/index.js';
import { CATALOG_SETTINGS, MODEL_DIGEST } from '../../catalog/settings.js';
import { Database } from '../../catalog/store/index.js';
import { createApplication } from '../../http/index.js';
import { AuditLog, NoAuditLog } from '../../catalog/audit/index.js';
import { AuthModule } from '../auth/index.js';
import { until } from '../../../test/harness/until.js';
import type { HealthPart } from '../../catalog/extension/health-part.js';
import { HealthService } from './health.service.js';
import { GraphqlPreparation } from '../graphql/lazy.js';
import { HEALTH_PARTS, OperationsModule } from './index.js';

@Controller('aspects')
class AspectsController {
  @Post()
  act(): void {}
  @Get(':urn')
  @Documented({
    summary: 'Reads <one> aspect.',
    parameters: { aspect: 'its name' },
    answer: '{version, aspect}',
  })
  get(): void {}
}
@Controller(['openapi/v3', 'openapi/v2'])
class OpenApiController {
  @Delete('entity/:entity/:urn')
  remove(): void {}
}
@Injectable()
class ProbeActions extends Actions {
  readonly actions = [
    serve(
      action({
        resource: 'aspects',
        action: 'ingestProposal',
        summary: 'Writes one aspect',
        parameters: { async: flag('whether to wait') },
        answer: 'nothing',
        example: {},
        deprecated: true,
      }),
      () => 1,
    ),
  ];
}

let databaseWorks = true;
let searchWorks = true;
let trouble: string | undefined;
/** Whether all connections are busy but the one of health checks. */
let busy = false;
const healthCheck = new AsyncLocalStorage<true>();
const reached = <T>(answer: T): Promise<T> =>
  busy && !healthCheck.getStore() ? new Promise(() => undefined) : Promise.resolve(answer);
const database = {
  all: () => (databaseWorks ? reached([{ one: 1 }]) : Promise.reject(new Error('db.internal refused'))),
  trouble: () => reached(trouble),
  forHealth: (work: () => Promise<unknown>) => healthCheck.run(true, work),
};
const search: HealthPart = {
  name: 'search',
  required: false,
  check: () => (searchWorks ? Promise.resolve() : Promise.reject(new Error('away'))),
};

async function start(modelDigest: string): Promise<NestFastifyApplication> {
  @Global()
  @Module({
    providers: [
      { provide: Database, useValue: database },
      { provide: AuditLog, useValue: new NoAuditLog(database as unknown as Database) },
      { provide: CATALOG_SETTINGS, useValue: { version: '1.0.0' } },
      { provide: MODEL_DIGEST, useValue: modelDigest },
      { provide: HEALTH_PARTS, useValue: [search] },
      { provide: GraphqlPreparation, useValue: { prepareAfter: () => undefined } },
    ],
    exports: [Database, AuditLog, CATALOG_SETTINGS, MODEL_DIGEST, HEALTH_PARTS, GraphqlPreparation],
  })
  class RootModule {}
  @Module({
    imports: [
      RootModule,
      OperationsModule,
      AuthModule.forRoot({ auth: 'on', role: 'worker', home: '/nowhere' }),
    ],
    controllers: [AspectsController, OpenApiController],
    providers: [ProbeActions],
  })
  class ProbeModule {}
  const configuration = {
    auth: 'on',
    bodyLimit: 4096,
    logLevel: 'silent',
    recordNamespace: 'com.acme',
  } as const;
  const started = await createApplication(ProbeModule, configuration, pino({ level: 'silent' }));
  await started.listen(0, '127.0.0.1');
  return started;
}

let app: NestFastifyApplication;
/** Every call here is without a token: all these endpoints are open. */
const get = (path: string, accept = '*/*', server = app) =>
  fetch(`http://127.0.0.1:${(server.getHttpServer().address() as AddressInfo).port}${path}`, {
    headers: { accept },
  });

beforeAll(async () => {
  app = await start('model-1');
});
afterAll(() => app.close());

describe('health', () => {
  it('is up when everything is', async () => {
    const answer = await get('/health');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({
      status: 'UP',
      parts: [
        { name: 'database', status: 'UP' },
        { name: 'search', status: 'UP' },
      ],
    });
    expect(await (await get('/health/live')).json()).toEqual({ status: 'UP' });
    expect((await get('/health/ready')).status).toBe(200);
  });

  it('stays ready without a part it can do without, and is not without the database', async () => {
    const reported = async (status: string): Promise<Response> => {
      for (;;) {
        const answer = await get('/health');
        if ((JSON.parse(await answer.clone().text()) as { status: string }).status === status) return answer;
        await pause(20);
      }
    };
    const lines: string[] = [];
    const warn = (line: string) => void lines.push(line);
    Object.assign(app.get(HealthService, { strict: false }), { logger: { warn } });
    searchWorks = false;
    await reported('DEGRADED');
    expect((await get('/health/ready')).status).toBe(200);
    databaseWorks = false;
    const down = await reported('DOWN');
    expect(down.status).toBe(503);
    const text = await down.text();
    expect(JSON.parse(text)).toMatchObject({ status: 'DOWN' });
    expect(text).not.toContain('db.internal');
    expect((await get('/health/ready')).status).toBe(503);
    expect((await get('/health/live')).status).toBe(200);
    databaseWorks = searchWorks = true;
    await reported('UP');
    // Probes asked many times.
    expect(lines.slice(0, 2)).toEqual([
      'search does not work: away',
      'database does not work: db.internal refused',
    ]);
    expect(lines.slice(2).sort()).toEqual(['database works again', 'search works again']);
  });

  it('is degraded, ready, and says why while the database cannot be written', async () => {
    trouble = 'the disk of the database is full';
    await until(
      async () => ((await (await get('/health')).json()) as { status: string }).status === 'DEGRADED',
    );
    expect(await (await get('/health')).json()).toMatchObject({
      parts: [{ name: 'database', status: 'DEGRADED', reason: trouble }, { status: 'UP' }],
    });
    expect((await get('/health/ready')).status).toBe(200);
    trouble = undefined;
  });

  it('is degraded, and ready, while all connections to the database but its own are busy', async () => {
    const statusOf = async () => ((await (await get('/health')).json()) as { status: string }).status;
    await until(async () => (await statusOf()) === 'UP');
    [busy, trouble] = [true, 'all connections to the database are busy'];
    let status = 'UP';
    await until(async () => (status = await statusOf()) !== 'UP');
    expect(status).toBe('DEGRADED');
    expect((await get('/health/ready')).status).toBe(200);
    [busy, trouble] = [false, undefined];
  });
});

describe('GET /config', () => {
  it('says who asks only when it is asked in detail', async () => {
    const asked = async (path: string) => (await (await get(path)).json()) as Record<string, unknown>;
    expect(await asked('/config?verbose=true')).toEqual({
      ...(await asked('/config')),
      userType: 'anonymous',
    });
    expect(await asked('/config?verbose=false')).not.toHaveProperty('userType');
  });

  it('says what existing clients ask for', async () => {
    const { versions, ...rest } = (await (await get('/config')).json()) as Record<string, any>;
    expect(rest).toEqual({
      noCode: 'true',
      patchCapable: true,
      statefulIngestionCapable: true,
      supportsImpactAnalysis: true,
      datahub: { serverType: 'prod', serverEnv: 'core' },
      managedIngestion: { enabled: false, defaultCliVersion: '1.7.0' },
      telemetry: { enabledCli: false, enabledIngestion: false },
      datasetUrnNameCasing: false,
      retention: 'true',
      timeZone: 'GMT',
      models: {},
    });
    const [{ version, commit }] = Object.values(versions) as [{ version: string; commit: string }];
    expect(version).toBe('v1.7.0');
    expect(commit).toMatch(/^[0-9a-f]{12}$/);
  });

  it('changes its commit with the model', async () => {
    const commitOf = async (server: NestFastifyApplication) => {
      const { versions } = (await (await get('/config', '*/*', server)).json()) as {
        versions: Record<string, { commit: string }>;
      };
      return Object.values(versions)[0]!.commit;
    };
    const other = await start('model-2');
    try {
      expect(await commitOf(other)).not.toBe(await commitOf(app));
    } finally {
      await other.close();
    }
  });
});

describe('GET /restli/docs', () => {
  it('lists the routes and actions that are served', async () => {
    const { groups } = (await (await get('/restli/docs', 'application/json')).json()) as {
      groups: Array<{ name: string; endpoints: Array<{ method: string; path: string }> }>;
    };
    const lines = groups.flatMap(({ endpoints }) => endpoints.map(({ method, path }) => `${method} ${path}`));
    expect(lines).toEqual([
      'GET /',
      'GET /aspects/{urn}',
      'POST /aspects?action=ingestProposal',
      'GET /config',
      'GET /health',
      'GET /health/live',
      'GET /health/ready',
      'GET /home/{digest}/{file}',
      'GET /metrics',
      'DELETE /openapi/v2/entity/{entity}/{urn}',
      'DELETE /openapi/v3/entity/{entity}/{urn}',
      'POST /operations',
      'GET /restli/docs',
      'GET /web',
      'GET /web/{digest}/{file}',
    ]);
    expect(groups.flatMap(({ endpoints }) => endpoints)).toContainEqual({
      method: 'POST',
      path: '/aspects?action=ingestProposal',
      summary: 'Writes one aspect.',
      parameters: { async: 'whether to wait' },
      answer: 'nothing',
      deprecated: true,
    });
  });

  it('is a page that needs nothing from elsewhere', async () => {
    const answer = await get('/restli/docs', 'text/html,application/json;q=0.9');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await answer.text();
    expect(page).toContain('Reads &lt;one&gt; aspect.');
    expect(page).toContain('/aspects?action=ingestProposal');
    expect(page).not.toMatch(/(?:src|href)="(?!#|data:)/);
  });
});
