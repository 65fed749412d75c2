import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments, stringify } from 'yaml';
import { readConfiguration } from '../src/config/configuration.js';

const run = promisify(execFile);
const CHART = fileURLToPath(new URL('../charts/metadata-catalog', import.meta.url));

/** The oldest and the newest version that the chart is checked with. */
const VERSIONS = ['1.27.0', '1.37.0'];
const NEWEST = VERSIONS.at(-1)!;

interface Container {
  args?: string[];
  env: Array<{ name: string; value?: string }>;
}
interface Resource {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: any;
}

const TOKEN = { adminToken: 'only-for-this-test-0123' };
const SERVERS = {
  ...TOKEN,
  connections: {
    databaseUrl: 'mysql://catalog:secret@mysql:3306/catalog',
    searchUrl: 'http://search:9200',
    redisUrl: 'redis://redis:6379',
  },
};
const EVERYTHING = {
  ...SERVERS,
  fullnameOverride: 'catalog',
  imagePullSecrets: [{ name: 'registry' }],
  config: {
    CATALOG_LOG_LEVEL: 'warn',
    CATALOG_BODY_LIMIT: 20_000_000,
    CATALOG_WEB: 'off',
    OTEL_TRACES_SAMPLER_ARG: 0.05,
  },
  api: {
    autoscaling: { enabled: true },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'only', operator: 'Exists' }],
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
    ],
  },
  systemUpdate: { reindex: true },
  service: { annotations: { team: 'data' } },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'certificate', annotations: { team: 'data' } },
  serviceAccount: { annotations: { team: 'data' } },
  podAnnotations: { team: 'data' },
  podLabels: { team: 'data' },
};
const CASES: ReadonlyArray<[string, object]> = [
  ['servers', SERVERS],
  ['servers, with a secret of your own', { existingSecret: 'own' }],
  ['everything', EVERYTHING],
  ['embedded', { ...TOKEN, mode: 'embedded' }],
  ['embedded, behind an ingress', { ...TOKEN, mode: 'embedded', ingress: { enabled: true } }],
];

function named(variable: string): string {
  const found = process.env[variable];
  if (!found) throw new Error(`${variable} must be set: see .ci/run`);
  return found;
}

/** As Helm reads it: 'on' and 'off' in quotes. */
const yamlOf = (values: object): string => stringify(values, { version: '1.1' });

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-chart-'));
  // The schemas refer to one another by addresses on the web: they are kept beside one another instead.
  for (const version of VERSIONS) {
    const name = `v${version}-local-strict`;
    const from = join(named('KUBERNETES_SCHEMAS'), name);
    await mkdir(join(folder, name));
    for (const file of await readdir(from)) {
      const text = await readFile(join(from, file), 'utf8');
      const { $id: _, ...schema } = JSON.parse(
        text.replaceAll('"/api/_definitions.json#', '"_definitions.json#'),
      );
      await writeFile(join(folder, name, file), JSON.stringify(schema));
    }
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What Helm makes of the chart with these values, as a file. */
async function render(values: object, version = NEWEST): Promise<string> {
  await writeFile(join(folder, 'values.yaml'), yamlOf(values));
  const parameters = ['--kube-version', version, '--values', join(folder, 'values.yaml')];
  const { stdout } = await run(named('HELM'), ['template', 'release', CHART, ...parameters]);
  await writeFile(join(folder, 'rendered.yaml'), stdout);
  return stdout;
}

async function resources(values: object): Promise<Resource[]> {
  return parseAllDocuments(await render(values)).map((document) => document.toJS() as Resource);
}

/** @throws what kubeconform finds wrong */
async function check(version: string): Promise<{ resources: unknown[]; summary: Record<string, number> }> {
  const schemas = `${folder}/{{.NormalizedKubernetesVersion}}-local{{.StrictSuffix}}/{{.ResourceKind}}{{.KindSuffix}}.json`;
  const parameters = ['-strict', '-summary', '-output', 'json', '-kubernetes-version', version];
  const { stdout } = await run(named('KUBECONFORM'), [
    ...parameters,
    '-schema-location',
    schemas,
    join(folder, 'rendered.yaml'),
  ]);
  return JSON.parse(stdout);
}

describe('the Helm chart', () => {
  it.each(CASES)('%s: has no fault for helm lint', async (_, values) => {
    await writeFile(join(folder, 'values.yaml'), yamlOf(values));
    const { stdout } = await run(named('HELM'), [
      ...['lint', '--strict', CHART, '--kube-version', NEWEST],
      ...['--values', join(folder, 'values.yaml')],
    ]);
    expect(stdout).toContain('0 chart(s) failed');
  });

  it.each(CASES.flatMap(([name, values]) => VERSIONS.map((version) => [name, version, values] as const)))(
    '%s: is valid for Kubernetes %s',
    async (_, version, values) => {
      await render(values, version);
      const { summary } = await check(version);
      expect(summary).toEqual({ valid: expect.any(Number), invalid: 0, errors: 0, skipped: 0 });
      expect(summary['valid']).toBeGreaterThan(3);
    },
  );

  it('would be found invalid', async () => {
    const text = await render(SERVERS);
    await writeFile(join(folder, 'rendered.yaml'), text.replace('replicas:', 'replica:'));
    await expect(check(NEWEST)).rejects.toMatchObject({ stdout: expect.stringContaining('"invalid": 1') });
  });

  it('gives each process settings that the service takes', async () => {
    for (const [, values] of CASES) {
      const all = await resources(values);
      const data = all.flatMap((each) => [each.data ?? {}, each.stringData ?? {}]);
      const own =
        'existingSecret' in values
          ? { CATALOG_DATABASE_URL: 'mysql://u@db/catalog', CATALOG_SEARCH_URL: 'http://search:9200' }
          : {};
      const processes = all.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
      expect(processes.length).toBeGreaterThan(0);
      for (const { spec } of processes) {
        const [{ args = [], env }] = spec.template.spec.containers as [Container];
        const set = Object.fromEntries(env.map(({ name, value }) => [name, value]));
        const configuration = readConfiguration(Object.assign({}, own, ...data, set));
        expect(configuration).toMatchObject({ port: 8080, home: '/data', role: set['CATALOG_ROLE'] });
        expect(args).toEqual(configuration.role === 'worker' ? ['dist/worker.js'] : []);
        const embedded = 'mode' in values;
        expect([configuration.role === 'all', configuration.databaseUrl === undefined]).toEqual([
          embedded,
          embedded,
        ]);
      }
    }
  });

  it('leads the service to the pods that serve requests', async () => {
    for (const [, values] of CASES) {
      const all = await resources(values);
      const { selector } = all.find(({ kind }) => kind === 'Service')!.spec;
      const chosen = all.filter(
        ({ spec }) =>
          spec?.template !== undefined &&
          Object.entries(selector as object).every(
            ([label, value]) => spec.template.metadata.labels[label] === value,
          ),
      );
      expect(
        chosen.map(({ kind, spec }) => [kind, spec.template.metadata.labels['app.kubernetes.io/component']]),
      ).toEqual('mode' in values ? [['StatefulSet', 'all']] : [['Deployment', 'api']]);
    }
  });

  it.each<[string, object, RegExp]>([
    ['no token', { mode: 'embedded' }, /adminToken is missing/],
    ['a short token', { mode: 'embedded', adminToken: 'short' }, /adminToken/],
    ['no database', { ...TOKEN }, /connections\.(databaseUrl|searchUrl) is missing/],
    ['another database', { ...SERVERS, connections: { databaseUrl: 'postgres://db' } }, /databaseUrl/],
    ['an unknown mode', { ...SERVERS, mode: 'cluster' }, /mode/],
    ['a value that there is not', { ...SERVERS, replicas: 3 }, /replicas/],
    [
      'a secret among the settings',
      { ...SERVERS, config: { CATALOG_ADMIN_TOKEN: 'x' } },
      /CATALOG_ADMIN_TOKEN/,
    ],
  ])('refuses %s', async (_, values, reason) => {
    await expect(render(values)).rejects.toMatchObject({ stderr: expect.stringMatching(reason) });
  });
});
