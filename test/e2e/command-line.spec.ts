import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run.js';
import { ADMIN_TOKEN, TestCatalog } from '../harness/catalog.js';
import { ROOT } from '../harness/service-process.js';
import { dataset } from './aspect-api/support.js';

describe('the command line in a pipe', () => {
  it('ends without a word when its reader is gone', async () => {
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'cli.js'), '--help']);
    child.stdout.destroy();
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const [code] = (await once(child, 'close')) as [number];
    expect({ code, said }).toEqual({ code: 141, said: '' });
  });
});

describe('the command line against a running service', () => {
  const before = { url: process.env['CATALOG_URL'], token: process.env['CATALOG_TOKEN'] };
  let catalog: TestCatalog;

  const command = async (...words: string[]) => {
    const said = { out: [] as string[], err: [] as string[] };
    const terminal = {
      out: (line: string) => void said.out.push(line),
      err: (line: string) => void said.err.push(line),
      interactive: false,
    };
    return { code: await run(words, terminal), out: said.out.join('\n'), err: said.err.join('\n') };
  };

  beforeAll(async () => {
    catalog = await TestCatalog.start();
    await catalog.ingest(
      [dataset('shop.teapots'), 'datasetProperties', { name: 'teapots' }],
      [dataset('shop.kettles'), 'datasetProperties', { name: 'kettles', description: 'for teapots' }],
      ['urn:li:tag:teapots', 'tagProperties', { name: 'teapots' }],
    );
    process.env['CATALOG_URL'] = catalog.url;
    process.env['CATALOG_TOKEN'] = ADMIN_TOKEN;
  });
  afterAll(async () => {
    for (const [name, value] of [
      ['CATALOG_URL', before.url],
      ['CATALOG_TOKEN', before.token],
    ] as const) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await catalog.stop();
  });

  it('prints keys with an escape as they are stored, also after others that the parser confuses them with', async () => {
    const keys = ['\\', '"'];
    const urnOf = (i: number) => dataset(`shop.escaped.${i}`);
    await catalog.ingest(
      ...keys.map((key, i): [string, string, object] => [
        urnOf(i),
        'datasetProperties',
        { customProperties: { alike: 'x', [key]: 'y' } },
      ]),
    );
    for (const [i, key] of keys.entries()) {
      const { out } = await command('get', urnOf(i), '--aspect', 'datasetProperties');
      expect(out).toContain(`${JSON.stringify(key)}: "y"`);
    }
  });

  it('prints an entity, or one aspect of it', async () => {
    const whole = JSON.parse((await command('get', dataset('shop.teapots'))).out) as Record<string, unknown>;
    expect(whole['urn']).toBe(dataset('shop.teapots'));
    expect(Object.keys(whole)).toEqual(expect.arrayContaining(['datasetKey', 'datasetProperties']));
    const one = await command('get', dataset('shop.teapots'), '--aspect', 'datasetProperties');
    expect(one.code).toBe(0);
    expect(Object.keys(JSON.parse(one.out) as object)).toEqual(['urn', 'datasetProperties']);
    const missing = await command('get', dataset('nowhere'));
    expect(missing).toMatchObject({ code: 1, out: '', err: expect.stringContaining('404') });
  });

  it('prints the audit log, and checks it', async () => {
    const one = await command('audit', '--entity', 'tag', '--event', 'EntityEvent', '--since', '1h');
    expect(one).toMatchObject({ code: 0, err: '' });
    expect(one.out).toMatch(
      /^\d{4}-\S+Z urn:li:corpuser:admin EntityEvent CREATE urn:li:tag:teapots tagKey from 127.0.0.1 by RESTLI$/,
    );
    const some = await command('audit', '--count', '2', '--json', '--actor', 'admin');
    expect(some.out.split('\n').map((line) => JSON.parse(line).actorUrn)).toEqual(
      Array(2).fill('urn:li:corpuser:admin'),
    );
    expect(some.err).toMatch(/^\d+ older events are not shown$/);
    expect((await command('audit', '--until', '2020-01-01T00:00:00Z', '--since', '2019-01-01')).out).toBe('');
    expect((await command('audit', '--since', 'yesterday')).code).toBe(2);
    expect(await command('verify', '--audit')).toMatchObject({ code: 0, out: 'the audit log is whole' });
    const ends = JSON.parse((await command('verify', '--audit', '--json')).out) as { ends: unknown[] };
    expect(ends.ends.length).toBeGreaterThan(0);
  });

  it('searches, by type and filter', async () => {
    const all = await command('search', 'teapots');
    expect(all.code).toBe(0);
    expect(all.out.split('\n').sort()).toEqual([
      dataset('shop.kettles'),
      dataset('shop.teapots'),
      'urn:li:tag:teapots',
    ]);
    expect(all.err).toBe('3 of 3');
    expect((await command('search', 'teapots', '--entity', 'tag')).out).toBe('urn:li:tag:teapots');
    const filtered = await command('search', '--filter', 'name=kettles', '--json');
    expect(JSON.parse(filtered.out)).toMatchObject({ numEntities: 1 });
    expect(await command('search', 'teapots', '--entity', 'tagg')).toMatchObject({
      code: 1,
      err: expect.stringContaining('tagg'),
    });
  });

  it('prints JSON of what it did', async () => {
    const json = async (...words: string[]): Promise<unknown> => {
      const { code, out, err } = await command(...words, '--json');
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('Usage') });
      return JSON.parse(out);
    };
    const folder = await mkdtemp(join(tmpdir(), 'command-'));
    try {
      expect(await json('get', 'urn:li:tag:teapots')).toMatchObject({ urn: 'urn:li:tag:teapots' });
      expect(await json('jobs', 'retry')).toEqual({ retried: 0 });
      expect(await json('system-update')).toEqual({ started: false, lines: [] });
      const table = join(folder, 'table.csv');
      expect(await json('csv', 'export', table, '--query', 'teapots', '--entity', 'dataset')).toEqual({
        ...{ file: table, rows: 2 },
      });
      expect(await json('csv', 'import', table, '--dry-run')).toEqual({
        ...{ written: false, rows: 2, changed: 0, refused: 0, kept: 0, refusals: [], changes: [] },
      });
      const proposals = join(folder, 'proposals.jsonl');
      await writeFile(
        proposals,
        '{"entityType": "tag", "entityUrn": "urn:li:tag:cups", "changeType": "UPSERT", "aspectName": "tagProperties", "aspect": {"json": {"name": "cups"}}}\n',
      );
      expect(await json('import', proposals)).toEqual({ proposals: 1 });
      expect(await catalog.read('urn:li:tag:cups', 'tagProperties')).toEqual({ name: 'cups' });
      await writeFile(proposals, '{"entityType": 1}\n');
      const refused = await command('import', proposals, '--json');
      expect({ code: refused.code, ...JSON.parse(refused.out) }).toEqual({
        ...{ code: 1, proposals: 0, failure: expect.stringContaining('line 1') },
      });
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('ends a comparison with a verdict', async () => {
    const { code, out } = await command('verify');
    expect(code).toBe(0);
    expect(out.split('\n').at(-1)).toBe('store and index agree');
  });
});
