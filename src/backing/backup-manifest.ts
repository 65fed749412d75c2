import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** Raised when a restore of the version before could not read a backup. */
const BACKUP_FORMAT = 1;

/** Name of the file that says what is in a backup; written last. */
export const MANIFEST = 'manifest.json';
/** The files that a backup may have. */
export const DATABASE = 'catalog.db';
export const INDEX = 'search.db';

/** One file of a backup. */
export interface BackupFile {
  name: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What is in a backup. */
export interface Manifest {
  kind: 'catalog-backup';
  format: number;
  /** Of the service that made it. */
  version: string;
  /** When, in ISO 8601. */
  made: string;
  entities: number;
  files: BackupFile[];
}

/** A backup that cannot be used; the message says why. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

export function manifestOf(version: string, made: Date, entities: number, files: BackupFile[]): Manifest {
  return {
    kind: 'catalog-backup',
    format: BACKUP_FORMAT,
    version,
    made: made.toISOString(),
    entities,
    files,
  };
}

/** @throws BackupError when the text is none that this version can read */
export function readManifest(text: string, where: string): Manifest {
  let found: Partial<Manifest> | null;
  try {
    found = JSON.parse(text) as Partial<Manifest> | null;
  } catch {
    found = null;
  }
  if (found?.kind !== 'catalog-backup') throw new BackupError(`${where} is no backup of a catalog`);
  if (found.format !== BACKUP_FORMAT)
    throw new BackupError(
      `${where} has the format ${String(found.format)}, and this version reads ${BACKUP_FORMAT}`,
    );
  const { files = [] } = found;
  const names = files.map(({ name }) => name);
  const allowed = names.every((name) => name === DATABASE || name === INDEX);
  if (!allowed || !names.includes(DATABASE) || new Set(names).size < names.length)
    throw new BackupError(`${where} names other files than a backup has`);
  return found as Manifest;
}

/** Reads a file through. */
export async function factsOf(path: string, name: string): Promise<BackupFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { name, bytes, sha256: hash.digest('hex') };
}
