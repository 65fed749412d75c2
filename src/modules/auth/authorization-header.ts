import { CatalogError, refuse } from '../../catalog/errors/index.js';
import { fromOwnPage, sessionTokenOf, type PageHeaders } from './sessions/session-cookie.js';
import { isBearerShaped, isSessionToken } from './token.js';

/** The part of a request that may say who is calling. */
export interface CallerRequest {
  readonly headers: { readonly authorization?: string | undefined } & PageHeaders;
  readonly method?: string;
  /** As the client wrote it, also where a proxy that is trusted stands between. */
  readonly host?: string;
  /** `https` where the client speaks TLS with the service, or with a proxy that is trusted. */
  readonly protocol?: string;
  /** The request of the HTTP server below, where headers stand as they were sent, and its connection. */
  readonly raw?: { readonly rawHeaders?: readonly string[]; readonly socket?: object };
}

/**
 * The token that a request carries: in its one Authorization header; without one, that of a session, in its cookie.
 * @throws CatalogError TOKEN_MISSING, TOKEN_INVALID; NOT_ALLOWED for a cookie that another page has a browser send.
 */
export function tokenOf(request: CallerRequest): string {
  const header = request.headers.authorization;
  if (header === undefined) {
    const session = sessionTokenOf(request.headers, request.protocol);
    if (session === undefined)
      throw missing('this needs a token: send the header "Authorization: Bearer <token>"');
    checkPage(request);
    return session;
  }
  // Of several headers the server below keeps the first, a proxy before us may have checked another.
  if (occurrences(request.raw?.rawHeaders) > 1) {
    throw new CatalogError('TOKEN_INVALID', 'there is more than one Authorization header');
  }
  // How nearly all write it. A text with spaces has not the shape of a token, and is looked at more closely.
  if (header.startsWith('Bearer ') && isBearerShaped(header.slice(7))) return notOfSession(header.slice(7));
  const [, scheme = '', token = ''] = /^(\S*)(?: +(.*))?$/.exec(header.trim()) ?? [];
  if (scheme.toLowerCase() !== 'bearer')
    throw missing('the Authorization header must be of the scheme Bearer');
  if (token === '') throw missing('the Authorization header holds no token');
  if (!isBearerShaped(token)) throw new CatalogError('TOKEN_INVALID', 'invalid access token');
  return notOfSession(token);
}

/** The secret of a session is in cookies only, where scripts of a page cannot read it. */
function notOfSession(token: string): string {
  if (isSessionToken(token)) throw new CatalogError('TOKEN_INVALID', 'invalid access token');
  return token;
}

/** Browsers add a cookie to whatever any page asks: only what pages of this origin ask counts. */
function checkPage({ headers, method, host }: CallerRequest): void {
  const own = fromOwnPage(headers, host);
  if (own === true || (own === undefined && (method === 'GET' || method === 'HEAD'))) return;
  const message =
    'the cookie of a session counts for pages of this origin only: send an Origin that is the address of this service, or a token';
  throw refuse('NOT_ALLOWED', message);
}

function missing(message: string): CatalogError {
  return new CatalogError('TOKEN_MISSING', message);
}

function occurrences(rawHeaders: readonly string[] = []): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') count++;
  }
  return count;
}
