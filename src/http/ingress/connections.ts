import { STATUS_CODES } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { errorAnswer } from '../error-body.js';
import type { Failure } from '../failure.js';
import { surfaceOf } from '../surface.js';

/** What the parser of HTTP says, and what it means here; everything else is a malformed request. */
const PARSER: Readonly<Record<string, Pick<Failure, 'code' | 'message'>>> = {
  HPE_HEADER_OVERFLOW: {
    code: 'HEADERS_TOO_LARGE',
    message: 'the request line and the headers may have 16384 bytes together, these have more',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    code: 'BODY_TOO_LARGE',
    message: 'the extensions of a chunk may have 16384 bytes, these have more',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'REQUEST_TIMEOUT',
    message: 'the request did not arrive in time: headers have 15 seconds, a whole request 60',
  },
};

const MALFORMED = { code: 'REQUEST_MALFORMED', message: 'this is not a correct HTTP/1.1 request' } as const;

/** What the HTTP parser gave up with, before there was a request to speak of. */
interface ParserError {
  readonly code?: string;
  /** The bytes that it choked on; Fastify's type describes them as JSON. */
  readonly rawPacket?: unknown;
}

/** Answers what is no HTTP request, or never becomes one, in the service's own words, and closes the connection. */
export function answerBrokenRequests(recordNamespace: string): (error: ParserError, socket: Socket) => void {
  return (error, socket) => {
    // Nothing ever came (a connection that was opened in advance), or the client is gone.
    if (!socket.writable || socket.bytesRead === 0 || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const known = PARSER[error.code ?? ''] ?? MALFORMED;
    const begin = error.rawPacket instanceof Uint8Array ? error.rawPacket.subarray(0, 256) : [];
    const target = /^[A-Z]+ (\S+)/.exec(Buffer.from(begin).toString('latin1'))?.[1] ?? '/';
    // An answer that is under way must not be cut open by another.
    if (answering(socket)) socket.destroy();
    else answerOn(socket, known, target, recordNamespace);
  };
}

/**
 * At most so many connections of one address at a time; 0 does not count them.
 * @param unlimited addresses and networks of proxies, which bring the requests of many
 */
export function limitConnections(
  server: FastifyInstance,
  limit: number,
  unlimited: readonly string[],
  recordNamespace: string,
): void {
  if (limit === 0) return;
  const proxies = listOf(unlimited);
  const open = new Map<string, number>();
  server.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    if (address === undefined || proxies.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) return;
    const count = (open.get(address) ?? 0) + 1;
    if (count > limit) {
      const message = `${limit} connections are open from this address, and there may not be more`;
      answerOn(socket, { code: 'TOO_MANY_REQUESTS', message }, '/', recordNamespace);
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function answering(socket: Socket): boolean {
  const message = (socket as Socket & { _httpMessage?: { headersSent: boolean } | null })._httpMessage;
  return message?.headersSent === true;
}

function answerOn(
  socket: Socket,
  failure: Pick<Failure, 'code' | 'message'>,
  target: string,
  recordNamespace: string,
): void {
  const requestId = randomUUID();
  const { status, headers, body } = errorAnswer(
    { ...failure, errors: [] },
    { surface: surfaceOf(target), requestId, recordNamespace },
  );
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${text}`, () =>
    socket.destroy(),
  );
}
