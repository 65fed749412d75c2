import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { TEXT_TYPE } from '../../../routing/text-in-parts.js';
import type { DirectReply } from '../../../catalog/extension/direct-route.js';

/** What is sent: JSON as text or bytes, or nothing. */
export interface HttpAnswer<Body = string | Buffer> {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Body;
}

/** An answer of many entities, which may be made while it is sent. */
export type ListAnswer = HttpAnswer<string | Readable>;

export function ok<Body = string | Buffer>(body: Body, tag?: string): HttpAnswer<Body> {
  return { status: 200, body, ...(tag !== undefined && { headers: { etag: `"${tag}"` } }) };
}

export function send(reply: FastifyReply, answer: HttpAnswer<string | Buffer | Readable>): void {
  void reply.send(answerBy(reply, answer));
}

/** Sets the status and the headers of an answer. @returns its body */
export function answerBy<Body>(
  reply: DirectReply,
  { status, headers, body }: HttpAnswer<Body>,
): Body | undefined {
  reply.code(status);
  if (headers) reply.headers(headers);
  // Of a text the server says itself in which characters it is.
  const type = body instanceof Readable ? TEXT_TYPE : 'application/json';
  if (body !== undefined) reply.header('content-type', type);
  return body;
}
