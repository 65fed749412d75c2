import { createReadStream, existsSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { DataFolderLock } from '../adapters/database/index.js';
import { DATABASE } from '../backing/backup-manifest.js';
import { withStartErrors } from '../backing/start-errors.js';
import { makeBackup, type MadeBackup } from '../backing/make-backup.js';
import { readConfiguration } from '../config/configuration.js';
import { asJson, UsageError, type Command, type Terminal } from './command.js';
import { compressor, type Compression } from './compression.js';
import { createProgress } from './progress.js';

/** Below the data folder: a backup that goes to standard output is verified before its first byte. */
const PASSING = 'backup.passing';

/** Makes a verified copy of the embedded database. */
export const backup: Command = {
  usage: `Usage: npm run catalog -- backup <folder|-> [--keep <n>] [--index] [--gzip | --zstd] [--json]

Copies the database of CATALOG_HOME as it is at one moment, also while the service runs, reads the copy through, and puts it
into a folder below the one that is named. "-" writes the backup to standard output, as one stream. The restore command
puts it back. Databases of servers have tools of their own: docs/operate.md.

  --keep          how many backups stay in the folder, this one included; older ones are removed
  --index         with the search index, which can be built anew; the service must be stopped for that
  --gzip, --zstd  packs the stream
  --json          prints where the backup is and what is in it as JSON`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        keep: { type: 'string' },
        index: { type: 'boolean', default: false },
        gzip: { type: 'boolean', default: false },
        zstd: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [folder, ...others] = positionals;
    if (folder === undefined || others.length > 0) throw new UsageError('name the one folder for the backup');
    const { gzip, zstd, keep, json } = values;
    if (gzip && zstd) throw new UsageError('give --gzip or --zstd, not both');
    if ((gzip || zstd) && folder !== '-') throw new UsageError('--gzip and --zstd are for "-"');
    if (json && folder === '-') throw new UsageError('--json is for a folder: "-" writes the backup itself');
    if (keep !== undefined && (folder === '-' || !/^[1-9]\d{0,3}$/.test(keep)))
      throw new UsageError('--keep is a whole number from 1 on, for a folder');
    const { home, databaseUrl } = readConfiguration();
    if (databaseUrl !== undefined)
      throw new UsageError(
        'the database is on a server: make a backup with its own tools, see docs/operate.md',
      );
    if (!existsSync(join(home, DATABASE))) throw new UsageError(`${home} has no catalog`);
    // An index that goes on being written is not the one of the copy.
    const lock = values.index
      ? await withStartErrors(home, () => DataFolderLock.take(join(home, 'service.lock')))
      : undefined;
    try {
      const options = { index: values.index, keep: keep === undefined ? undefined : Number(keep) };
      const compression = gzip ? 'gzip' : zstd ? 'zstd' : undefined;
      if (folder === '-') await pass(home, options, compression, terminal);
      else say(await make(home, folder, options, terminal), json, terminal);
      return 0;
    } finally {
      lock?.release();
    }
  },
};

async function make(
  home: string,
  folder: string,
  options: { index: boolean; keep: number | undefined },
  terminal: Terminal,
): Promise<MadeBackup> {
  const bar = await createProgress(1, terminal, 'pages');
  try {
    return await makeBackup(home, folder, {
      ...options,
      progress: (done, total) => bar.update(done / total, done),
    });
  } finally {
    bar.stop();
  }
}

function say({ path, manifest, removed }: MadeBackup, json: boolean, terminal: Terminal): void {
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  terminal.err(`${manifest.entities} entities, ${(bytes / 1e6).toFixed(1)} MB, verified`);
  if (removed.length > 0) terminal.err(`removed: ${removed.join(', ')}`);
  const { made, version, entities } = manifest;
  terminal.out(json ? asJson({ path, made, version, entities, bytes, removed }) : path);
}

/** Writes a backup to standard output: its manifest in a line, then its files. */
async function pass(
  home: string,
  options: { index: boolean; keep: number | undefined },
  compression: Compression | undefined,
  terminal: Terminal,
): Promise<void> {
  const folder = join(home, PASSING);
  rmSync(folder, { recursive: true, force: true });
  try {
    const { path, manifest } = await make(home, folder, options, terminal);
    const out = compression === undefined ? process.stdout : compressor(compression);
    if (out !== process.stdout) out.pipe(process.stdout);
    const write = async (part: string | Buffer): Promise<void> => {
      if (!out.write(part)) await once(out, 'drain');
    };
    await write(`${JSON.stringify(manifest)}\n`);
    for (const { name } of manifest.files)
      for await (const chunk of createReadStream(join(path, name)) as AsyncIterable<Buffer>)
        await write(chunk);
    if (out !== process.stdout) {
      out.end();
      await finished(out);
    }
    terminal.err(`${manifest.entities} entities, verified`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
