import { Inject, Injectable, Logger, Optional, type BeforeApplicationShutdown } from '@nestjs/common';
import { AuditLog } from '../../catalog/audit/index.js';
import { Meter, type Note } from '../../catalog/metrics/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';

/** Who sends an unknown token. */
const UNKNOWN_ACTOR = 'urn:li:corpuser:UNKNOWN';
/** For so long further refusals of one kind are counted, not recorded one by one. */
const WINDOW_MS = 60_000;
/** So many kinds are told apart within a window. */
const MOST_KINDS = 1_000;

/** A token that was refused, and whose it was where that is known. */
export interface Refusal {
  readonly reason:
    'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'TOKEN_REVOKED' | 'ROLE_MISSING' | 'CREDENTIALS_INVALID';
  /** Those of identity providers have no id. */
  readonly token?: { readonly id?: string; readonly actor: string } | undefined;
}

/**
 * Records refused tokens in the audit log: the first of an address at once, how many more there were within a minute after it.
 * So a client that tries for ever fills neither the disk nor the log.
 */
@Injectable()
export class RefusedTokens implements BeforeApplicationShutdown {
  private readonly logger = new Logger(RefusedTokens.name);
  private readonly counts = new Map<string, { refusal: Refusal; origin?: RequestOrigin; more: number }>();
  private timer: NodeJS.Timeout | undefined;

  /** Counts every one, also those that the audit log has as a number. */
  private readonly counter: Note | undefined;

  constructor(
    @Inject(AuditLog) private readonly audit: AuditLog,
    @Optional() @Inject(Meter) meter?: Meter,
  ) {
    this.counter = meter?.counter({
      name: 'catalog_refused_credentials_total',
      help: 'Tokens and passwords that were refused',
      labels: ['reason'],
    });
  }

  /** Resolves when it is recorded, or counted. A log that cannot be written does not let anybody in. */
  async note(refusal: Refusal, origin: RequestOrigin | undefined): Promise<void> {
    this.counter?.(1, { reason: refusal.reason });
    const full = this.counts.size >= MOST_KINDS;
    const key = full
      ? 'others'
      : `${origin?.address} ${refusal.reason} ${refusal.token?.id ?? refusal.token?.actor ?? ''}`;
    const counted = this.counts.get(key);
    if (counted !== undefined) {
      counted.more += 1;
      return;
    }
    this.counts.set(key, { refusal, more: 0, ...(origin && { origin }) });
    this.timer ??= setTimeout(() => void this.flush(), WINDOW_MS).unref();
    await this.record(refusal, origin, {});
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.flush();
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    const counted = [...this.counts.values()].filter(({ more }) => more > 0);
    this.counts.clear();
    await Promise.all(
      counted.map(({ refusal, origin, more }) => this.record(refusal, origin, { furtherRefusals: more })),
    );
  }

  private async record(
    { reason, token }: Refusal,
    origin: RequestOrigin | undefined,
    more: object,
  ): Promise<void> {
    const urn = token?.id && `urn:li:dataHubAccessToken:${token.id}`;
    const event = { type: 'FailedLogInEvent', ...(urn && { urn }), details: { reason, ...more } } as const;
    try {
      await this.audit.record({ actor: token?.actor ?? UNKNOWN_ACTOR, origin, events: [event] });
    } catch (error) {
      this.logger.warn(`a refused token could not be recorded: ${String(error)}`);
    }
  }
}
