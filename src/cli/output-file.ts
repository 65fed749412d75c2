import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm, truncate } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { packer, type Packing } from './packing.js';

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

/**
 * A file has its name only when it is whole.
 * @param partial where it is written until then
 * @param kept bytes at the beginning that stay as they are
 */
export async function openSink(
  file: string,
  packing: Packing | undefined,
  { partial = partialOf(file), kept = 0 }: { partial?: string; kept?: number } = {},
): Promise<Sink> {
  if (kept > 0) await truncate(partial, kept);
  let place = partial;
  const last: Writable =
    file === '-'
      ? process.stdout
      : createWriteStream(partial, { mode: 0o600, ...(kept > 0 && { flags: 'r+', start: kept }) });
  const first: Writable = packing === undefined ? last : packer(packing);
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
  if (file !== '-') await Promise.race([once(last, 'open'), failed]);
  return {
    async write(part) {
      if (broken) throw broken;
      const written = new Promise<void>((resolve, reject) =>
        first.write(part, (error) => (error ? reject(error) : resolve())),
      );
      await Promise.race([written, failed]);
    },
    async end() {
      if (file === '-' && first === last) return;
      first.end();
      await Promise.race([finished(file === '-' ? first : last), failed]);
      if (file === '-') return;
      const written = await open(place, 'r+');
      await written.sync().finally(() => written.close());
      await rename(place, file);
    },
    async move(to) {
      await rename(place, to);
      place = to;
    },
    leave() {
      if (file !== '-') last.destroy();
    },
    async abandon() {
      if (file === '-') return;
      last.destroy();
      await rm(place, { force: true });
    },
  };
}
