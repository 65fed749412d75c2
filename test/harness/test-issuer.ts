import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

interface Key {
  readonly kid: string;
  readonly algorithm: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An identity provider as a resource server sees it: a discovery document, keys, and the tokens that it signs. */
export class TestIssuer {
  /** What was asked for, in order. */
  readonly asked: string[] = [];
  /** Set to have every request refused with this status. */
  broken: number | undefined;
  /** What the discovery document says instead. */
  discovery: Record<string, unknown> = {};
  /** Whether keys are published with their ids. */
  withIds = true;
  private keys: Key[] = [];
  private made = 0;

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<TestIssuer> {
    const server = createServer();
    // On a busy machine a connection would be closed while a request is on its way.
    server.keepAliveTimeout = 0;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = new TestIssuer(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`);
    server.on('request', ({ url = '' }, response) => {
      issuer.asked.push(url);
      const body = issuer.answers()[url];
      response.writeHead(issuer.broken ?? (body === undefined ? 404 : 200), {
        'content-type': 'application/json',
        connection: 'close',
      });
      response.end(JSON.stringify(body ?? {}));
    });
    await issuer.rotate();
    return issuer;
  }

  /** What no longer listens can be reached no more. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  /** Signs with a new key from now on. @param keep whether the former ones are still published */
  async rotate(algorithm = 'ES256', keep = false): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const kid = `key-${(this.made += 1)}`;
    const jwk = { ...(await exportJWK(publicKey)), alg: algorithm, use: 'sig', kid };
    this.keys = [{ kid, algorithm, privateKey, jwk }, ...(keep ? this.keys : [])];
  }

  /** The public key that it signs with, as it is published. */
  get jwk(): JWK {
    return this.keys[0]!.jwk;
  }

  /** A token with claims beside those that it must have; undefined leaves one out. */
  async token(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}): Promise<string> {
    const { kid, algorithm, privateKey } = this.keys[0]!;
    const now = Math.floor(Date.now() / 1000);
    const all = { iss: this.url, aud: 'catalog', sub: 'user-1', iat: now, exp: now + 300, ...claims };
    const alg = { alg: algorithm, ...(this.withIds && { kid }), ...header };
    return new SignJWT(all).setProtectedHeader(alg).sign(privateKey);
  }

  private answers(): Record<string, unknown> {
    const keys = this.keys.map(({ jwk: { kid, ...jwk } }) => (this.withIds ? { ...jwk, kid } : jwk));
    return {
      '/realm/.well-known/openid-configuration': {
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        ...this.discovery,
      },
      '/realm/keys': { keys },
    };
  }
}
