import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TestCatalog } from '../../harness/catalog.js';
import { called, command } from '../../harness/command.js';
import { importSample } from '../../harness/sample.js';
import { until } from '../../harness/until.js';

let folder: string;
let catalog: TestCatalog;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
  catalog = await TestCatalog.start({}, join(folder, 'home'));
  await importSample(catalog);
});
afterAll(async () => {
  await catalog.stop({ keepHome: true });
  await rm(folder, { recursive: true });
});

/** Makes a backup, in this process unless said otherwise. */
const backup = async (into: string, words: string[] = [], by = called): Promise<string> => {
  const { code, out, err } = await by(catalog.home, ['backup', into, ...words]);
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('verified') });
  return out.trim();
};
const exported = async (home: string): Promise<string> => {
  const file = join(folder, 'exported.jsonl');
  const said = await called(home, ['export', file, '--no-cursor', '--secrets']);
  expect(said).toMatchObject({ code: 0 });
  const text = await readFile(file, 'utf8');
  await rm(file);
  return text;
};
const tag = (name: string): [string, string, unknown] => [`urn:li:tag:${name}`, 'tagProperties', { name }];

describe('a backup', () => {
  it('is of one moment while the catalog serves, and comes back with everything', async () => {
    const into = join(folder, 'served');
    let writing = true;
    const writes = (async () => {
      for (let i = 0; writing; i += 1) await catalog.ingest(tag(`during-${i}`));
    })();
    const path = await backup(into, [], command);
    writing = false;
    await writes;
    await catalog.ingest(tag('afterwards'));
    const home = join(folder, 'restored');
    const { code, err } = await command(home, ['restore', into]);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining(path) });
    const restored = await TestCatalog.start({}, home);
    try {
      expect(await restored.read('urn:li:tag:afterwards', 'tagProperties')).toBeUndefined();
      expect(await restored.read('urn:li:tag:during-0', 'tagProperties')).toBeDefined();
      await until(async () => (await restored.search('dataset', 'late parcels')).entities.length > 0);
      // Tokens are in the database.
      expect((await restored.get('/openapi/v3/entity/dataset')).status).toBe(200);
    } finally {
      await restored.stop({ keepHome: true });
    }
  });

  it('and its return are told as JSON', async () => {
    const into = join(folder, 'told');
    const made = JSON.parse((await called(catalog.home, ['backup', into, '--json'])).out);
    const { path, version, entities } = made;
    expect(made).toMatchObject({ path: expect.stringContaining(into), removed: [] });
    expect(entities).toBeGreaterThan(300);
    expect(made.bytes).toBeGreaterThan(100_000);
    const home = join(folder, 'told-restored');
    const restored = JSON.parse((await called(home, ['restore', into, '--json'])).out);
    expect(restored).toEqual({ backup: path, made: made.made, version, home, entities, index: false });
    const again = JSON.parse((await called(home, ['restore', path, '--replace', '--json'])).out);
    expect(again).toMatchObject({ entities, replaced: expect.stringContaining('catalog.db.replaced-') });
    expect(await called(catalog.home, ['backup', '-', '--json'])).toMatchObject({ code: 2, out: '' });
  });

  it('makes room for itself', async () => {
    const into = join(folder, 'kept');
    const made = [];
    for (let i = 0; i < 3; i += 1) made.push(await backup(into, ['--keep', '2']));
    const names = readdirSync(into).filter((name) => !name.startsWith('.'));
    expect(names.map((name) => join(into, name)).sort()).toEqual(made.slice(1).sort());
  });

  it('is refused while another process makes one in the same folder', async () => {
    const into = join(folder, 'shared');
    const path = await backup(into);
    const other = new DatabaseSync(join(into, '.lock'));
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    const { code, err } = await called(catalog.home, ['backup', into, '--keep', '1']);
    other.close();
    expect({ code, err }).toEqual({
      code: 1,
      err: `${into}: another process makes a backup there; wait until it has ended\n`,
    });
    expect(readdirSync(into).filter((name) => !name.startsWith('.'))).toEqual([basename(path)]);
  });

  it('goes through a pipe', async () => {
    const before = await exported(catalog.home);
    const file = join(folder, 'stream.zst');
    const shell = ['-c', '"$0" "$1" backup - --zstd > "$2"'];
    execFileSync('bash', [...shell, process.execPath, join(process.cwd(), 'dist/cli.js'), file], {
      env: { ...process.env, CATALOG_HOME: catalog.home },
      stdio: 'ignore',
    });
    const home = join(folder, 'piped');
    expect(await command(home, ['restore', '-'], { input: await readFile(file) })).toMatchObject({ code: 0 });
    expect(await exported(home)).toBe(before);
    expect(readdirSync(catalog.home).filter((name) => name.startsWith('backup'))).toEqual([]);
    const whole = await readFile(file);
    const cut = await command(join(folder, 'cut'), ['restore', '-'], { input: whole.subarray(0, -100) });
    expect(cut).toMatchObject({ code: 1, err: expect.stringContaining('nothing was changed') });
    expect(existsSync(join(folder, 'cut', 'catalog.db'))).toBe(false);
  });

  it('is refused when it does not verify', async () => {
    const made = await backup(join(folder, 'sound'));
    const spoiled = async (spoil: (copy: string) => void): Promise<string> => {
      const copy = join(folder, 'spoiled');
      await rm(copy, { recursive: true, force: true });
      await cp(made, copy, { recursive: true });
      spoil(copy);
      const home = join(folder, 'refused');
      const { code, err } = await called(home, ['restore', copy]);
      expect(code).toBe(1);
      expect(err).toContain('nothing was changed');
      expect(existsSync(join(home, 'catalog.db'))).toBe(false);
      return err;
    };
    const inDatabase = (copy: string, change: (bytes: Buffer) => Buffer) => {
      const file = join(copy, 'catalog.db');
      writeFileSync(file, change(readFileSync(file)));
    };
    const flipped = (copy: string) =>
      inDatabase(copy, (bytes) => {
        bytes[bytes.length - 5000]! ^= 1;
        return bytes;
      });
    expect(await spoiled(flipped)).toContain('checksum');
    expect(await spoiled((copy) => inDatabase(copy, (bytes) => bytes.subarray(0, -4096)))).toContain('bytes');
    const inManifest = (copy: string, change: (manifest: any) => void) => {
      const file = join(copy, 'manifest.json');
      const manifest = JSON.parse(readFileSync(file, 'utf8'));
      change(manifest);
      writeFileSync(file, JSON.stringify(manifest));
    };
    expect(await spoiled((copy) => inManifest(copy, (m) => (m.format = 2)))).toContain('format');
    expect(await spoiled((copy) => inManifest(copy, (m) => (m.files[0].name = '../catalog.db')))).toContain(
      'other files',
    );
    /** As one who knows how to make checksums would. */
    const sealed = (copy: string) =>
      inManifest(copy, (m) => {
        const bytes = readFileSync(join(copy, 'catalog.db'));
        m.files[0].bytes = bytes.length;
        m.files[0].sha256 = hashOf(bytes);
      });
    expect(
      await spoiled((copy) => {
        inDatabase(copy, (bytes) =>
          Buffer.concat([bytes.subarray(0, 8192), Buffer.alloc(bytes.length - 8192)]),
        );
        sealed(copy);
      }),
    ).toContain('cannot be used');
    expect(
      await spoiled((copy) => {
        const database = new DatabaseSync(join(copy, 'catalog.db'));
        database.exec("INSERT INTO migrations (timestamp, name) VALUES (9, 'Future1800000000000')");
        database.close();
        sealed(copy);
      }),
    ).toContain('newer version');
  });

  it('replaces data only when that is asked for, and keeps it', async () => {
    const made = await backup(join(folder, 'for-replace'));
    const home = join(folder, 'occupied');
    const other = await TestCatalog.start({}, home);
    await other.ingest(tag('mine'));
    expect(await command(home, ['restore', made, '--replace'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('another process serves'),
    });
    await other.stop({ keepHome: true });
    const mine = await exported(home);
    expect(await called(home, ['restore', made])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has data'),
    });
    expect(await exported(home)).toBe(mine);
    const { code, err } = await called(home, ['restore', made, '--replace']);
    expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('is kept as') });
    expect(await exported(home)).toBe(await exported(catalog.home));
    const [, kept] = /is kept as (\S+)/.exec(err)!;
    await rm(join(folder, 'kept-home'), { recursive: true, force: true });
    await cp(kept!, join(folder, 'kept-home', 'catalog.db'), { recursive: true });
    expect(await exported(join(folder, 'kept-home'))).toBe(mine);
    const started = await TestCatalog.start({}, home);
    try {
      expect(await started.read('urn:li:tag:mine', 'tagProperties')).toBeUndefined();
      await until(async () => (await started.search('dataset', 'late parcels')).entities.length > 0);
      expect((await started.search('tag', 'mine')).entities).toEqual([]);
    } finally {
      await started.stop({ keepHome: true });
    }
  });

  it('takes the index along when nothing writes it', async () => {
    expect(await command(catalog.home, ['backup', join(folder, 'index'), '--index'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('another process serves'),
    });
    const home = join(folder, 'stopped');
    const other = await TestCatalog.start({}, home);
    await importSample(other);
    await until(async () => (await other.search('dataset', 'late parcels')).entities.length > 0);
    await other.stop({ keepHome: true });
    const { code, out } = await called(home, ['backup', join(folder, 'index'), '--index']);
    expect(code).toBe(0);
    expect(readdirSync(out.trim()).sort()).toEqual(['catalog.db', 'manifest.json', 'search.db']);
    const again = join(folder, 'with-index');
    expect(await called(again, ['restore', out.trim()])).toMatchObject({ code: 0 });
    const started = await TestCatalog.start({}, again);
    try {
      expect((await started.search('dataset', 'late parcels')).entities.length).toBeGreaterThan(0);
    } finally {
      await started.stop({ keepHome: true });
    }
  });
});

/** Moments spread over how long a command takes, in ms; then ever later ones, since a busy machine takes longer. */
function* moments(tookMs: number): Generator<number> {
  for (let part = 1; ; part = Math.max(part + 1, part * 1.2)) yield (tookMs * (part + Math.random())) / 12;
}

/** Every row of a database that no process serves, as one hash. */
function contents(home: string): string {
  const database = new DatabaseSync(join(home, 'catalog.db'));
  try {
    expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    const hash = createHash('sha256');
    const bytesAsNumbers = (_: string, value: unknown) => (value instanceof Uint8Array ? [...value] : value);
    const tables = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all();
    for (const { name } of tables as Array<{ name: string }>)
      for (const row of database.prepare(`SELECT * FROM "${name}"`).iterate())
        hash.update(`${name} ${JSON.stringify(row, bytesAsNumbers)}\n`);
    return hash.digest('hex');
  } finally {
    database.close();
  }
}

describe('kill -9', () => {
  it('in the middle of a backup leaves no half of one', async () => {
    const into = join(folder, 'killed');
    const started = performance.now();
    await backup(join(folder, 'timed'), [], command);
    const known = new Set<string>();
    for (const killAfterMs of moments(performance.now() - started)) {
      const { code } = await command(catalog.home, ['backup', into, '--keep', '3'], { killAfterMs });
      for (const name of existsSync(into) ? readdirSync(into) : []) {
        if (name.startsWith('.') || known.has(name)) continue;
        known.add(name);
        const home = join(folder, 'from-killed');
        await rm(home, { recursive: true, force: true });
        expect(await called(home, ['restore', join(into, name)])).toMatchObject({ code: 0 });
      }
      if (code === 0) break;
    }
    expect(readdirSync(into)).not.toContain('.partial');
  });

  it('in the middle of a restore leaves the old database or the new one', async () => {
    const made = await backup(join(folder, 'for-kills'));
    const after = await exported(catalog.home);
    const home = join(folder, 'killed-restore');
    const other = await TestCatalog.start({}, home);
    await other.ingest(tag('old'));
    await other.stop({ keepHome: true });
    const whole = join(folder, 'whole-restore');
    const started = performance.now();
    expect(await command(whole, ['restore', made])).toMatchObject({ code: 0 });
    const states = [contents(home), contents(whole)];
    const tookMs = performance.now() - started;
    const seen = new Set<number>();
    const killedAt = async (moment: Parameters<typeof command>[2]) => {
      const { code } = await command(home, ['restore', made, '--replace'], moment);
      const state = states.indexOf(contents(home));
      expect(state).toBeGreaterThanOrEqual(0);
      seen.add(state);
      return { code, state };
    };
    // While the backup is copied. On a busy machine the restore may get further before it dies; then once more.
    const before = join(folder, 'before-kills');
    await cp(home, before, { recursive: true });
    const copying = { killWhen: () => existsSync(join(home, 'restore.partial')) };
    while ((await killedAt(copying)).state !== 0) {
      await rm(home, { recursive: true });
      await cp(before, home, { recursive: true });
    }
    expect(readdirSync(home)).toContain('restore.partial');
    for (const killAfterMs of moments(tookMs)) if ((await killedAt({ killAfterMs })).code === 0) break;
    expect(await exported(home)).toBe(after);
    expect(seen).toEqual(new Set([0, 1]));
    expect(readdirSync(home)).not.toContain('restore.partial');
  });
});

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
