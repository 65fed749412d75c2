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
