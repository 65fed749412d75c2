import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readConfiguration } from '../src/config/configuration.js';
import { VARIABLES } from '../src/config/variables.js';

const file = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../docker/${name}`, import.meta.url)), 'utf8');

interface Service {
  image: string;
  build?: unknown;
  pull_policy?: string;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
  command?: string[];
  healthcheck?: unknown;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  deploy: { resources: { limits: { memory: string } } };
}

const compose = parse(file('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'metadata-catalog');

/** Read by Node itself; everything else is a setting of the service. */
const OF_NODE = 'NODE_OPTIONS';
const settingsOf = ({ environment = {} }: Service) =>
  Object.entries(environment).filter(([name]) => name !== OF_NODE);

/** As compose replaces them: `${NAME}`, `${NAME:-default}`, `${NAME:?message}`. */
const filled = (text: string) =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, _name, kind, rest: string) =>
    kind === '-' ? rest : 'x'.repeat(32),
  );

describe('docker/compose.yaml', () => {
  it('has two api and two worker processes', () => {
    const roles = ours.map(([, { environment }]) => environment?.['CATALOG_ROLE']);
    expect(roles.sort()).toEqual(['api', 'api', 'worker', 'worker']);
  });

  it('makes the image once, and asks no registry for it', () => {
    const [maker, ...others] = ours.sort(([, a], [, b]) => Number(!a.build) - Number(!b.build));
    expect(maker?.[1].build).toEqual({ context: '..', dockerfile: 'docker/Dockerfile' });
    expect(others.map(([, { build, pull_policy }]) => [build, pull_policy])).toEqual(
      others.map(() => [undefined, 'never']),
    );
  });

  it('takes what .env.example offers, and nothing else', () => {
    const offered = [...file('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const taken = [...file('compose.yaml').matchAll(/(?<!\$)\$\{(\w+)(?::-([^}]*))?/g)].map(
      ([, name, fallback = '']) => [name, fallback],
    );
    expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(taken));
  });

  it.each(ours)('runs %s without rights that it does not need', (_name, { cap_drop, security_opt }) => {
    expect(cap_drop).toEqual(['ALL']);
    expect(security_opt).toEqual(['no-new-privileges:true']);
  });

  it.each(ours)('gives %s only settings that the service knows, and takes', (_name, service) => {
    const known = Object.values(VARIABLES).map(({ name }) => name);
    const values = settingsOf(service).map(([name, value]) => [name, filled(value)]);
    expect(values.filter(([name]) => !known.includes(name as never))).toEqual([]);
    const read = readConfiguration(Object.fromEntries(values) as Record<string, string>);
    expect(read.databaseUrl?.hostname).toBe('mysql');
    expect(read.redisUrl?.hostname).toBe('redis');
    expect(read.searchUrl?.hostname).toBe('elasticsearch');
  });

  it.each(ours)('gives %s options that Node takes', (_name, { environment = {} }) => {
    const { status, stderr } = spawnSync(process.execPath, ['--eval', ''], {
      env: { [OF_NODE]: environment[OF_NODE] },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('names services, volumes and settings that exist', () => {
    for (const [name, { depends_on = {}, volumes = [] }] of services) {
      for (const other of Object.keys(depends_on))
        expect([name, Object.keys(compose.services)]).toContainEqual(expect.arrayContaining([other]));
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    }
    const documented = readFileSync(
      fileURLToPath(new URL('../docs/configuration.md', import.meta.url)),
      'utf8',
    );
    for (const [, service] of ours) {
      for (const [name] of settingsOf(service)) expect(documented).toContain(`\`${name}\``);
    }
  });

  it('limits the memory of every service, and watches the health of those it does not build', () => {
    for (const [name, { deploy, healthcheck, image }] of services) {
      expect([name, deploy.resources.limits.memory]).toEqual([name, expect.stringMatching(/^\d+[Mg]$/)]);
      if (image !== 'metadata-catalog') expect([name, healthcheck]).toEqual([name, expect.anything()]);
    }
  });
});

/** The variables of a stack test that name a server of `docker/compose.test.yaml`, as CONTRIBUTING exports them. */
const SERVERS: Record<string, { scheme: string; serves: number; data: string }> = {
  mariadb: { scheme: 'mysql:', serves: 3306, data: '/var/lib/mysql' },
  mysql: { scheme: 'mysql:', serves: 3306, data: '/var/lib/mysql' },
  redis: { scheme: 'redis:', serves: 6379, data: '/data' },
  elasticsearch: { scheme: 'http:', serves: 9200, data: '/usr/share/elasticsearch/data' },
};

// Nothing here starts a container: what a Docker daemon alone can say is not said.
describe('docker/compose.test.yaml', () => {
  const test = parse(file('compose.test.yaml')) as {
    name: string;
    configs: Record<string, { content: string }>;
    services: Record<string, TestServer>;
  };
  interface TestServer {
    image: string;
    command?: string[];
    environment?: Record<string, unknown>;
    configs?: Array<{ source: string; target: string }>;
    ports: string[];
    tmpfs: string[];
    healthcheck: { test: string[] };
  }
  const contributing = readFileSync(fileURLToPath(new URL('../CONTRIBUTING.md', import.meta.url)), 'utf8');
  const exported = [...contributing.matchAll(/^export (\w+_URL)=(\S+)$/gm)].map(
    ([, name, url]) => [name!, new URL(url!)] as const,
  );

  it('has the servers of the stack tests, under a name of their own', () => {
    expect(Object.keys(test.services)).toEqual(Object.keys(SERVERS));
    expect(test.name).not.toBe((parse(file('compose.yaml')) as { name: string }).name);
  });

  it.each(Object.keys(SERVERS))(
    'publishes %s on the loopback interface, and keeps its data in memory',
    (name) => {
      const server = test.services[name]!;
      expect(server.image).toMatch(/:\d+\.\d+(?:\.\d+)?(?:-\w+)?$/);
      expect(server.ports).toEqual([
        expect.stringMatching(`^127\\.0\\.0\\.1:\\d+:${SERVERS[name]!.serves}$`),
      ]);
      expect(server.tmpfs.map((mount) => mount.split(':')[0])).toEqual([SERVERS[name]!.data]);
      expect(server.healthcheck.test[0]).toMatch(/^CMD(-SHELL)?$/);
      for (const { source } of server.configs ?? []) expect(Object.keys(test.configs)).toContain(source);
      // Compose hands over texts: YAML's own `yes` and numbers are quoted.
      for (const value of Object.values(server.environment ?? {})) expect(typeof value).toBe('string');
      for (const word of server.command ?? []) expect(typeof word).toBe('string');
    },
  );

  it.each(['mariadb', 'mysql'])('lets the account of %s make databases', (name) => {
    const { environment = {}, configs = [] } = test.services[name]!;
    const prefix = name.toUpperCase();
    const account = ['DATABASE', 'USER', 'PASSWORD'].map((part) => environment[`${prefix}_${part}`]);
    expect(account).toEqual(['catalog', 'catalog', 'catalog']);
    expect(configs.map(({ target }) => target)).toEqual([
      expect.stringMatching(/^\/docker-entrypoint-initdb\.d\/\w+\.sql$/),
    ]);
    expect(test.configs[configs[0]!.source]?.content).toMatch(
      /^GRANT ALL PRIVILEGES ON \*\.\* TO 'catalog'@'%'/,
    );
  });

  it('serves every address that CONTRIBUTING exports, and no other', () => {
    const published = Object.entries(test.services).map(([name, { ports }]) => ({
      scheme: SERVERS[name]!.scheme,
      port: ports[0]!.split(':')[1],
    }));
    const addresses = exported.map(([, { protocol, port }]) => ({ scheme: protocol, port }));
    expect(new Set(addresses.map((address) => JSON.stringify(address)))).toEqual(
      new Set(published.map((address) => JSON.stringify(address))),
    );
    for (const [, url] of exported) {
      expect(url.hostname).toBe('127.0.0.1');
      if (url.protocol === 'mysql:')
        expect([url.username, url.password, url.pathname]).toEqual(['catalog', 'catalog', '/catalog']);
    }
    expect(exported.map(([name]) => name).sort()).toEqual(
      ['MARIADB_URL', 'MYSQL_URL', 'STACK_DATABASE_URL', 'STACK_REDIS_URL', 'STACK_SEARCH_URL'].sort(),
    );
  });
});

describe('docker/Dockerfile', () => {
  const dockerfile = file('Dockerfile');

  it('runs as an ordinary account, with a health check, on the Node of the service', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM'));
    expect(last).toMatch(/^USER [1-9]\d*$/m);
    expect(last).toMatch(/^HEALTHCHECK /m);
    expect([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image)).toEqual([
      expect.stringMatching(/^node:24/),
      expect.stringMatching(/^node:24/),
    ]);
  });
});
