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
  readonly 'x-forwarded-proto'?: string | string[] | undefined;
}

/** Whether the browser speaks TLS, also where a proxy ends it: what the request says can only hurt the one who sends it. */
export function speaksTls(headers: PageHeaders, protocol?: string): boolean {
  const { cookie, origin, 'x-forwarded-proto': forwarded } = headers;
  return (
    protocol === 'https' ||
    (typeof forwarded === 'string' && /^https\b/i.test(forwarded)) ||
    origin?.startsWith('https:') === true ||
    // A browser has it over TLS only. Not every proxy says what it ended, nor every request its origin.
    (cookie !== undefined && parseCookie(cookie)[SECURE_SESSION] !== undefined)
  );
}

/**
 * The secret of the session that a request is part of. Over TLS the name that other hosts cannot set counts alone: the page of a
 * sibling could have the browser send a session of a client else under the other.
 */
export function sessionTokenOf(headers: PageHeaders, protocol?: string): string | undefined {
  const { cookie, 'x-forwarded-proto': forwarded } = headers;
  if (cookie === undefined) return undefined;
  // Not by the origin, which may be that of another page: that is for the one who checks pages to say.
  const secure = speaksTls({ cookie, 'x-forwarded-proto': forwarded }, protocol);
  const token = parseCookie(cookie)[secure ? SECURE_SESSION : SESSION];
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
