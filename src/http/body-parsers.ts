import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from '../catalog/errors/index.js';
import { parseJson } from '../catalog/json/index.js';

/** `application/json`, `application/json-patch+json` and their like, with or without parameters. */
const JSON_TYPES = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;

/**
 * JSON is the only kind of body there is. Other types are refused, `text/plain` above all: a browser sends it to
 * other sites without asking them first.
 */
export function registerBodyParsers(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    // Clients send a content type with empty bodies, too.
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      requirePlainUtf8(request);
      done(null, parseJson(body));
    } catch (error) {
      done(error as Error, undefined);
    }
  });
}

function requirePlainUtf8(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw refuse(
      'MEDIA_TYPE_UNSUPPORTED',
      'compressed bodies are not supported, send it without Content-Encoding',
    );
  }
  const charset = /;\s*charset="?([^;"\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$|^us-ascii$/i.test(charset)) {
    throw refuse('MEDIA_TYPE_UNSUPPORTED', 'send the body as UTF-8');
  }
}
