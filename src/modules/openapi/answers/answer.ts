import type { FastifyReply } from 'fastify';
import type { DirectReply } from '../../../catalog/extension/direct-route.js';

/** What is sent: JSON as text or bytes, or nothing. */
export interface HttpAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

export function ok(body: string | Buffer, tag?: string): HttpAnswer {
  return { status: 200, body, ...(tag !== undefined && { headers: { etag: `"${tag}"` } }) };
}

export function send(reply: FastifyReply, answer: HttpAnswer): void {
  void reply.send(answerBy(reply, answer));
}

/** Sets the status and the headers of an answer. @returns its body */
export function answerBy(reply: DirectReply, { status, headers, body }: HttpAnswer): HttpAnswer['body'] {
  reply.code(status);
  if (headers) reply.headers(headers);
  if (body !== undefined) reply.header('content-type', 'application/json');
  return body;
}
