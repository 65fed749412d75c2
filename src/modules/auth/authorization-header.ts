import { CatalogError } from '../../catalog/errors/index.js';
import { isBearerShaped } from './token.js';

/** The part of a request that may say who is calling. */
export interface CallerRequest {
  readonly headers: { readonly authorization?: string | undefined };
  /** The request of the HTTP server below, where headers stand as they were sent. */
  readonly raw?: { readonly rawHeaders?: readonly string[] };
}

/**
 * The token that a request carries, in its one Authorization header and nowhere else.
 * @throws CatalogError TOKEN_MISSING, TOKEN_INVALID.
 */
export function bearerTokenOf(request: CallerRequest): string {
  const header = request.headers.authorization;
  if (header === undefined)
    throw missing('this needs a token: send the header "Authorization: Bearer <token>"');
  // Of several headers the server below keeps the first, a proxy before us may have checked another.
  if (occurrences(request.raw?.rawHeaders) > 1) {
    throw new CatalogError('TOKEN_INVALID', 'there is more than one Authorization header');
  }
  // How nearly all write it. A text with spaces has not the shape of a token, and is looked at more closely.
  if (header.startsWith('Bearer ') && isBearerShaped(header.slice(7))) return header.slice(7);
  const [, scheme = '', token = ''] = /^(\S*)(?: +(.*))?$/.exec(header.trim()) ?? [];
  if (scheme.toLowerCase() !== 'bearer')
    throw missing('the Authorization header must be of the scheme Bearer');
  if (token === '') throw missing('the Authorization header holds no token');
  if (!isBearerShaped(token)) throw new CatalogError('TOKEN_INVALID', 'invalid access token');
  return token;
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
