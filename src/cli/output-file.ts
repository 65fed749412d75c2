import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, truncate, type FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { compressor, type Compression } from './compression.js';

/** Where a command writes. */
export interface Sink {
  /** The part may be filled anew when it is settled. */
  write(part: Buffer): Promise<void>;
  /** Everything is written: a file is on disk, under its name. */
  end(): Promise<void>;
  /** Gives the file another name until it is whole. */
  move(partial: string): Promise<void>;
  /** Ends, and leaves what was written under the name that it has until it is whole. */
  leave(): void;
  abandon(): Promise<void>;
}

/** Where a file is written until it is whole. */
export const partialOf = (file: string): string => `${file}.partial`;

/** Bytes after which the system is asked to put a file onto the disk. */
const FLUSHED = 4 * 1024 * 1024;

/**
 * Puts a file onto the disk while it is written: a flush of all of it at its end would take a tenth of the whole export, in
 * which nothing else is done. Has a descriptor of its own.
 */
class Flusher {
  private asked = 0;
  private running: Promise<void> | undefined;

  private constructor(private readonly file: FileHandle) {}

  static async open(path: string): Promise<Flusher> {
    return new Flusher(await open(path, 'r+'));
  }

  /** So many bytes were written in all. @throws Error of a flush before */
  async reached(bytes: number): Promise<void> {
    if (bytes - this.asked < FLUSHED) return;
    this.asked = bytes;
    // One at a time: writing waits for the disk where that is the slower one.
    await this.running;
    this.running = this.file.datasync();
    // Thrown where it is waited for.
    this.running.catch(() => undefined);
  }

  /** Resolves when everything is on the disk. */
  async finish(): Promise<void> {
    await this.running;
    await this.file.datasync();
  }

  async close(): Promise<void> {
    await this.running?.catch(() => undefined);
    await this.file.close();
  }
}

/**
 * A file has its name only when it is whole.
 * @param partial where it is written until then
 * @param kept bytes at the beginning that stay as they are
 */
export async function openSink(
  file: string,
  compression: Compression | undefined,
  { partial = partialOf(file), kept = 0 }: { partial?: string; kept?: number } = {},
): Promise<Sink> {
  if (kept > 0) await truncate(partial, kept);
  let place = partial;
  const onDisk =
    file === '-'
      ? undefined
      : createWriteStream(partial, { mode: 0o600, ...(kept > 0 && { flags: 'r+', start: kept }) });
  const last: Writable = onDisk ?? process.stdout;
  const first: Writable = compression === undefined ? last : compressor(compression);
  let broken: Error | undefined;
  const failed = new Promise<never>((_, reject) => {
    for (const stream of new Set([first, last]))
      stream.once('error', (error) => {
        broken = error;
        reject(error);
      });
  });
  failed.catch(() => undefined);
  if (first !== last) first.pipe(last, { end: file !== '-' });
  if (onDisk) await Promise.race([once(onDisk, 'open'), failed]);
  const flusher = onDisk && (await Flusher.open(partial));
  return {
    async write(part) {
      if (broken) throw broken;
      const written = new Promise<void>((resolve, reject) =>
        first.write(part, (error) => (error ? reject(error) : resolve())),
      );
      await Promise.race([written, failed]);
      await flusher?.reached(onDisk?.bytesWritten ?? 0);
    },
    async end() {
      if (file === '-' && first === last) return;
      first.end();
      await Promise.race([finished(file === '-' ? first : last), failed]);
      if (flusher === undefined) return;
      await flusher.finish();
      await flusher.close();
      await rename(place, file);
    },
    async move(to) {
      await rename(place, to);
      place = to;
    },
    leave() {
      onDisk?.destroy();
      void flusher?.close();
    },
    async abandon() {
      onDisk?.destroy();
      await flusher?.close();
      if (onDisk) await rm(place, { force: true });
    },
  };
}
