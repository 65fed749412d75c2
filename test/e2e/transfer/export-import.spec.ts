import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { factsOf, Model } from '../../../src/catalog/model/index.js';
import { Database } from '../../../src/catalog/store/index.js';
import { CatalogExport } from '../../../src/modules/transfer/offline.js';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { called, command } from '../../harness/command.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';
import { dataset } from '../aspect-api/support.js';

type Line = Record<string, any>;
const linesOf = (text: string): Line[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const EVERYTHING = {
  ...{ entityTypes: [], urns: [], history: true, timeseries: true, secrets: false, tokens: false },
  cursor: true,
};

describe('an export', () => {
  let catalog: TestCatalog;
  let folder: string;
  const homes: string[] = [];
  const newHome = async (): Promise<string> => {
    const home = await mkdtemp(join(tmpdir(), 'catalog-e2e-'));
    homes.push(home);
    return home;
  };
  const exported = async (home: string, ...words: string[]): Promise<string> => {
    const file = join(folder, 'exported.jsonl');
    const { code, err } = await called(home, ['export', file, '--replace', '--no-cursor', ...words]);
    if (code !== 0) throw new Error(err);
    return readFile(file, 'utf8');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'transfer-'));
    catalog = await TestCatalog.start();
    await importSample(catalog);
    const changed = dataset('shop.changed');
    for (let i = 1; i <= 3; i += 1)
      await catalog.ingest([changed, 'datasetProperties', { name: `n${i}`, description: 'é\u2028"\\ 2' }]);
    await catalog.ingest([changed, 'status', { removed: true }], [changed, 'deprecation', deprecated(1)]);
    await catalog.propose(changed, 'deprecation', undefined, { changeType: 'DELETE' });
    await catalog.ingest(['urn:li:tag:gone', 'tagProperties', { name: 'gone' }]);
    await catalog.propose('urn:li:tag:gone', 'tagKey', undefined, { changeType: 'DELETE' });
  });
  afterAll(async () => {
    await catalog.stop();
    for (const home of homes) await removeHome(home);
    await rm(folder, { recursive: true });
  });

  it('and an import are told as JSON', async () => {
    const file = join(folder, 'told.jsonl');
    const told = async (home: string, ...words: string[]): Promise<Line> => {
      const { code, out, err } = await called(home, [...words, file, '--json']);
      expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('Usage') });
      return JSON.parse(out) as Line;
    };
    const written = await told(catalog.home, 'export', '--entity', 'tag');
    const { entities, aspects, history, events } = written;
    const lines = linesOf(await readFile(file, 'utf8')).length;
    expect(written).toEqual({ file, entities, aspects, history, events, tokens: 0, lines });
    expect(entities).toBeGreaterThan(5);
    const home = await newHome();
    const taken = { entities, aspects, history, events, refusals: 0 };
    expect(await told(home, 'import', '--dry-run')).toMatchObject({ dryRun: true, ...taken });
    expect(await told(home, 'import')).toMatchObject({ dryRun: false, ...taken });
    expect(await called(catalog.home, ['export', '-', '--json'])).toMatchObject({ code: 2, out: '' });
  });

  it('comes back as it was, while the catalog serves, and is found', async () => {
    const before = await exported(catalog.home, '--secrets');
    const piped = await command(catalog.home, ['export', '-', '--no-cursor', '--secrets']);
    expect(piped).toMatchObject({ code: 0, out: before });
    const file = join(folder, 'all.jsonl');
    await writeFile(file, before);
    const other = await TestCatalog.start({}, await newHome());
    try {
      const untouched = await exported(other.home);
      const dry = await called(other.home, ['import', file, '--dry-run']);
      expect(dry).toEqual({ code: 0, out: '', err: expect.stringContaining('would be imported') });
      expect(await exported(other.home)).toBe(untouched);
      expect(await command(other.home, ['import', file])).toMatchObject({ code: 0 });
      expect(await exported(other.home, '--secrets')).toBe(before);

      // A second time nothing is written.
      const again = await called(other.home, ['import', file]);
      expect(again).toMatchObject({ code: 0, err: expect.stringContaining('0 entities, 0 aspects') });
      expect(await exported(other.home, '--secrets')).toBe(before);

      await found(other);
      const edges = '/relationships?direction=INCOMING&types=OwnedBy&urn=';
      const owner = encodeURIComponent('urn:li:corpuser:ines.okafor');
      const [left, right] = [await catalog.get(edges + owner), await other.get(edges + owner)];
      expect(left.body.total).toBeGreaterThan(0);
      expect(right.body.total).toBe(left.body.total);
      expect(await other.read(dataset('shop.changed'), 'datasetProperties')).toEqual(
        await catalog.read(dataset('shop.changed'), 'datasetProperties'),
      );

      // Writes go on from there: a deleted aspect counts on, and so does a version.
      for (const each of [catalog, other])
        await each.ingest(
          [dataset('shop.changed'), 'deprecation', deprecated(2)],
          [dataset('shop.changed'), 'datasetProperties', { name: 'n4' }],
        );
      const versions = async (home: string) =>
        linesOf(await exported(home, '--urn', dataset('shop.changed'))).map((line) => [
          line['kind'],
          line['aspectName'],
          line['version'],
        ]);
      expect(await versions(other.home)).toEqual(await versions(catalog.home));
    } finally {
      await other.stop({ keepHome: true });
    }
  });

  it('holds what is selected, in one order', async () => {
    const all = linesOf(await exported(catalog.home));
    const urns = all.filter(({ kind }) => kind === 'entity').map(({ entityUrn }) => entityUrn as string);
    expect(urns).toEqual([...urns].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect(all.filter(({ kind, deleted }) => kind === 'entity' && deleted)).toMatchObject([
      { entityUrn: 'urn:li:tag:gone' },
    ]);
    expect(all.some(({ aspectName }) => aspectName === 'dataHubSecretValue')).toBe(false);
    const tags = linesOf(await exported(catalog.home, '--entity', 'tag', '--no-history'));
    expect(tags.slice(1, -1).every(({ entityType }) => entityType === 'tag')).toBe(true);
    expect(tags.at(-1)!['entities']).toBe(urns.filter((urn) => urn.startsWith('urn:li:tag:')).length - 1);
    const some = linesOf(await exported(catalog.home, '--urn', '*shop.ch_nged*', '--urn', '*shop.changed,*'));
    const its = all.filter(({ entityUrn }) => entityUrn === dataset('shop.changed'));
    const history = its.filter(({ kind }) => kind === 'history').length;
    expect(history).toBeGreaterThan(1);
    expect(some).toHaveLength(its.length + 2);
    expect(some.at(-1)).toMatchObject({ entities: 1, history });
    const events = all.filter(({ kind }) => kind === 'event').length;
    expect(events).toBeGreaterThan(10);
    expect(linesOf(await exported(catalog.home, '--no-timeseries')).at(-1)!['events']).toBe(0);
    const { token } = await catalog.issueToken();
    const tokens = await exported(catalog.home, '--tokens', '--urn', 'nothing');
    expect(linesOf(tokens).at(-1)!['tokens']).toBeGreaterThan(0);
    expect(tokens).not.toContain(token);
    expect(tokens).not.toContain('hash');
  });
  it('is the same bytes where this makes the lines and where the database makes them', async () => {
    const database = catalog.provider(Database);
    const model = factsOf(Model.load());
    const texts = async (made: Pick<Database, 'snapshot'>): Promise<string> => {
      let text = '';
      await new CatalogExport(made as Database, model).run({ ...EVERYTHING, cursor: false }, async (part) => {
        text += part.toString();
      });
      return text;
    };
    const byRows = await texts({
      snapshot: (work) =>
        database.snapshot((reader) => {
          const { texts: _, ...dialect } = reader.dialect;
          return work({ dialect, all: (sql, params) => reader.all(sql, params) });
        }),
    });
    expect((await texts(database)) === byRows).toBe(true);
    for (const part of ['"deleted":true', '"deletedAspects":{"deprecation":', '"names":["', '"kind":"event"'])
      expect(byRows).toContain(part);
  });

  it('is of one moment, and the change feed goes on at its cursor', async () => {
    const model = Model.load();
    const writer = new CatalogExport(catalog.provider(Database), factsOf(model));
    let text = '';
    await catalog.ingest(['urn:li:tag:before', 'tagProperties', { name: 'before' }]);
    await writer.run({ ...EVERYTHING, entityTypes: ['tag'] }, async (part) => {
      text += part.toString();
    });
    expect(text).toContain('urn:li:tag:before');
    text = '';
    let first = true;
    await writer.run(EVERYTHING, async (part) => {
      if (first) await catalog.ingest(['urn:li:tag:zzz', 'tagProperties', { name: 'meanwhile' }]);
      first = false;
      text += part.toString();
    });
    const lines = linesOf(text);
    expect(lines.length).toBeGreaterThan(3_000);
    expect(text).not.toContain('urn:li:tag:zzz');
    const { cursor } = lines.at(-1) as { cursor: string };
    let count = Infinity;
    await until(async () => {
      const page = await catalog.get(
        `/openapi/v1/events/poll?topic=MetadataChangeLog_Versioned_v1&limit=5000&offsetId=${cursor}`,
      );
      expect(page.status).toBe(200);
      count = page.body.count;
      return page.text.includes('urn:li:tag:zzz');
    });
    expect(count).toBeLessThan(1_000);
  });

  it('is refused where it was changed, cut, or has lines in another order', async () => {
    const text = await exported(catalog.home);
    const lines = text.trimEnd().split('\n');
    const home = await newHome();
    const swapped = [...lines];
    [swapped[40], swapped[41]] = [lines[41]!, lines[40]!];
    const edited = [...lines];
    edited[49] = lines[49]!.replace(/"time":\d/, '"time":9');
    for (const [bad, line] of [
      [swapped.join('\n'), 41],
      [edited.join('\n'), 50],
      [lines.toSpliced(59, 1).join('\n'), 60],
      [lines.toSpliced(60, 0, lines[60]!).join('\n'), 62],
      [lines.slice(0, 70).join('\n'), 71],
      [lines.slice(0, 70).join('\n').slice(0, -10), 70],
      [`${text}${lines[5]!}\n`, lines.length + 1],
    ] as const) {
      const file = join(folder, 'bad.jsonl');
      await writeFile(file, bad);
      expect(await called(home, ['import', file])).toMatchObject({
        code: 1,
        err: expect.stringMatching(new RegExp(`^line ${line}: .*nothing was imported`)),
      });
    }
    expect(linesOf(await exported(home))).toHaveLength(2);
    // Through a pipe it is found on the way.
    expect(await command(home, ['import', '-'], { input: edited.join('\n') })).toMatchObject({
      code: 1,
      err: expect.stringContaining('line 50: '),
    });
  });

  it('names each line that does not fit what the catalog has, and writes none of them', async () => {
    const home = await newHome();
    const other = await TestCatalog.start({}, home);
    await other.ingest(['urn:li:tag:before', 'tagProperties', { name: 'mine' }]);
    const before = await exported(home);
    await other.stop({ keepHome: true });
    const file = join(folder, 'tags.jsonl');
    await writeFile(file, await exported(catalog.home, '--entity', 'tag'));
    const lines = linesOf(await readFile(file, 'utf8'));
    const at = (kind: string, aspectName?: string) =>
      1 +
      lines.findIndex(
        (line) =>
          line['entityUrn'] === 'urn:li:tag:before' &&
          line['kind'] === kind &&
          line['aspectName'] === aspectName,
      );
    for (const words of [['--dry-run'], []]) {
      const { code, err } = await called(home, ['import', file, ...words]);
      expect(code).toBe(1);
      expect(err).toContain(`line ${at('entity')} (/created): `);
      expect(err).toContain(`line ${at('aspect', 'tagProperties')} (/aspect/json): `);
    }
    expect(await exported(home)).toBe(before);
  });

  it('is packed and unpacked', async () => {
    for (const [flag, unpack] of [
      ['--gzip', gunzipSync],
      ['--zstd', zstdDecompressSync],
    ] as const) {
      const file = join(folder, `packed${flag}`);
      expect(
        await called(catalog.home, ['export', file, flag, '--entity', 'tag', '--no-cursor']),
      ).toMatchObject({ code: 0 });
      expect(unpack(await readFile(file)).toString()).toBe(await exported(catalog.home, '--entity', 'tag'));
      expect(await called(catalog.home, ['export', file, flag])).toMatchObject({ code: 2 });
      const home = await newHome();
      await writeFile(`${file}.cut`, (await readFile(file)).subarray(0, -30));
      expect(await called(home, ['import', `${file}.cut`])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^line \d+: /),
      });
      expect(await called(home, ['import', file])).toMatchObject({ code: 0 });
    }
  });
});

function deprecated(time: number): object {
  return { deprecated: true, note: `no ${time}`, actor: 'urn:li:corpuser:ann', decommissionTime: time };
}

/** Imported entities come to the index behind the import. */
async function found(catalog: TestCatalog): Promise<void> {
  for (;;) {
    const { entities } = await catalog.search('dataset', 'late parcels');
    if (entities.length > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
