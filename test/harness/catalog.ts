import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { readConfiguration, type Configuration } from '../../src/config/configuration.js';
import type { Role } from '../../src/catalog/auth/index.js';
import { AccessTokenRepository, TokenService } from '../../src/modules/auth/index.js';
import { newToken, newTokenId } from '../../src/modules/auth/token.js';
import { RemovalStep } from '../../src/modules/structured-properties/removal/removal.step.js';
import { startApplication } from '../../src/start-application.js';
import { checkRefusal } from './refusals.js';
import { stackOf, stackPlace, type StackPlace } from './stack.js';

export const ADMIN_TOKEN = 'test-administrator-token-0123456789abcdef';

/**
 * Beside other tests and their servers, what takes its time is no sign of too many requests, or of costly ones. These limits
 * have tests of their own.
 */
export const PATIENT = {
  CATALOG_SHED_DELAY_MS: '60000',
  CATALOG_SEARCH_TIMEOUT_MS: '100000',
  CATALOG_GRAPHQL_TIMEOUT_MS: '120000',
};

const ADMINISTRATOR = { actor: 'urn:li:corpuser:admin', role: 'ADMIN' } as const;

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON where the answer is JSON, else the text. */
  body: any;
  text: string;
}

/** Status of an answer, or that of the error that GraphQL has in it. */
export const statusOf = ({ status, body }: Answer): number => body?.errors?.[0]?.extensions?.code ?? status;

/** What a catalog leaves behind: its data folder, and its place on the servers of the stack profile. */
const places = new Map<string, StackPlace>();

/** A running catalog, and the words that tests speak with it. Everything goes over HTTP. */
export class TestCatalog {
  private constructor(
    readonly home: string,
    readonly configuration: Configuration,
    private readonly application: Awaited<ReturnType<typeof startApplication>>,
    readonly url: string,
  ) {}

  /**
   * Starts the service in this process, on the profile of TEST_PROFILE: everything embedded, or on real servers with a
   * database of its own. `home` continues with an older folder, and with what belongs to it on the servers.
   */
  static async start(environment: Record<string, string> = {}, home?: string): Promise<TestCatalog> {
    const folder = home ?? (await mkdtemp(join(tmpdir(), 'catalog-e2e-')));
    const configuration = readConfiguration({
      CATALOG_HOME: folder,
      CATALOG_ADMIN_TOKEN: ADMIN_TOKEN,
      CATALOG_LOG_LEVEL: 'silent',
      PORT: '0',
      HOST: '127.0.0.1',
      ...PATIENT,
      ...(await placeOf(folder)),
      ...environment,
    });
    const application = await startApplication(configuration);
    const url = (await application.getUrl()).replace('[::1]', '127.0.0.1');
    return new TestCatalog(folder, configuration, application, url);
  }

  /** Stops the service; what it stored is removed unless it is to be continued with. */
  async stop(options: { keepHome?: boolean } = {}): Promise<void> {
    await this.application.close();
    if (!options.keepHome) await removeHome(this.home);
  }

  /** A token as the service issues them; a duration below zero makes one that has ended already. */
  async issueToken(
    request: { user?: string; role?: Role; durationMs?: number | 'never' } = {},
  ): Promise<{ id: string; token: string }> {
    const { user = 'ann', role = 'EDITOR', durationMs = 3_600_000 } = request;
    const [id, token] = [newTokenId(), newToken()];
    const asked = { actor: `urn:li:corpuser:${user}`, role, name: 'test', durationMs };
    const row = this.application
      .get(TokenService, { strict: false })
      .rowFor(id, token, ADMINISTRATOR.actor, asked);
    await this.application.get(AccessTokenRepository, { strict: false }).insert(row);
    return { id, token };
  }

  /** What the part of the system update about structured properties reports. */
  async checkRemovals(): Promise<string[]> {
    const lines: string[] = [];
    await this.application.get(RemovalStep, { strict: false }).run((line) => lines.push(line));
    return lines;
  }

  /** A part of the running service, for tests that watch what it does. */
  provider<T>(type: abstract new (...args: never[]) => T): T {
    return this.application.get<T>(type, { strict: false });
  }

  async revokeToken(id: string): Promise<void> {
    await this.application.get(TokenService, { strict: false }).revoke(ADMINISTRATOR, id);
  }

  async request(
    method: string,
    path: string,
    options: {
      body?: unknown;
      raw?: string | Uint8Array;
      token?: string | null;
      headers?: Record<string, string>;
    } = {},
  ): Promise<Answer> {
    const token = options.token === undefined ? ADMIN_TOKEN : options.token;
    const body = options.raw ?? (options.body === undefined ? null : JSON.stringify(options.body));
    const answer = await send(new URL(this.url + path), method, body, {
      'x-restli-protocol-version': '2.0.0',
      'content-type': 'application/json',
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    });
    const sent = typeof body === 'string' ? body : Buffer.from(body ?? []).toString('latin1');
    // Every refusal that any test meets is read: none may tell of the insides of the service.
    if (answer.status >= 400 || Array.isArray(answer.body?.errors))
      checkRefusal({ request: `${method} ${path} ${sent}`, status: answer.status, body: answer.body });
    return answer;
  }

  get(
    path: string,
    options: { token?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return this.request('GET', path, options);
  }

  post(
    path: string,
    body: unknown,
    options: { token?: string | null; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    return this.request('POST', path, { body, ...options });
  }

  /** Proposes one change and answers what came back. */
  propose(
    entityUrn: string,
    aspectName: string,
    value?: unknown,
    more: Record<string, unknown> = {},
  ): Promise<Answer> {
    return this.post('/aspects?action=ingestProposal', {
      proposal: proposal(entityUrn, aspectName, value, more),
    });
  }

  /** Writes aspects, all in one batch, and fails when they are refused. */
  async ingest(...aspects: Array<[urn: string, aspect: string, value: unknown]>): Promise<void> {
    const answer = await this.post('/aspects?action=ingestProposalBatch', {
      proposals: aspects.map(([urn, aspect, value]) => proposal(urn, aspect, value)),
    });
    if (answer.status !== 200) throw new Error(`ingest was refused: ${answer.text}`);
  }

  /** The latest value of an aspect; undefined when there is none. */
  async read(urn: string, aspect: string): Promise<any> {
    const answer = await this.get(`/entitiesV2/${encodeURIComponent(urn)}?aspects=List(${aspect})`);
    return answer.status === 404 ? undefined : answer.body.aspects[aspect]?.value;
  }

  /** What `entities?action=search` puts under `value`. */
  async search(entity: string, input: string, more: Record<string, unknown> = {}): Promise<any> {
    const answer = await this.post('/entities?action=search', {
      entity,
      input,
      start: 0,
      count: 10,
      ...more,
    });
    if (answer.status !== 200) throw new Error(`search was refused: ${answer.text}`);
    return answer.body.value;
  }
}

/** Settings that lead to the place of a data folder on the servers; none on the embedded profile. */
export async function placeOf(home: string): Promise<Record<string, string>> {
  const stack = stackOf();
  if (stack === undefined) return {};
  let place = places.get(home);
  if (place === undefined) places.set(home, (place = await stackPlace(stack)));
  return place.environment;
}

/** Removes a folder, and what belongs on the servers to the data folders in it. */
export async function removeHome(folder: string): Promise<void> {
  for (const [home, place] of places) {
    if (home !== folder && !home.startsWith(folder + sep)) continue;
    places.delete(home);
    await place.drop();
  }
  await rm(folder, { recursive: true, force: true });
}

/** Sends a request. The client of Node costs a third of what `fetch` does, and a test run makes a hundred thousand calls. */
export async function send(
  url: URL,
  method: string,
  body: string | Uint8Array | null,
  headers: Record<string, string>,
): Promise<Answer> {
  const chunks: Buffer[] = [];
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === null ? {} : { 'content-length': Buffer.byteLength(body) };
    const call = request(url, { method, headers: { accept: '*/*', ...headers, ...length } });
    call.on('error', reject);
    call.on('response', (answer) => {
      answer.on('error', reject);
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => resolve(answer));
    });
    call.end(body ?? undefined);
  });
  return answerOf(response, UTF8.decode(Buffer.concat(chunks)));
}

const UTF8 = new TextDecoder();

function answerOf(response: IncomingMessage, text: string): Answer {
  const json = /[/+]json\b/.test(response.headers['content-type'] ?? '') && text !== '';
  let headers: Headers | undefined;
  return {
    status: response.statusCode!,
    text,
    body: json ? JSON.parse(text) : text,
    // Few tests look at them.
    get headers() {
      return (headers ??= headersOf(response));
    },
  };
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let i = 0; i < rawHeaders.length; i += 2) headers.append(rawHeaders[i]!, rawHeaders[i + 1]!);
  return headers;
}

/** A proposal as clients send it. */
export function proposal(
  entityUrn: string,
  aspectName: string,
  value?: unknown,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    entityType: entityUrn.split(':')[2],
    entityUrn,
    changeType: 'UPSERT',
    aspectName,
    ...(value === undefined
      ? {}
      : { aspect: { value: JSON.stringify(value), contentType: 'application/json' } }),
    ...more,
  };
}
