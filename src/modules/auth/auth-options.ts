import type { OidcOptions } from './oidc/oidc-options.js';

/** How callers are told apart in this process. */
export interface AuthOptions {
  /** Off: every caller is an administrator. */
  auth: 'on' | 'off';
  /** Data folder; the first administrator token is written there. */
  home: string;
  /** A process that serves no requests makes no tokens. */
  role: 'all' | 'api' | 'worker';
  /** An administrator token chosen by the operator; nothing is made or written then. */
  adminToken?: string | undefined;
  /** URN of the user of the first administrator token. Default: {@link ADMINISTRATOR}. */
  administrator?: string;
  /** How many valid tokens a user may have; those of the command line count, and are made in any case. */
  tokensPerUser?: number;
  /** How long a session of the pages lasts, milliseconds. */
  sessionMs?: number;
  /** Tokens of identity providers; absent: none are taken. */
  oidc?: OidcOptions | undefined;
  /** Shows a text to the person who starts the service. Default: standard output. */
  print?: (text: string) => void;
  /** Epoch milliseconds. */
  now?: () => number;
}

/** Injection token of the {@link AuthOptions}. */
export const AUTH_OPTIONS = Symbol('AuthOptions');

/**
 * Id of the administrator token of the first start. Fixed, so that of several processes that start together on one
 * database only one makes the token.
 */
export const FIRST_TOKEN_ID = 'first-administrator';

/** The user of the first administrator token, and every caller where authentication is off; unless options name another. */
export const ADMINISTRATOR = 'urn:li:corpuser:admin';
