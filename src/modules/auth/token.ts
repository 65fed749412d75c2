import { hash, randomBytes } from 'node:crypto';

/** Makes a token recognisable in a file or a log, to people and to scanners for leaked secrets. */
const PREFIX = 'cat_';

/** Longer texts are no tokens and are not worth hashing. */
const MAX_LENGTH = 512;

/** Tokens of identity providers hold claims, of which groups take most. */
const MAX_JWT_LENGTH = 8 * 1024;
const JWT_SHAPE = /^eyJ[\w-]*\.[\w-]+\.[\w-]*$/;

/** The characters of a bearer token (RFC 6750). */
const SHAPE = /^[A-Za-z0-9\-._~+/]+=*$/;

/** A new token: 256 random bits. It cannot be guessed, so a fast hash is enough to keep it. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** What the token of a session begins with: it is taken from a cookie, and from nowhere else. */
const SESSION_PREFIX = `${PREFIX}session_`;
const SESSION_SHAPE = new RegExp(`^${SESSION_PREFIX}[\\w-]{43}$`);

/** The secret of a session of the pages, as random as a token. */
export function newSessionToken(): string {
  return SESSION_PREFIX + randomBytes(32).toString('base64url');
}

export function isSessionToken(text: string): boolean {
  return SESSION_SHAPE.test(text);
}

/** A new token id: not secret, easy to type. */
export function newTokenId(): string {
  return randomBytes(8).toString('hex');
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

/** What connections sent last: nearly every client sends one token with all of its requests. */
const sentLast = new WeakMap<object, { readonly token: string; readonly hash: string }>();

/** The hash of a token that came by a connection. The token is compared with nothing but what the same connection sent before. */
export function hashOfSent(token: string, connection: object | undefined): string {
  if (connection === undefined) return hashToken(token);
  const last = sentLast.get(connection);
  if (last?.token === token) return last.hash;
  const hash = hashToken(token);
  sentLast.set(connection, { token, hash });
  return hash;
}

/** Whether a text can be a token of this service. */
export function isTokenShaped(text: string): boolean {
  return text.length <= MAX_LENGTH && SHAPE.test(text);
}

/** Whether a text can be a token at all, of this service or of an identity provider. */
export function isBearerShaped(text: string): boolean {
  return text.length <= MAX_JWT_LENGTH && SHAPE.test(text);
}

/** Whether a text looks like a signed JSON Web Token: three parts, the first a JSON object. */
export function isJwtShaped(text: string): boolean {
  return text.length <= MAX_JWT_LENGTH && JWT_SHAPE.test(text);
}
