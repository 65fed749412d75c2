/** How callers are told apart in this process. */
export interface AuthOptions {
  /** Off: everybody is administrator. */
  auth: 'on' | 'off';
  /** Data folder; the first administrator token is written there. */
  home: string;
  /** A process that serves no requests makes no tokens. */
  role: 'all' | 'api' | 'worker';
  /** An administrator token chosen by whoever runs the service; nothing is made or written then. */
  adminToken?: string | undefined;
  /** Shows a text to the person who starts the service. Default: standard output. */
  print?: (text: string) => void;
  /** Epoch milliseconds. */
  now?: () => number;
}

/** Injection token of the {@link AuthOptions}. */
export const AUTH_OPTIONS = Symbol('AuthOptions');

/** The user that the first administrator token stands for, and everybody where authentication is off. */
export const ADMINISTRATOR = 'urn:li:corpuser:admin';
