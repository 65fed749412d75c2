import { Readable } from 'node:stream';
import { constants } from 'node:zlib';
import { fastify, type FastifyInstance, type onSendHookHandler } from 'fastify';
import type { Logger } from 'pino';

/** Fast rather than small: most of what can be saved is saved at the lowest level. */
const FAST = {
  brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
  zlibOptions: { level: 1 },
};
/** Up to here the way to a thread of zlib and back costs more than it saves. */
const AT_ONCE_BYTES = 128 * 1024;

/**
 * Compresses answers by what the client accepts, with `@fastify/compress`. Smaller ones are not looked at and cost what they
 * did; the library, which reads the headers of each answer first, is loaded with the first that is to be compressed.
 * docs/adr/0050-answers-compressed-by-a-library.md has the figures. An answer goes as it is while the library cannot be loaded.
 * @param least characters of an answer from which on it is compressed
 */
export function compressAnswers(
  server: FastifyInstance,
  least: number,
  logger: Pick<Logger, 'warn'>,
  load = libraryHook,
): void {
  let compress: onSendHookHandler | undefined;
  let loading: Promise<onSendHookHandler> | undefined;
  server.addHook('onSend', function (request, reply, payload, done) {
    if (!isLong(payload, least) || request.method === 'HEAD' || reply.hasHeader('content-encoding')) {
      done();
      return;
    }
    const vary = [reply.getHeader('vary') ?? []].flat().join(', ');
    // Pages and documents come in the coding that was chosen for them, which may be none.
    if (/accept-encoding/i.test(vary)) {
      done();
      return;
    }
    reply.header('vary', vary === '' ? 'accept-encoding' : `${vary}, accept-encoding`);
    if (request.headers['accept-encoding'] === undefined) done();
    else if (compress !== undefined) compress.call(this, request, reply, payload, done);
    else {
      loading ??= load(least);
      loading.then(
        (hook) => (compress = hook).call(this, request, reply, payload, done),
        (error: unknown) => {
          // Such as too many open files: the answer goes as it is, and the next one tries again.
          loading = undefined;
          logger.warn({ err: error }, 'the library that compresses answers cannot be loaded');
          done();
        },
      );
    }
  });
}

/** Answers that are made while they are sent are long. */
function isLong(payload: unknown, least: number): boolean {
  const whole = typeof payload === 'string' || Buffer.isBuffer(payload);
  return whole ? payload.length >= least : payload instanceof Readable && least < Infinity;
}

/** What the library adds to the routes of a server, which cannot take plugins once it has started: taken from a server beside it. */
async function libraryHook(threshold: number): Promise<onSendHookHandler> {
  const { default: plugin } = await import('@fastify/compress');
  const beside = fastify();
  await beside.register(plugin, {
    ...FAST,
    threshold,
    syncThreshold: AT_ONCE_BYTES,
    // Brotli takes the least time for small answers.
    encodings: ['br', 'zstd', 'gzip'],
    globalDecompression: false,
  });
  const hooks: onSendHookHandler[] = [];
  beside.addHook(
    'onRoute',
    ({ onSend }) => void hooks.push(...([onSend ?? []].flat() as onSendHookHandler[])),
  );
  beside.get('/', () => '');
  const [hook] = hooks;
  if (hook === undefined) throw new Error('@fastify/compress adds no hook to a route');
  return hook;
}
