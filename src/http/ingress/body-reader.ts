import type { IncomingMessage } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { type BodyBudget, SMALL_BODY } from './body-budget.js';

/** What the framework says about a body that is not as long as was announced; the table of failures knows it. */
const WRONG_LENGTH = Object.assign(new Error('the body is not as long as Content-Length says'), {
  code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
  statusCode: 400,
});

/**
 * Bytes of one body that are read in one go. A socket that is full is read up to 32 times in a row, and where the collector is marking
 * a large heap, each buffer that comes advances it by some milliseconds.
 */
const PORTION = 256 * 1024;

/**
 * Refuses a body by what its header says of it, before a byte of it is read.
 * @throws CatalogError BODY_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export function checkAnnounced(request: IncomingMessage, limit: number, budget: BodyBudget): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limit) throw tooLarge(`${announced} bytes`, limit);
  if (announced > SMALL_BODY) budget.expect(announced);
}

/**
 * Reads the body of a request. What is held of it is counted, if it is large, until the answer is sent.
 * @throws CatalogError BODY_TOO_LARGE, SERVICE_UNAVAILABLE as soon as it is too much; the rest is left unread
 */
export function readBody(
  request: FastifyRequest,
  reply: FastifyReply,
  limit: number,
  budget: BodyBudget,
  done: (error: Error | null, body?: Buffer) => void,
): void {
  const { raw } = request;
  const chunks: Buffer[] = [];
  let received = 0;
  let counted = 0;
  let together = 0;
  const finish = (error: Error | null, body?: Buffer): void => {
    raw.off('data', onData).off('end', onEnd).off('error', finish);
    done(error, body);
  };
  const count = (): void => {
    budget.take(received - counted);
    if (counted === 0) reply.raw.once('close', () => budget.give(counted));
    counted = received;
  };
  const onData = (chunk: Buffer): void => {
    received += chunk.length;
    try {
      if (received > limit) throw tooLarge(`more than that`, limit);
      if (received > SMALL_BODY) count();
    } catch (error) {
      chunks.length = 0;
      raw.pause();
      finish(error as Error);
      return;
    }
    chunks.push(chunk);
    together += chunk.length;
    if (together < PORTION) return;
    together = 0;
    raw.pause();
    setImmediate(() => raw.resume());
  };
  const onEnd = (): void => {
    const announced = request.headers['content-length'];
    if (announced !== undefined && Number(announced) !== received) finish(WRONG_LENGTH);
    else finish(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received));
  };
  raw.on('data', onData).on('end', onEnd).on('error', finish);
}

function tooLarge(actual: string, limit: number): CatalogError {
  return refuse('BODY_TOO_LARGE', `the body may have ${limit} bytes here, it has ${actual}`);
}
