import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CatalogError } from '../catalog/errors/index.js';
import { MAX_JSON_DEPTH, parseJson, parseLargeJson, type JsonLimits } from '../catalog/json/index.js';
import { UnsupportedBody } from './failure.js';
import {
  JSON_TYPES,
  readBody,
  saysUtf8,
  type BodyBudget,
  type BodyTerms,
  type BodyTurns,
} from './ingress/index.js';

/** From this size on, in bytes, a body waits for its turn to be parsed. */
const LARGE = 256 * 1024;

/** What the JSON of a request that does not write may consist of. */
const OTHERS: JsonLimits = Object.freeze({ maxDepth: MAX_JSON_DEPTH, maxValues: 200_000 });

/** Requests whose clients ask before they send a body. */
const asking = new WeakSet<IncomingMessage>();

/**
 * JSON is the only kind of body there is, and it is read on the terms on which the request was let in. Other types are
 * refused, `text/plain` above all: a browser sends it to other sites without asking them first.
 */
export function registerBodyParsers(server: FastifyInstance, budget: BodyBudget, turns: BodyTurns): void {
  server.removeAllContentTypeParsers();
  server.server.on('checkContinue', (request, response) => {
    asking.add(request);
    server.server.emit('request', request, response);
  });
  server.decorateRequest('bodyTerms', null);
  server.addContentTypeParser(JSON_TYPES, (request, _payload, done) => {
    const terms = request.bodyTerms!;
    const { reply } = terms;
    // Not by way of `done`: the framework would close the connection under a client that still sends.
    const fail = (error: unknown): void => void reply.send(error);
    const parse = (body: Buffer): void => {
      let value: unknown;
      try {
        // Clients send a content type with empty bodies, too.
        value = body.length === 0 ? undefined : parseJson(body, limitsOf(terms));
      } catch (error) {
        fail(readable(terms, error));
        return;
      }
      done(null, value);
    };
    const parseLarge = (body: Buffer): void =>
      void parseLargeJson(body, limitsOf(terms)).then(
        (value) => done(null, value),
        (error: unknown) => fail(readable(terms, error)),
      );
    try {
      requirePlainUtf8(request);
    } catch (error) {
      fail(error);
      return;
    }
    // Told to go on when the body is wanted, and not before.
    if (asking.delete(request.raw)) reply.raw.writeContinue();
    readBody(request, reply, terms.limit, budget, (error, body) => {
      if (error !== null) fail(error);
      else if (body!.length < LARGE) parse(body!);
      else turns.enter(body!.length, reply.raw, () => parseLarge(body!));
    });
  });
}

const limitsOf = ({ writes }: BodyTerms): JsonLimits | undefined => (writes ? undefined : OTHERS);

/** What is said of a body that could not be read. */
function readable({ saidType }: BodyTerms, error: unknown): unknown {
  if (saidType === undefined || (error as Partial<CatalogError>).code !== 'JSON_MALFORMED') return error;
  const said = saidType === '' ? 'without a Content-Type' : `of the type ${JSON.stringify(saidType)}`;
  return new UnsupportedBody(`a body ${said} is read as JSON, and this one is ${(error as Error).message}`);
}

function requirePlainUtf8(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new UnsupportedBody('compressed bodies are not supported, send it without Content-Encoding');
  }
  if (!saysUtf8(request.headers['content-type'] ?? '')) throw new UnsupportedBody('send the body as UTF-8');
}
