import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chooseEncoding, type Encoding } from './encoding.js';

/** Fast rather than small: most of what can be saved is saved at the lowest level. */
const COMPRESS: Readonly<Record<Encoding, (bytes: string | Buffer) => Promise<Buffer>>> = {
  zstd: (bytes) => promisify(zstdCompress)(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 1 }),
};
const CODINGS: readonly Encoding[] = ['zstd', 'br', 'gzip'];

/**
 * Compresses large answers by what the client accepts, on the threads of zlib. Smaller ones are not looked at: most
 * clients accept a coding, and compressing what they read takes several times the CPU of reading it.
 * @param least characters of an answer from which on it is compressed
 */
export function compressAnswers(server: FastifyInstance, least: number): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if ((typeof payload !== 'string' && !Buffer.isBuffer(payload)) || payload.length < least) done();
    else compressed(request, reply, payload).then((bytes) => done(null, bytes), done);
  });
}

async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: string | Buffer,
): Promise<string | Buffer> {
  // Pages and documents come in a coding already, or the client wants none.
  if (reply.hasHeader('content-encoding') || reply.hasHeader('content-range') || request.method === 'HEAD')
    return payload;
  const vary = reply.getHeader('vary');
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
  const encoding = await chooseEncoding(request.headers['accept-encoding'], CODINGS);
  if (encoding === 'identity') return payload;
  const bytes = await COMPRESS[encoding](payload);
  reply.headers({ 'content-encoding': encoding, 'content-length': bytes.length });
  return bytes;
}
