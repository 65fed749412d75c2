import type { FastifyReply } from 'fastify';

/** What is sent: JSON as text or bytes, or nothing. */
export interface HttpAnswer {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

export function ok(body: string | Buffer, tag?: string): HttpAnswer {
  return { status: 200, body, ...(tag !== undefined && { headers: { etag: `"${tag}"` } }) };
}

export function send(reply: FastifyReply, { status, headers, body }: HttpAnswer): void {
  reply.code(status);
  if (headers) reply.headers(headers);
  if (body !== undefined) void reply.header('content-type', 'application/json').send(body);
  else void reply.send();
}
