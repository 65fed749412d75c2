import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { Database } from '../../../src/catalog/store/index.js';
import { removeHome, TestCatalog } from '../../harness/catalog.js';
import { called, command, type Said } from '../../harness/command.js';
import { tagExport } from '../../harness/tag-export.js';
import { until } from '../../harness/until.js';

const ENTITIES = 3_000;
/** Of the tags, whose URNs have six digits; the export was interrupted long before the last of them. */
const LATE = ENTITIES - 1;
/** Comes before all tags. */
const TABLE = 'urn:li:dataset:(urn:li:dataPlatform:hive,resume.events,PROD)';
const PROFILE = { timestampMillis: 1_600_000_000_000, rowCount: 7 };
const urnOf = (i: number): string => `urn:li:tag:t${String(i).padStart(6, '0')}`;

describe('an export that was interrupted', () => {
  let folder: string;
  let catalog: TestCatalog;
  /** All of it, as of the moment of the one that was interrupted, and the file that keeps that moment. */
  let whole: string;
  let cut: string;
  const path = (name: string): string => join(folder, name);
  const exported = (file: string, ...words: string[]): Promise<Said> =>
    called(catalog.home, ['export', file, ...words]);
  const put = (i: number, name: string): Promise<void> =>
    catalog.ingest([urnOf(i), 'tagProperties', { name }]);

  const remove = (urn: string): Promise<unknown> => catalog.post('/entities?action=delete', { urn });
  /** What an export to this file has left that was interrupted after so many bytes. */
  const leave = async (file: string, bytes: number, more = ''): Promise<void> => {
    await writeFile(
      `${file}.partial`,
      Buffer.concat([Buffer.from(whole).subarray(0, bytes), Buffer.from(more)]),
    );
    await copyFile(cut, `${file}.partial.cut`);
  };

  /** Puts so many changes of a tag into the log. */
  const addChanges = (count: number): Promise<unknown> =>
    catalog.provider(Database).transaction(async (tx) => {
      const columns = 'aspect, change_type, sequence, version_before, version_after, actor, time, run_id';
      await tx.run(
        `INSERT INTO change_log (entity_id, ${columns}, position)
         SELECT c.entity_id, ${columns.replaceAll(/\w+/g, 'c.$&')}, 0
         FROM (SELECT * FROM change_log WHERE event IS NULL ORDER BY id DESC LIMIT 1) c
           CROSS JOIN (SELECT a.id FROM change_log a CROSS JOIN change_log b LIMIT ${count}) n`,
      );
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'resume-export-'));
    catalog = await TestCatalog.start({}, path('home'));
    await writeFile(path('tags.jsonl'), tagExport(ENTITIES));
    expect(await called(catalog.home, ['import', path('tags.jsonl')])).toMatchObject({ code: 0 });
    await catalog.ingest([TABLE, 'datasetProfile', PROFILE]);
    // Until all is published, the cursor of the last line moves. What is indexed is published.
    await until(async () => (await catalog.search('tag', '*')).numEntities === ENTITIES);
    await until(async () => {
      const both = [];
      for (const name of ['a', 'b']) {
        expect(await exported(path(name), '--replace')).toMatchObject({ code: 0 });
        both.push(await readFile(path(name), 'utf8'));
      }
      whole = both[0] ?? '';
      return both[0] === both[1];
    });
    // One that is killed in its middle.
    const killed = path('killed.jsonl');
    const begun = (): boolean => existsSync(`${killed}.partial`) && statSync(`${killed}.partial`).size > 0;
    await until(async () => {
      await rm(killed, { force: true });
      return (await command(catalog.home, ['export', killed], { killWhen: begun })).code === null;
    });
    cut = path('cut');
    await copyFile(`${killed}.partial.cut`, cut);
  });
  afterAll(async () => {
    await catalog.stop({ keepHome: true });
    await removeHome(folder);
  });

  it('goes on after kill -9 as of its moment, whatever was made and changed since', async () => {
    await put(LATE, 'changed');
    await put(LATE, 'changed again');
    await put(1, 'changed before the place');
    await catalog.ingest(['urn:li:tag:t999999', 'tagProperties', { name: 'new' }]);
    await catalog.ingest([urnOf(LATE), 'status', { removed: true }]);
    const file = path('killed.jsonl');
    expect(readdirSync(folder)).not.toContain('killed.jsonl');
    const said = await exported(file, '--resume', '--json');
    expect(said).toMatchObject({ code: 0, err: expect.stringContaining('the export went on behind them') });
    const { kept, entities } = JSON.parse(said.out);
    expect(kept).toBeGreaterThan(0);
    expect(entities).toBeGreaterThanOrEqual(ENTITIES);
    expect((await readFile(file, 'utf8')) === whole).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith('killed.jsonl.'))).toEqual([]);
    // It is whole for the import as well.
    expect(await called(path('again'), ['import', file, '--dry-run'])).toMatchObject({ code: 0 });
    await removeHome(path('again'));
  });

  it('leaves out what was torn or edited, and writes that anew', async () => {
    const file = path('torn.jsonl');
    const half = Math.floor(whole.length / 2);
    await leave(file, half, '\0\0\0');
    expect(await exported(file, '--resume')).toMatchObject({ code: 0 });
    expect((await readFile(file, 'utf8')) === whole).toBe(true);
    await leave(file, half);
    const partial = await readFile(`${file}.partial`, 'utf8');
    await writeFile(`${file}.partial`, partial.replace('second 1000', 'Second 1000'));
    expect(await exported(file, '--resume', '--replace')).toMatchObject({ code: 0 });
    expect((await readFile(file, 'utf8')) === whole).toBe(true);
  });

  it.each([
    ['--gzip', gunzipSync],
    ['--zstd', zstdDecompressSync],
  ])('goes on with a packed file %s', async (packing, unpack) => {
    const file = path(`packed${packing}`);
    const begun = (): boolean => existsSync(`${file}.partial`) && statSync(`${file}.partial`).size > 0;
    await until(async () => {
      await rm(file, { force: true });
      return (await command(catalog.home, ['export', file, packing], { killWhen: begun })).code === null;
    });
    const said = await exported(file, packing, '--resume', '--json');
    expect(JSON.parse(said.out).kept).toBeGreaterThan(0);
    expect(await exported(path('now'), '--replace')).toMatchObject({ code: 0 });
    expect(unpack(await readFile(file)).equals(await readFile(path('now')))).toBe(true);
    expect(readdirSync(folder).filter((name) => name.startsWith(`packed${packing}.`))).toEqual([]);
  });

  it('begins anew where nothing is left, and is refused with other options', async () => {
    const file = path('anew.jsonl');
    expect(await exported(file, '--resume')).toMatchObject({
      code: 0,
      err: expect.stringContaining('this one begins anew'),
    });
    await rm(file);
    await leave(file, 1_000_000);
    expect(await exported(file, '--resume', '--no-history')).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('line 1: the export was begun with other options'),
    });
    for (const words of [
      ['-', '--resume'],
      [file, '--resume', '--format', 'metadata-file'],
    ])
      expect(await called(catalog.home, ['export', ...words])).toMatchObject({ code: 2 });
    expect(await exported(file, '--resume', '--query', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('what a search found is not kept'),
    });
  });

  it('over HTTP answers the rest behind the lines that the client has', async () => {
    const first = await catalog.get('/openapi/v3/export?entityType=tag&tokens=true');
    const given = first.headers.get('x-export-cut') ?? '';
    const lines = first.text.split('\n');
    await put(LATE - 1, 'changed since');
    const rest = (more: string) => catalog.get(`/openapi/v3/export?cut=${given}${more}`);
    for (const skip of [12_345, lines.length - 2]) {
      const answer = await rest(`&entityType=tag&tokens=true&skipLines=${skip}`);
      expect(answer.status).toBe(200);
      expect(answer.text === lines.slice(skip).join('\n')).toBe(true);
      expect(answer.headers.get('x-export-cut')).toBe(given);
    }
    const refusals: Array<[string, string]> = [
      [`&entityType=tag&tokens=true&skipLines=${lines.length}`, '/skipLines'],
      ['&entityType=tag', '/cut'],
      ['x&entityType=tag&tokens=true', '/cut'],
      ['&query=x', '/cut'],
    ];
    for (const [more, pointer] of refusals)
      expect(await rest(more)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    expect((await catalog.get('/openapi/v3/export?query=second')).headers.has('x-export-cut')).toBe(false);
    expect(await catalog.get('/openapi/v3/export?skipLines=3')).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/skipLines' }] },
    });
    await catalog.issueToken();
    expect(await rest('&entityType=tag&tokens=true')).toMatchObject({ status: 410 });
  });

  it('is refused when its moment can be had no longer', async () => {
    const file = path('refused.jsonl');
    const refused = async (why: string, bytes = 1_000_000): Promise<void> => {
      await leave(file, bytes);
      expect(await exported(file, '--resume')).toEqual({
        code: 1,
        out: '',
        err: expect.stringContaining(why),
      });
      expect(existsSync(file)).toBe(false);
    };
    // What stands in the file already may go.
    await remove(urnOf(2));
    await leave(file, 1_000_000);
    expect(await exported(file, '--resume')).toMatchObject({ code: 0 });
    expect((await readFile(file, 'utf8')) === whole).toBe(true);
    await rm(file);

    // Events may have replaced others, which the log does not have.
    const before = whole.indexOf(`{"kind":"entity","entityType":"dataset","entityUrn":"${TABLE}"`);
    await catalog.ingest([TABLE, 'datasetProfile', { ...PROFILE, rowCount: 8 }]);
    await refused(
      `events of ${TABLE} were written, or what it had was deleted, since; begin it anew`,
      before,
    );
    await leave(file, 1_000_000);
    expect(await exported(file, '--resume')).toMatchObject({ code: 0 });
    expect((await readFile(file, 'utf8')) === whole).toBe(true);
    await rm(file);

    await remove(urnOf(LATE));
    await refused(`events of ${urnOf(LATE)} were written, or what it had was deleted, since; begin it anew`);
    const other = JSON.parse(await readFile(cut, 'utf8'));
    await writeFile(cut, JSON.stringify({ ...other, mark: '1.1.1' }));
    await refused('the change log does not have its moment');
    await writeFile(cut, JSON.stringify({ ...other, unlogged: 'before retention' }));
    await refused('retention or an import has changed history');
    await writeFile(cut, JSON.stringify(other));
    await addChanges(100_000);
    await refused('more than 100000 changes were made since');
  });
});
