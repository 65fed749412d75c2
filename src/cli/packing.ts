import { pipeline, Readable, type Duplex } from 'node:stream';
import {
  createGunzip,
  createGzip,
  createZstdCompress,
  createZstdDecompress,
  type ZstdCompress,
  type Gzip,
} from 'node:zlib';

/** How a file is packed. */
export type Packing = 'gzip' | 'zstd';

/** A stream that packs what is written to it. */
export function packer(packing: Packing): Gzip | ZstdCompress {
  return packing === 'gzip' ? createGzip() : createZstdCompress();
}

/** A file as it is, with how it was packed. */
export interface Unpacked {
  packing: Packing | undefined;
  /** At most the first chunk. */
  beginning: Buffer;
  /** All of it, that chunk included. */
  content: AsyncIterable<Buffer>;
}

/** Recognises what is packed by its first bytes. */
export async function unpacked(input: AsyncIterable<Buffer>): Promise<Unpacked> {
  const raw = await begun(input);
  const packing = packingOf(raw.beginning);
  if (packing === undefined) return { packing, ...raw };
  const through: Duplex = packing === 'gzip' ? createGunzip() : createZstdDecompress();
  // What goes wrong is thrown where the result is read.
  pipeline(Readable.from(raw.content), through, () => undefined);
  return { packing, ...(await begun(through as AsyncIterable<Buffer>)) };
}

/** What is wrong with a packed file, in words; undefined when it is something else. */
export function damageOf(error: unknown): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^Z(STD)?_/.test(code) ? `the packed file is damaged or was cut (${message})` : undefined;
}

function packingOf(beginning: Buffer): Packing | undefined {
  const magic = beginning.subarray(0, 4).toString('hex');
  if (magic.startsWith('1f8b')) return 'gzip';
  return magic === '28b52ffd' ? 'zstd' : undefined;
}

async function begun(input: AsyncIterable<Buffer>): Promise<Pick<Unpacked, 'beginning' | 'content'>> {
  const iterator = input[Symbol.asyncIterator]();
  const first = await iterator.next();
  const beginning = first.done ? Buffer.alloc(0) : first.value;
  return { beginning, content: resumed(beginning, iterator) };
}

async function* resumed(beginning: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield beginning;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  } finally {
    await iterator.return?.();
  }
}
