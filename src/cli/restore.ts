import { createReadStream, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DataFolderLock } from '../adapters/database/index.js';
import { BackupError } from '../backing/backup-manifest.js';
import { makeFolder } from '../backing/data-folder.js';
import { withStartErrors } from '../backing/start-errors.js';
import { backupAt, backupFrom, restoreBackup, type BackupSource } from '../backing/restore-backup.js';
import { readConfiguration } from '../config/configuration.js';
import { asJson, UsageError, type Command } from './command.js';
import { damageOf, decompressed } from './compression.js';

/** Puts a backup of the embedded database back. */
export const restore: Command = {
  usage: `Usage: npm run catalog -- restore <backup|folder|file|-> [--replace] [--json]

Puts a backup into CATALOG_HOME: one backup, the newest in a folder of backups, or one that was written as a stream, packed or
not ("-" reads standard input). The service must be stopped. The backup is copied and verified first: checksums, a check of the whole
database, its version. The service builds the search index anew when it starts, unless the backup has it.

  --replace  puts it in the place of a catalog that has data, which is kept under another name
  --json     prints what was put back as JSON`,

  async run(words, terminal) {
    const { values, positionals } = parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        replace: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const [path, ...others] = positionals;
    if (path === undefined || others.length > 0) throw new UsageError('name the one backup');
    const { home, databaseUrl } = readConfiguration();
    if (databaseUrl !== undefined)
      throw new UsageError('the database is on a server: restore it with its own tools, see docs/operate.md');
    makeFolder(home);
    const lock = await withStartErrors(home, () => DataFolderLock.take(join(home, 'service.lock')));
    try {
      const source = await sourceOf(path);
      const { made, version } = source.manifest;
      const { entities, replaced, index } = await restoreBackup(home, source, values.replace);
      terminal.err(`${source.name} of ${made} (version ${version}) is in ${home}: ${entities} entities`);
      if (replaced !== undefined) terminal.err(`the database before is kept as ${replaced}`);
      terminal.err(index ? 'with its search index' : 'the service builds the search index at its start');
      if (values.json)
        terminal.out(asJson({ backup: source.name, made, version, home, entities, replaced, index }));
      return 0;
    } catch (error) {
      const reason = error instanceof BackupError ? error.message : damageOf(error);
      if (reason === undefined) throw error;
      terminal.err(`${reason}; nothing was changed`);
      return 1;
    } finally {
      lock.release();
    }
  },
};

async function sourceOf(path: string): Promise<BackupSource> {
  if (path !== '-' && (!existsSync(path) || statSync(path).isDirectory())) return backupAt(path);
  const input = path === '-' ? process.stdin : createReadStream(path, { highWaterMark: 1024 * 1024 });
  const { content } = await decompressed(input);
  return backupFrom(content, path === '-' ? 'standard input' : path);
}
