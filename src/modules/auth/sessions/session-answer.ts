import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookiesOf, speaksTls } from './session-cookie.js';
import type { Session } from './session.service.js';

/** Gives the browser the cookies of a session. */
export function startSession(request: FastifyRequest, reply: FastifyReply, session: Session): void {
  const seconds = Math.max(0, Math.floor((session.expiresAt - Date.now()) / 1000));
  void reply.header('set-cookie', cookiesOf(session, speaksTls(request.headers, request.protocol), seconds));
}
