import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
// @ts-expect-error It comes without types, and what is used of it is here.
import { errors, Provider } from 'oidc-provider';

/** What tokens of this provider are for. */
export const AUDIENCE = 'urn:example:catalog';
/** The public client that pages of the catalog sign in with. */
export const PAGE_CLIENT = 'catalog-pages';

/** What lives for ten minutes here. */
const LIFETIMES = ['AccessToken', 'ClientCredentials', 'Grant', 'IdToken', 'Interaction', 'Session'];

type Handler = (request: unknown, response: unknown) => void;

/**
 * The provider of the package `oidc-provider` on this machine: services get tokens by client credentials, people sign in on its
 * development pages, with any password. Who signs in as `ada` is in the group `catalog-editors`; so is the client `crawler`.
 */
export class IdentityProvider {
  private handler: Handler = () => undefined;
  private keys: JWK[] = [];
  private redirects: readonly string[] = ['http://127.0.0.1/'];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<IdentityProvider> {
    const server = createServer();
    // On a busy machine a connection would be closed while a request is on its way.
    server.keepAliveTimeout = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const provider = new IdentityProvider(server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => provider.handler(request, response));
    await provider.rotate();
    return provider;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** Signs with a new key from now on, and publishes the former one beside it. */
  async rotate(): Promise<void> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true });
    const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: `k${Date.now()}` };
    this.keys = [key, ...this.keys.slice(0, 1)];
    /* eslint-disable no-console -- It warns there that it is for tests. */
    const { warn } = console;
    console.warn = () => undefined;
    this.handler = new Provider(this.url, this.configuration()).callback();
    console.warn = warn;
    /* eslint-enable no-console */
  }

  /** Lets people sign in for pages at these addresses, to which they come back. */
  async serve(pages: readonly string[]): Promise<void> {
    this.redirects = pages;
    await this.rotate();
  }

  /** A token of a service, by client credentials. */
  async tokenOf(client: 'crawler' | 'reporter'): Promise<string> {
    const response = await fetch(`${this.url}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${client}:${secretOf(client)}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE }),
    });
    const { access_token: token, ...rest } = (await response.json()) as Record<string, string>;
    if (token === undefined) throw new Error(`no token: ${JSON.stringify(rest)}`);
    return token;
  }

  private configuration(): object {
    const service = (id: string) => ({
      client_id: id,
      client_secret: secretOf(id),
      grant_types: ['client_credentials'],
      response_types: [],
      redirect_uris: [],
    });
    return {
      jwks: { keys: this.keys },
      cookies: { keys: ['for tests'] },
      clients: [
        service('crawler'),
        service('reporter'),
        {
          client_id: PAGE_CLIENT,
          token_endpoint_auth_method: 'none',
          application_type: 'native',
          grant_types: ['authorization_code'],
          response_types: ['code'],
          redirect_uris: this.redirects,
        },
      ],
      clientBasedCORS: () => true,
      pkce: { required: () => true },
      ttl: Object.fromEntries(LIFETIMES.map((kind) => [kind, 600])),
      claims: { profile: ['preferred_username'] },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      extraTokenClaims: (_: unknown, { accountId, clientId }: { accountId?: string; clientId: string }) => ({
        ...(accountId !== undefined && { preferred_username: accountId }),
        groups: ['ada', 'crawler'].includes(accountId ?? clientId) ? ['staff', 'catalog-editors'] : ['staff'],
      }),
      features: {
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => AUDIENCE,
          useGrantedResource: () => true,
          getResourceServerInfo: (_: unknown, resource: string) => {
            if (resource !== AUDIENCE) throw new errors.InvalidTarget();
            return {
              scope: '',
              audience: AUDIENCE,
              accessTokenFormat: 'jwt',
              jwt: { sign: { alg: 'RS256' } },
            };
          },
        },
      },
    };
  }
}

export const secretOf = (client: string): string => `secret-of-${client}-0123456789abcdef`;
