import type { TypedDocumentString } from './generated.js';

/** Under which the token is kept; the first page and the explorers look there too, in the storage of the browser. */
const TOKEN_KEY = 'metadata-catalog:token';

/** The place of the service: the page is `web` in it. */
export const SERVICE = new URL('.', location.href.replace(/\/web\/?([?#].*)?$/, '/web'));

/** Where GraphQL is. */
export const ENDPOINT = new URL('api/graphql', SERVICE);

/** The service refused, or did not answer. */
export class Refusal extends Error {
  /**
   * @param status of HTTP; 0 where nothing answered, 200 where GraphQL refused
   * @param code of the error, such as `ENTITY_UNKNOWN`
   */
  constructor(
    readonly status: number,
    message: string,
    readonly faults: readonly Fault[] = [],
    readonly code?: string,
  ) {
    super(message);
  }
}

/** What is wrong with a part of the variables. */
export interface Fault {
  /** JSON pointer. */
  readonly pointer: string;
  readonly message: string;
}

/** The token of this tab, otherwise that of the browser. */
export function tokenOf(): string | null {
  return sessionStorage.getItem(TOKEN_KEY) ?? localStorage.getItem(TOKEN_KEY);
}

/** @param remember whether other tabs, the first page and the explorers get it too */
export function keepToken(token: string, remember: boolean): void {
  forgetToken();
  (remember ? localStorage : sessionStorage).setItem(TOKEN_KEY, token);
}

function forgetToken(): void {
  sessionStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(TOKEN_KEY);
}

/** Whose session the browser has, by the cookie that is there for pages; the one that counts no script can read. */
export function sessionActor(): string | null {
  return /(?:^|;\s*)actor=([^;]+)/.exec(document.cookie)?.[1] ?? null;
}

/** Begins a session, which is a cookie, in place of a token. @throws Refusal */
export async function logIn(username: string, password: string): Promise<void> {
  await post('logIn', { username, password });
  forgetToken();
}

/** Ends the session and forgets the token, whichever there is. @throws Refusal when the session may still last */
export async function logOut(): Promise<void> {
  if (sessionActor() !== null) await post('logOut', {});
  forgetToken();
}

async function post(path: string, body: object): Promise<void> {
  const response = await fetch(new URL(path, SERVICE), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Refusal(0, 'The service does not answer.');
  });
  if (!response.ok) throw await refusalOf(response);
}

interface Answer<Data> {
  data?: Data | null;
  errors?: Array<{
    message: string;
    extensions?: { errorCode?: string; pointer?: string; errors?: Fault[] };
  }>;
  message?: string;
}

const authorization = (token: string | null) => (token === null ? {} : { authorization: `Bearer ${token}` });

/**
 * Reads what GraphQL does not have: how people sign in, and the model.
 * @param path below the service
 * @throws Refusal
 */
export async function read<Data>(path: string, signal?: AbortSignal): Promise<Data> {
  const response = await fetch(new URL(path, SERVICE), {
    headers: authorization(tokenOf()),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, 'The service does not answer.');
  });
  if (!response.ok) throw await refusalOf(response);
  return (await response.json()) as Data;
}

async function refusalOf(response: Response): Promise<Refusal> {
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  return new Refusal(response.status, message ?? `The service answered ${response.status}.`);
}

/**
 * Runs an operation.
 * @param token another than the one that is kept
 * @throws Refusal
 */
export async function ask<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  { token = tokenOf(), signal }: { token?: string | null; signal?: AbortSignal } = {},
): Promise<Data> {
  const response = await fetch(ENDPOINT, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...authorization(token),
    },
    body: JSON.stringify({ query: document.toString(), variables }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, 'The service does not answer.');
  });
  const answer = (await response.json().catch(() => ({}))) as Answer<Data>;
  const error = answer.errors?.[0];
  const refused = error?.message ?? (response.ok ? undefined : answer.message);
  if (refused !== undefined) {
    const { errorCode, pointer, errors } = error?.extensions ?? {};
    const one = pointer === undefined ? [] : [{ pointer, message: refused }];
    throw new Refusal(response.status, refused, errors ?? one, errorCode);
  }
  if (!response.ok || !answer.data)
    throw new Refusal(response.status, `The service answered ${response.status}.`);
  return answer.data;
}
