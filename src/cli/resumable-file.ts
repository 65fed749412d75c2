import { createReadStream } from 'node:fs';
import { access, readFile, rm, writeFile } from 'node:fs/promises';
import { checkOf, type ExportCut } from '../modules/transfer/offline.js';
import { linesOf } from './lines.js';
import { openSink, partialOf, type Sink } from './output-file.js';
import { damageOf, decompressed, type Compression, type Decompressed } from './compression.js';

const ENTITY = '{"kind":"entity"';

/** What an export that was interrupted has left: whole entities. */
export interface Left {
  readonly cut: ExportCut;
  readonly lines: number;
  /** Of these lines, unpacked. */
  readonly bytes: number;
  /** URN of the last entity. */
  readonly after: string;
  readonly content: AsyncIterable<Buffer>;
  readonly compression: Compression | undefined;
}

/** The file that keeps the moment of an export while it is written. */
const cutOf = (file: string): string => `${partialOf(file)}.cut`;

/** What can be kept of an export to this file that was interrupted; undefined where that is nothing. */
export async function leftOf(file: string): Promise<Left | undefined> {
  const partial = partialOf(file);
  const cut = await cutIn(cutOf(file));
  const there = await access(partial).then(
    () => true,
    () => false,
  );
  if (cut === undefined || !there) return undefined;
  let [number, bytes, check] = [0, 0, 0];
  let compression: Compression | undefined;
  let place: Pick<Left, 'lines' | 'bytes'> | undefined;
  let [last, before]: Array<Buffer | undefined> = [];
  try {
    const { compression: found, content } = await opened(partial);
    compression = found;
    for await (const line of linesOf(content)) {
      const own = checkOf(line, check);
      // Cut off in its middle, or not yet on the disk.
      if (own === undefined) break;
      check = own;
      if (line.toString('latin1', 0, ENTITY.length) === ENTITY) {
        // The one before it is whole.
        if (last !== undefined) place = { lines: number, bytes };
        [before, last] = [last, line];
      }
      number += 1;
      bytes += line.length + 1;
    }
  } catch (error) {
    // A packed file ends somewhere as well.
    if (damageOf(error) === undefined) throw error;
  }
  if (place === undefined || before === undefined) return undefined;
  const { entityUrn } = JSON.parse(before.toString()) as { entityUrn: string };
  return { cut, ...place, after: entityUrn, compression, content: first(place.lines, partial) };
}

/** A sink for an export that can go on after an interruption. */
export interface ResumableSink extends Sink {
  /** Keeps the moment of the export. */
  begin(cut: ExportCut): Promise<void>;
}

/** @param left what is there already, and is written to the sink once more */
export async function openResumable(
  file: string,
  compression: Compression | undefined,
  left: Left | undefined,
): Promise<ResumableSink> {
  const partial = partialOf(file);
  // What is packed cannot be continued in its middle: it is packed anew, beside what was left, until that is in it.
  const beside = left && (left.compression ?? compression) !== undefined ? `${partial}.next` : undefined;
  const sink = await openSink(file, compression, {
    ...(beside !== undefined && { partial: beside }),
    kept: beside === undefined ? (left?.bytes ?? 0) : 0,
  });
  let kept = left?.bytes ?? 0;
  return {
    ...sink,
    begin: (cut) => writeFile(cutOf(file), JSON.stringify(cut), { mode: 0o600 }),
    async write(part) {
      const again = Math.min(kept, part.length);
      kept -= again;
      const fresh = beside === undefined ? part.subarray(again) : part;
      if (fresh.length > 0) await sink.write(fresh);
      if (beside !== undefined && again > 0 && kept === 0) await sink.move(partial);
    },
    async end() {
      await sink.end();
      await rm(cutOf(file), { force: true });
    },
    async abandon() {
      await sink.abandon();
      await rm(cutOf(file), { force: true });
    },
  };
}

async function cutIn(file: string): Promise<ExportCut | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as ExportCut;
  } catch {
    return undefined;
  }
}

const opened = (file: string): Promise<Decompressed> =>
  decompressed(createReadStream(file, { highWaterMark: 256 * 1024 }));

async function* first(count: number, file: string): AsyncGenerator<Buffer> {
  let left = count;
  for await (const line of linesOf((await opened(file)).content)) {
    yield line;
    left -= 1;
    if (left === 0) return;
  }
}
