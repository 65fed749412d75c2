import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { CryptoKey, FlattenedJWSInput, JWSHeaderParameters } from 'jose';
import { CatalogError } from '../../../catalog/errors/index.js';

/** After so long the keys are read anew beside the requests, so that a withdrawn key is soon known. */
const REFRESH_MS = 10 * 60_000;
/** So long the keys are used while they cannot be read anew. */
const KEPT_MS = 60 * 60_000;
/** The least time from one reading to the next, whatever keys tokens name. */
const PAUSE_MS = 1_000;
const TIMEOUT_MS = 5_000;
const RETRY_AFTER_SECONDS = 5;

type FindKey = (header: JWSHeaderParameters, token: FlattenedJWSInput) => Promise<CryptoKey>;

/**
 * The keys of an issuer, found by its discovery document. They are read when the first token needs them, and again for a token that
 * names a key that is not among them: then the issuer may have rotated.
 */
export class Issuer {
  private readonly logger = new Logger(Issuer.name);
  private find: FindKey | undefined;
  private readAt = 0;
  /** How many readings were begun, and which of them was the last that succeeded. */
  private begun = 0;
  private succeeded = 0;
  private lastBegun = -Infinity;
  private lastFailed = -Infinity;
  private failing = false;
  private reading: Promise<void> | undefined;

  /**
   * @param url as tokens name it in `iss`
   * @param now milliseconds on a clock that is never set
   */
  constructor(
    private readonly url: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * The key that a token names.
   * @throws CatalogError SERVICE_UNAVAILABLE when the keys cannot be read; errors of `jose` when there is no such key
   */
  async key(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<CryptoKey> {
    const { begun } = this;
    const age = this.now() - this.readAt;
    if (this.find === undefined || age > KEPT_MS) await this.read();
    else if (age > REFRESH_MS) {
      const reading = this.read().catch(() => undefined);
      // Where no token came for long, the first one is not to be let in by a key that was withdrawn since.
      if (age > 2 * REFRESH_MS && !this.failing) await reading;
    }
    try {
      return await this.find!(header, token);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error;
    }
    // One that was under way when the token came may have been answered before the rotation.
    while (this.succeeded <= begun) await this.read();
    return this.find!(header, token);
  }

  /** Reads the keys; those who ask meanwhile share the reading. */
  private read(): Promise<void> {
    this.reading ??= this.readNow().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readNow(): Promise<void> {
    if (this.now() - this.lastFailed < PAUSE_MS) throw this.unavailable();
    const wait = this.lastBegun + PAUSE_MS - this.now();
    if (wait > 0) await pause(wait);
    const number = ++this.begun;
    this.lastBegun = this.now();
    try {
      this.find = await keysOf(this.url);
    } catch (error) {
      if (!this.failing)
        this.logger.warn(`the keys of the issuer ${this.url} cannot be read: ${reasonOf(error)}`);
      this.failing = true;
      this.lastFailed = this.now();
      throw this.unavailable(error);
    }
    if (this.failing) this.logger.warn(`the keys of the issuer ${this.url} can be read again`);
    this.failing = false;
    this.readAt = this.now();
    this.succeeded = number;
  }

  private unavailable(cause?: unknown): CatalogError {
    const message = 'the keys of the issuer of this token cannot be read: try again soon';
    return new CatalogError('SERVICE_UNAVAILABLE', message, [], { cause, retryAfter: RETRY_AFTER_SECONDS });
  }
}

async function keysOf(issuer: string): Promise<FindKey> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const response = await fetch(address, {
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'application/json' },
  });
  if (response.status !== 200) throw new Error(`${address} answers ${response.status}`);
  const { issuer: named, jwks_uri: keys } = (await response.json()) as Record<string, unknown>;
  if (named !== issuer) throw new Error(`${address} is of another issuer, ${JSON.stringify(named)}`);
  const { protocol } = new URL(issuer);
  if (typeof keys !== 'string' || URL.parse(keys)?.protocol !== protocol)
    throw new Error(`${address} has no "jwks_uri" with ${protocol}`);
  const { createRemoteJWKSet } = await import('jose');
  // It finds the key and keeps what it imported; when keys are read again is decided above.
  const found = createRemoteJWKSet(new URL(keys), {
    timeoutDuration: TIMEOUT_MS,
    cooldownDuration: Infinity,
    cacheMaxAge: Infinity,
  });
  await found.reload();
  return found;
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
