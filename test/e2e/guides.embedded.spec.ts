import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { TestCatalog } from '../harness/catalog.js';
import { command } from '../harness/command.js';
import { blocksOf, checkBlock, printed, readPage as read } from '../harness/page-commands.js';
import { importSample } from '../harness/sample.js';
import { ROOT } from '../harness/service-process.js';
import { dataset } from './aspect-api/support.js';

/** The part of a page below a heading of the second level. */
function section(page: string, heading: string): string {
  return page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`))!;
}

interface Dashboard {
  panels: Array<{
    id: number;
    type: string;
    gridPos: { x: number; y: number; w: number; h: number };
    targets: Array<{ expr: string }>;
  }>;
}

const BACKUP = 'Back up and restore';

describe('docs/operate.md', () => {
  const page = read('operate.md');
  const [backup, restore, ...others] = blocksOf(section(page, BACKUP));
  const commands = blocksOf(page.replace(section(page, BACKUP), ''));
  let catalog: TestCatalog;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await importSample(catalog);
  });
  afterAll(() => catalog.stop());

  it('has commands', () => {
    expect(commands.length).toBeGreaterThan(6);
    expect(others).toEqual([]);
  });

  it.each(commands)('$title', (block) => checkBlock(catalog, block));

  it('names metrics that there are', async () => {
    const { text } = await catalog.get('/metrics');
    const there = [...text.matchAll(/^# TYPE (catalog_\w+)/gm)].map(([, name]) => name);
    const named = [...page.matchAll(/\bcatalog_\w+/g)].map(([name]) => name.replace(/_(?:sum|count)$/, ''));
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !there.includes(name))).toEqual([]);
    // Labels by which alerts choose.
    expect(text).toMatch(/catalog_queue_jobs\{queue="[\w-]+",state="failed"\}/);
    expect(text).toContain('catalog_accepted_writes{state="failed"}');
    expect(text).toMatch(/catalog_http_request_seconds_count\{[^}]*status="\d+"/);
  });

  describe('and its dashboard', () => {
    const dashboard = JSON.parse(read('monitoring/grafana-dashboard.json')) as Dashboard;
    const charts = dashboard.panels.filter(({ type }) => type !== 'row');
    const queries = charts.flatMap(({ targets }) => targets.map(({ expr }) => expr));

    it('asks for metrics and labels that there are', async () => {
      const { text } = await catalog.get('/metrics');
      expect(queries.length).toBeGreaterThan(20);
      for (const query of queries) {
        const names = query.match(/\b(?:catalog|process|nodejs)_\w+/g) ?? [];
        // Made by Prometheus itself.
        expect({ query, names: names.length + Number(/\bup\{/.test(query)) }).not.toEqual({
          query,
          names: 0,
        });
        const labels = [
          ...[...query.matchAll(/\bby \(([^)]+)\)/g)].flatMap(([, list = '']) => list.split(', ')),
          ...[...query.matchAll(/(\w+)=~?"/g)].map(([, label = '']) => label),
        ].filter((label) => !['job', 'instance'].includes(label));
        for (const name of names) {
          const served = text.split('\n').filter((line) => line.startsWith(`${name}{`));
          const family = name.replace(/_(?:bucket|sum|count)$/, '');
          expect({
            name,
            type: text.includes(`# TYPE ${family} `) || text.includes(`# TYPE ${name} `),
          }).toEqual({
            name,
            type: true,
          });
          // Some have values only when there is something to say.
          if (served.length > 0)
            expect({ query, without: labels.filter((label) => !served[0]!.includes(`${label}="`)) }).toEqual({
              query,
              without: [],
            });
        }
      }
    });

    it('shows all that the alerts are about', () => {
      const alerts = section(page, 'Metrics and alerts').match(/\bcatalog_\w+/g) ?? [];
      const shown = queries.join(' ');
      expect(alerts.filter((name) => !shown.includes(name))).toEqual([]);
    });

    it('has panels beside one another, each with its own number', () => {
      const ids = dashboard.panels.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
      );
      expect(new Set(cells).size).toBe(cells.length);
      expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
    });
  });

  it('has YAML that can be read', () => {
    const blocks = [...page.matchAll(/```yaml\n(.+?)```/gs)].map(([, text = '']) => parse(text) as object);
    expect(blocks).toMatchObject([{ scrape_configs: [{}] }, { groups: [{ name: 'catalog' }] }]);
  });

  it('restores what was backed up', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'catalog-backup-'));
    const more = { BACKUP: join(folder, 'copy') };
    const first = await TestCatalog.start();
    const kept = dataset('shop.kept');
    await first.ingest([kept, 'datasetProperties', { name: 'kept' }]);
    await first.stop({ keepHome: true });
    await printed(first, backup!.command, more);
    const later = await TestCatalog.start({}, first.home);
    await later.ingest([dataset('shop.later'), 'datasetProperties', { name: 'later' }]);
    await later.stop({ keepHome: true });
    await printed(later, restore!.command, more);
    const restored = await TestCatalog.start({}, first.home);
    try {
      const urn = (name: string) => `/entitiesV2/${encodeURIComponent(name)}`;
      expect((await restored.get(urn(kept))).body).toMatchObject({ aspects: { datasetProperties: {} } });
      expect((await restored.get(urn(dataset('shop.later')))).text).not.toContain('"later"');
    } finally {
      await restored.stop();
      await rm(folder, { recursive: true });
    }
  });
});

describe('docs/security.md', () => {
  const rows = [...read('security.md').matchAll(/^\| ([^|]+?) +\| `([A-Z]+) (\S+)` +\|(.+)\|$/gm)].map(
    ([, title = '', method = '', path = '', cells = '']) => ({
      title,
      method,
      path,
      expected: cells.split('|').map((cell) => cell.trim()),
    }),
  );
  const bodies: Record<string, object> = {
    '/entities?action=search': { entity: 'dataset', input: '*', start: 0, count: 1 },
    '/api/graphql': { query: '{ me { corpUser { urn } } }' },
    '/aspects?action=ingestProposal': {
      proposal: {
        entityType: 'tag',
        entityUrn: 'urn:li:tag:allowed',
        changeType: 'UPSERT',
        aspectName: 'tagProperties',
        aspect: { contentType: 'application/json', value: '{"name": "allowed"}' },
      },
    },
    '/entities?action=delete': { urn: 'urn:li:tag:allowed' },
    '/operations?action=listJobs': {},
    '/operations?action=retryJobs': {},
    '/operations?action=listWebhooks': {},
    '/openapi/v1/events/audit/search': {},
  };
  let catalog: TestCatalog;
  let tokens: Array<string | null>;
  beforeAll(async () => {
    catalog = await TestCatalog.start();
    const issued = (['READER', 'EDITOR', 'ADMIN'] as const).map((role) => catalog.issueToken({ role }));
    tokens = [null, ...(await Promise.all(issued)).map(({ token }) => token)];
  });
  afterAll(() => catalog.stop());

  it('has a table', () => expect(rows.length).toBe(19));

  it.each(rows)('$method $path: $title', async ({ method, path, expected }) => {
    const found: string[] = [];
    for (const token of tokens) {
      const body = bodies[path];
      const { status } = await catalog.request(method, path, { token, ...(body && { body }) });
      if (status === 401 || status === 403) found.push('no');
      else {
        expect([path, status]).toEqual([path, 200]);
        found.push('yes');
      }
    }
    expect(found).toEqual(expected);
  });
});

describe('docs/troubleshooting.md', () => {
  const source = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => readFileSync(join(ROOT, 'src', name), 'utf8'))
    .join('\n');
  const messages = [...read('troubleshooting.md').matchAll(/^\| (?:\d+ )?`(.+?)` +\|/gm)].map(
    ([, message = '']) => message,
  );

  it('has messages', () => expect(messages.length).toBeGreaterThan(25));

  it.each(messages)('%s', (message) => {
    // What changes stands between words of the source: some part that stays must be there as it is.
    const parts = message.split(/…|"abc"/).flatMap((part) => {
      const words = part.replace(/^\W+/, '').trim().split(/\s+/);
      const length = Math.min(4, words.length);
      return words.map((_, i) => words.slice(i, i + length).join(' ')).slice(0, words.length - length + 1);
    });
    const longest = Math.max(...parts.map((part) => part.split(' ').length));
    const telling = parts.filter((part) => part.split(' ').length === longest && longest > 1);
    expect(telling.filter((part) => source.includes(part))).not.toEqual([]);
  });

  /** Whether a row of the page is about what somebody was told. */
  const explained = (told: string): boolean =>
    messages.some((message) => {
      const parts = message.replaceAll('…', '\0').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
      return new RegExp(parts.replaceAll('\0', '.+')).test(told.replaceAll('"xyz"', '"abc"'));
    });

  describe('explains what a person is told who', () => {
    let catalog: TestCatalog;
    let home: string;
    beforeAll(async () => {
      catalog = await TestCatalog.start();
      home = await mkdtemp(join(tmpdir(), 'catalog-mistakes-'));
      await writeFile(join(home, 'file'), '');
    });
    afterAll(async () => {
      await catalog.stop();
      await rm(home, { recursive: true });
    });

    it.each<[string, () => Record<string, string>]>([
      ['gives a wrong port', () => ({ PORT: 'xyz' })],
      ['lets processes share what cannot be shared', () => ({ CATALOG_ROLE: 'api' })],
      ['serves others without tokens', () => ({ CATALOG_AUTH: 'off', HOST: '0.0.0.0' })],
      ['chooses a short token', () => ({ CATALOG_ADMIN_TOKEN: 'x', HOST: '0.0.0.0' })],
      ['takes the port of another', () => ({ HOST: '127.0.0.1', PORT: new URL(catalog.url).port })],
      ['serves a folder twice', () => ({ CATALOG_HOME: catalog.home, PORT: '0', HOST: '127.0.0.1' })],
      ['names a file as the data folder', () => ({ CATALOG_HOME: join(home, 'file') })],
    ])('%s', async (_mistake, environment) => {
      const { code, out, err } = await command(join(home, 'data'), ['start'], { environment: environment() });
      const last = `${out}${err}`.trim().split('\n').at(-1)!;
      expect({ code, last, explained: explained(last) }).toEqual({ code: 1, last, explained: true });
    });

    it.each<[string, string[], () => Record<string, string>]>([
      ['has no token', ['get', 'urn:li:tag:PII'], () => ({ CATALOG_URL: catalog.url })],
      ['has a wrong token', ['search', '*'], () => ({ CATALOG_URL: catalog.url, CATALOG_TOKEN: 'wrong' })],
      ['calls nobody', ['search', '*'], () => ({ CATALOG_URL: 'http://127.0.0.1:9', CATALOG_TOKEN: 'x' })],
      ['forgets the scheme', ['search', '*'], () => ({ CATALOG_URL: 'localhost:8080', CATALOG_TOKEN: 'x' })],
    ])('%s', async (_mistake, words, environment) => {
      const { code, err } = await command(join(home, 'nobody'), words, { environment: environment() });
      const [told = ''] = err.split('\n');
      expect({ told, explained: explained(told) }).toEqual({ told, explained: true });
      expect(code).not.toBe(0);
    });

    it.each<[string, number, () => Promise<{ status: number; body: { message: string } }>]>([
      ['sends no token', 401, () => catalog.get('/entities/x', { token: null })],
      [
        'sends another scheme',
        401,
        () => catalog.get('/entities/x', { token: null, headers: { authorization: 'Basic eA==' } }),
      ],
      ['sends a wrong token', 401, () => catalog.get('/entities/x', { token: 'wrong' })],
      ['asks for a wrong path', 404, () => catalog.get('/nothing/here')],
      [
        'may only read',
        403,
        async () => {
          const { token } = await catalog.issueToken({ role: 'READER' });
          return catalog.post('/aspects?action=ingestProposal', { proposal: {} }, { token });
        },
      ],
    ])('%s', async (_mistake, status, call) => {
      const { status: given, body } = await call();
      expect({ given, told: body.message, explained: explained(body.message) }).toEqual({
        given: status,
        told: body.message,
        explained: true,
      });
    });
  });
});
