import { hash, randomBytes } from 'node:crypto';

/** Makes a token recognisable in a file or a log, to people and to scanners for leaked secrets. */
const PREFIX = 'cat_';

/** Longer texts are no tokens and are not worth hashing. */
const MAX_LENGTH = 512;

/** The characters of a bearer token (RFC 6750). */
const SHAPE = /^[A-Za-z0-9\-._~+/]+=*$/;

/** A new token: 256 random bits. It cannot be guessed, so a fast hash is enough to keep it. */
export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** A new token id: not secret, easy to type. */
export function newTokenId(): string {
  return randomBytes(8).toString('hex');
}

export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export function isTokenShaped(text: string): boolean {
  return text.length <= MAX_LENGTH && SHAPE.test(text);
}
