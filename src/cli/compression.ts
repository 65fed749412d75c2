import { pipeline, Readable, type Duplex } from 'node:stream';
import {
  createGunzip,
  createGzip,
  createZstdCompress,
  createZstdDecompress,
  type ZstdCompress,
  type Gzip,
} from 'node:zlib';

/** How a file is compressed. */
export type Compression = 'gzip' | 'zstd';

/** A stream that compresses what is written to it. */
export function compressor(compression: Compression): Gzip | ZstdCompress {
  return compression === 'gzip' ? createGzip() : createZstdCompress();
}

/** A decompressed file, and how it was compressed. */
export interface Decompressed {
  compression: Compression | undefined;
  /** At most the first chunk. */
  beginning: Buffer;
  /** All of it, that chunk included. */
  content: AsyncIterable<Buffer>;
}

/** Decompresses a file if its first bytes say that it is compressed. */
export async function decompressed(input: AsyncIterable<Buffer>): Promise<Decompressed> {
  const raw = await begun(input);
  const compression = compressionOf(raw.beginning);
  if (compression === undefined) return { compression, ...raw };
  const through: Duplex = compression === 'gzip' ? createGunzip() : createZstdDecompress();
  // What goes wrong is thrown where the result is read.
  pipeline(Readable.from(raw.content), through, () => undefined);
  return { compression, ...(await begun(through as AsyncIterable<Buffer>)) };
}

/** Why a compressed file cannot be read, in words; undefined for another error. */
export function damageOf(error: unknown): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return /^Z(STD)?_/.test(code) ? `the packed file is damaged or was cut (${message})` : undefined;
}

function compressionOf(beginning: Buffer): Compression | undefined {
  const magic = beginning.subarray(0, 4).toString('hex');
  if (magic.startsWith('1f8b')) return 'gzip';
  return magic === '28b52ffd' ? 'zstd' : undefined;
}

async function begun(input: AsyncIterable<Buffer>): Promise<Pick<Decompressed, 'beginning' | 'content'>> {
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
