import { parseCookie, stringifySetCookie } from 'cookie';
import { isSessionToken } from '../token.js';

/** Keeps the secret of a session; scripts cannot read it. Behind TLS a browser takes that name from this host only. */
const SESSION = 'catalog_session';
const SECURE_SESSION = `__Host-${SESSION}`;
/** Says to the scripts of web clients who is signed in; it is not believed here. */
const ACTOR = 'actor';

/** The headers that tell what a browser was asked by. */
export interface PageHeaders {
  readonly cookie?: string | undefined;
  readonly origin?: string | undefined;
  readonly 'sec-fetch-site'?: string | string[] | undefined;
}

/** The secret of the session that a request is part of. */
export function sessionTokenOf({ cookie }: PageHeaders): string | undefined {
  if (cookie === undefined) return undefined;
  const cookies = parseCookie(cookie);
  const token = cookies[SECURE_SESSION] ?? cookies[SESSION];
  return token !== undefined && isSessionToken(token) ? token : undefined;
}

/**
 * Whether a browser was asked by a page of this origin, or by its user; undefined where it does not say.
 * @param host of this service, with its port
 */
export function fromOwnPage(headers: PageHeaders, host: string | undefined): boolean | undefined {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return undefined;
  const page = URL.parse(origin);
  return page !== null && page.host === URL.parse(`${page.protocol}//${host}`)?.host;
}

/**
 * The cookies of a session.
 * @param secure whether the browser speaks TLS
 * @param maxAge seconds
 */
export function cookiesOf(
  session: { readonly token: string; readonly actor: string },
  secure: boolean,
  maxAge: number,
): string[] {
  const terms = { path: '/', sameSite: 'lax', secure, maxAge } as const;
  return [
    stringifySetCookie({
      name: secure ? SECURE_SESSION : SESSION,
      value: session.token,
      httpOnly: true,
      ...terms,
    }),
    stringifySetCookie({ name: ACTOR, value: session.actor, ...terms }),
  ];
}

/** Has a browser forget these cookies. */
export function noCookies(secure: boolean): string[] {
  const gone = { value: '', path: '/', maxAge: 0, sameSite: 'lax' } as const;
  return [
    stringifySetCookie({ name: SESSION, httpOnly: true, secure, ...gone }),
    ...(secure ? [stringifySetCookie({ name: SECURE_SESSION, httpOnly: true, secure, ...gone })] : []),
    stringifySetCookie({ name: ACTOR, secure, ...gone }),
  ];
}
