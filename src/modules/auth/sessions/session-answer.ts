import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf } from './session-cookie.js';
import type { Session } from './session.service.js';

/** Whether the browser speaks TLS, also where a proxy ends it: what the request says can only hurt the one who sends it. */
export function speaksTls({ protocol, headers }: FastifyRequest): boolean {
  const forwarded = headers['x-forwarded-proto'];
  return (
    protocol === 'https' ||
    (typeof forwarded === 'string' && /^https\b/i.test(forwarded)) ||
    headers.origin?.startsWith('https:') === true
  );
}

/** Gives the browser the cookies of a session. */
export function startSession(request: FastifyRequest, reply: FastifyReply, session: Session): void {
  const seconds = Math.max(0, Math.floor((session.expiresAt - Date.now()) / 1000));
  void reply.header('set-cookie', cookiesOf(session, speaksTls(request), seconds));
}
