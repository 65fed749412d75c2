import { describe, expect, it } from '@jest/globals';
import { resolve } from 'node:path';
import {
  checkListening,
  ConfigurationError,
  readConfiguration,
  settingsOf,
  unknownVariables,
} from './configuration.js';
import { VARIABLES } from './variables.js';

function faultOf(environment: Record<string, string>): string {
  try {
    readConfiguration(environment);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('readConfiguration', () => {
  it('has a default for everything, also where a variable is empty', () => {
    const expected = {
      port: 8080,
      queuePrefix: 'catalog',
      host: '0.0.0.0',
      home: resolve('.catalog'),
      acceptEmpty: 'off',
      databaseUrl: undefined,
      redisUrl: undefined,
      searchCatchUpMs: 2000,
      searchTimeoutMs: 10_000,
      searchThreads: 0,
      searchPrefix: 'catalog',
      searchUrl: undefined,
      role: 'all',
      auth: 'on',
      adminToken: undefined,
      secretKey: undefined,
      oidcIssuers: [],
      oidcAudience: [],
      oidcUserClaim: 'preferred_username',
      oidcGroupsClaims: ['groups'],
      oidcRoles: new Map(),
      oidcDefaultRole: 'none',
      oidcClientId: undefined,
      oidcProvision: 'off',
      oidcScope: 'openid profile',
      models: undefined,
      unknownFields: 'refuse',
      compatibility: 'specification',
      references: 'lenient',
      vendor: 'platform',
      recordNamespace: 'com.linkedin',
      changeLogDays: 30,
      feedReaders: 500,
      feedWaitMs: 10_000,
      feedStreamSeconds: 3600,
      feedHoldDays: 30,
      corsOrigins: [],
      audit: 'on',
      auditReads: 'off',
      auditDays: 365,
      historyVersions: 0,
      historyDays: 0,
      timeseriesDays: 0,
      webhookInternal: 'off',
      bodyLimit: 16 * 1024 * 1024,
      queryBodyLimit: 2 * 1024 * 1024,
      bodyMemory: 32 * 1024 * 1024,
      compressFrom: 1024,
      tokenRequests: 64,
      rateLimit: undefined,
      connectionsPerAddress: 16_384,
      requests: 4_096,
      trustedProxies: [],
      idleSeconds: 30,
      shedDelayMs: 1000,
      graphqlMaxAliases: 100,
      graphqlMaxBatch: 5000,
      graphqlMaxCost: 500_000,
      requestTimeoutMs: 120_000,
      graphqlMaxDepth: 25,
      graphqlMaxSearchCost: 1_000,
      graphqlMaxValues: 32 * 1024 ** 2,
      graphqlMaxTokens: 10_000,
      graphqlTimeoutMs: 30_000,
      logLevel: 'info',
      mappingsReindex: false,
      structuredPropertiesUpdate: false,
      tokensPerUser: 200,
      tracesEndpoint: undefined,
      tracesHeaders: {},
      tracesService: 'metadata-catalog',
      tracesShare: 1,
      web: 'on',
      webClient: undefined,
      sessionHours: 24,
    };
    expect(readConfiguration({})).toEqual(expected);
    expect(readConfiguration({ PORT: '', CATALOG_HOME: ' ', CATALOG_ROLE: '' })).toEqual(expected);
  });

  it('reads what is set', () => {
    const configuration = readConfiguration({
      PORT: '0',
      HOST: '::1',
      CATALOG_AUTH: 'OFF',
      CATALOG_DATABASE_URL: 'mysql://u:p@db:3306/catalog',
      CATALOG_BODY_LIMIT: '2 MiB',
      CATALOG_RATE_LIMIT: '600/min',
      ELASTICSEARCH_INDEX_BUILDER_MAPPINGS_REINDEX: 'True',
    });
    expect(configuration).toMatchObject({
      port: 0,
      host: '::1',
      auth: 'off',
      bodyLimit: 2_097_152,
      rateLimit: { requests: 600, windowMs: 60_000 },
      mappingsReindex: true,
    });
    expect(configuration.databaseUrl?.hostname).toBe('db');
  });

  it('reads headers and the share of traces', () => {
    const read = (headers: string, share = '0.25') =>
      readConfiguration({ OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: share });
    const { tracesHeaders, tracesShare } = read('api-key=a%20b=c, x-tenant = one');
    expect(tracesHeaders).toEqual({ 'api-key': 'a b=c', 'x-tenant': 'one' });
    expect(tracesShare).toBe(0.25);
    for (const wrong of ['api-key', 'a=1,,b=2', 'a=%'])
      expect(() => read(wrong)).toThrow('OTEL_EXPORTER_OTLP_HEADERS=(hidden) is not allowed');
    for (const wrong of ['1.5', '-1', 'half'])
      expect(() => read('', wrong)).toThrow('OTEL_TRACES_SAMPLER_ARG');
  });

  it('reads identity providers, and the roles of their groups', () => {
    const { oidcIssuers, oidcRoles, oidcGroupsClaims } = readConfiguration({
      CATALOG_OIDC_ISSUER: 'https://idp.example.org/realms/a  http://127.0.0.1:4000',
      CATALOG_OIDC_AUDIENCE: 'catalog',
      CATALOG_OIDC_GROUPS_CLAIM: 'groups realm_access.roles',
      CATALOG_OIDC_ROLES: 'Data%20People=editor cn=admins,dc=example=ADMIN',
    });
    expect(oidcIssuers).toEqual(['https://idp.example.org/realms/a', 'http://127.0.0.1:4000']);
    expect(oidcGroupsClaims).toEqual(['groups', 'realm_access.roles']);
    expect([...oidcRoles]).toEqual([
      ['Data People', 'EDITOR'],
      ['cn=admins,dc=example', 'ADMIN'],
    ]);
  });

  it.each([
    [{ PORT: '80a' }, 'PORT="80a"', 'a whole number from 0 to 65535'],
    [{ PORT: '70000' }, 'PORT="70000"', '65535'],
    [{ CATALOG_ROLE: 'boss' }, 'CATALOG_ROLE="boss"', 'all, api, worker'],
    [{ CATALOG_AUTH: 'no' }, 'CATALOG_AUTH="no"', 'on, off'],
    [
      { CATALOG_DATABASE_URL: 'postgres://u:secret@h/d' },
      'CATALOG_DATABASE_URL=postgres://(hidden)',
      'mysql://',
    ],
    [{ CATALOG_SEARCH_URL: 'localhost:9200' }, 'CATALOG_SEARCH_URL', 'http://… or https://…'],
    [{ CATALOG_VENDOR: 'a.b' }, 'CATALOG_VENDOR="a.b"', 'a word'],
    [{ CATALOG_RECORD_NAMESPACE: 'com.' }, 'CATALOG_RECORD_NAMESPACE="com."', 'dots'],
    [{ CATALOG_BODY_LIMIT: '1' }, 'CATALOG_BODY_LIMIT="1"', 'bytes from 1024'],
    [{ CATALOG_ADMIN_TOKEN: 'two words' }, 'CATALOG_ADMIN_TOKEN=(hidden)', 'characters'],
    [{ CATALOG_RATE_LIMIT: '0/min' }, 'CATALOG_RATE_LIMIT="0/min"', '/s, /min or /h'],
    [{ CATALOG_RATE_LIMIT: '600' }, 'CATALOG_RATE_LIMIT="600"', 'off, or a whole number'],
    [{ HOST: 'a b' }, 'HOST="a b"', 'host name'],
    [
      { CATALOG_OIDC_ISSUER: 'http://idp.example.org' },
      'CATALOG_OIDC_ISSUER="http://idp.example.org"',
      'https',
    ],
    [{ CATALOG_OIDC_ISSUER: 'https://a/?b' }, 'CATALOG_OIDC_ISSUER="https://a/?b"', 'https'],
    [
      { CATALOG_OIDC_ISSUER: 'https://idp.example.org' },
      'CATALOG_OIDC_ISSUER needs',
      'CATALOG_OIDC_AUDIENCE',
    ],
    [{ CATALOG_OIDC_ROLES: 'a=ADMIN b' }, 'CATALOG_OIDC_ROLES="a=ADMIN b"', 'READER, EDITOR, ADMIN'],
    [{ CATALOG_OIDC_ROLES: '=ADMIN' }, 'CATALOG_OIDC_ROLES="=ADMIN"', '<group>=<role>'],
    [{ CATALOG_OIDC_ROLES: '%zz=ADMIN' }, 'CATALOG_OIDC_ROLES="%zz=ADMIN"', '<group>=<role>'],
  ] as Array<[Record<string, string>, string, string]>)(
    'refuses %j, naming it',
    (environment, named, allowed) => {
      const message = faultOf(environment);
      expect(message).toContain(named);
      expect(message).toContain(allowed);
      expect(message).not.toContain('secret');
    },
  );

  it('names everything that is wrong at once', () => {
    const message = faultOf({ PORT: 'x', CATALOG_ROLE: 'x' });
    expect(message).toContain('PORT');
    expect(message).toContain('CATALOG_ROLE');
  });

  it('keeps a catalog without authentication on loopback', () => {
    expect(readConfiguration({ CATALOG_AUTH: 'off' }).host).toBe('127.0.0.1');
    expect(faultOf({ CATALOG_AUTH: 'off', HOST: '0.0.0.0' })).toContain('loopback');
    expect(readConfiguration({ CATALOG_AUTH: 'off', HOST: 'localhost' }).host).toBe('localhost');
  });

  it.each(['fifteen-letters', 'x'])('keeps the administrator token %s on loopback', (token) => {
    const message = (environment: Record<string, string>) => {
      try {
        checkListening(readConfiguration({ CATALOG_ADMIN_TOKEN: token, ...environment }));
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    expect(message({})).toMatch(
      /^[^\n]*CATALOG_ADMIN_TOKEN=\(hidden\)[^\n]* HOST=0\.0\.0\.0[^\n]*16 characters/,
    );
    expect(message({ HOST: 'catalog.example.com' })).toContain('HOST=catalog.example.com');
    expect(message({ HOST: '127.0.0.1' })).toBeUndefined();
    expect(message({ CATALOG_AUTH: 'off' })).toBeUndefined();
    expect(message({ CATALOG_ADMIN_TOKEN: 'sixteen-letters-' })).toBeUndefined();
  });

  it('tells modules what they need, and no secrets', () => {
    const settings = settingsOf(readConfiguration({ CATALOG_ADMIN_TOKEN: 'hush-hush' }), '1.2.3');
    expect(settings).toMatchObject({ version: '1.2.3', vendor: 'platform', recordNamespace: 'com.linkedin' });
    expect(JSON.stringify(settings)).not.toContain('hush');
  });
});

describe('the table of variables', () => {
  it('documents each variable, with a default that is allowed', () => {
    const names = Object.values(VARIABLES).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const variable of Object.values(VARIABLES)) {
      expect(variable.meaning).not.toBe('');
      expect(variable.fallback).not.toBe('');
      expect(variable.read(undefined)).toBeDefined();
    }
  });

  it('finds names that are probably misspelt', () => {
    expect(
      unknownVariables({ CATALOG_AUHT: 'off', CATALOG_HOME: 'x', CATALOG_TOKEN: 'x', PATH: 'x' }),
    ).toEqual(['CATALOG_AUHT']);
  });
});
