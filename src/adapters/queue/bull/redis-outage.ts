import { Logger } from '@nestjs/common';
import { LoggedError } from '../../../catalog/errors/index.js';

/** How often a Redis that is unavailable is asked whether it is back. */
const ASK_MS = 1000;
/** Other errors, of a Redis that answers, are logged this often. */
const COMPLAIN_MS = 30_000;

/** Logs that Redis is unavailable, once for each outage, and that it is available again. */
export class RedisOutage {
  private readonly logger = new Logger('Redis');
  private state: 'available' | 'asking' | 'away' | 'closed' = 'available';
  private complained = -Infinity;

  /** @param ping rejects when Redis does not answer, or answers with an error */
  constructor(private readonly ping: () => Promise<unknown>) {}

  /** Told of every error of a connection, or of Bull. Whether it is an outage, Redis is asked. */
  failed(error: Error): void {
    if (this.state === 'available') void this.ask(error);
  }

  close(): void {
    this.state = 'closed';
  }

  /** Resolves with what a command answers. @throws LoggedError in an outage */
  async during<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      // An answer of Redis that refuses the command says more than that it failed.
      if (!(error instanceof Error) || error.name === 'ReplyError') throw error;
      this.failed(error);
      throw new LoggedError(`Redis is unavailable: ${inWords(error)}`, { cause: error });
    }
  }

  private async ask(reason: Error): Promise<void> {
    this.state = 'asking';
    const refusal = await this.ping().then(
      () => undefined,
      (error: Error) => error,
    );
    if (this.over) return;
    if (refusal === undefined) {
      this.state = 'available';
      this.complain(reason);
      return;
    }
    this.state = 'away';
    const why = refusal.name === 'ReplyError' ? refusal : reason;
    this.logger.warn(
      `Redis (CATALOG_REDIS_URL) is unavailable: ${inWords(why)}. What it would carry waits in the database`,
    );
    this.askAgain();
  }

  private askAgain(): void {
    setTimeout(() => {
      this.ping().then(
        () => {
          if (this.over) return;
          this.state = 'available';
          this.logger.warn('Redis is available again');
        },
        () => this.over || this.askAgain(),
      );
    }, ASK_MS).unref();
  }

  private complain(error: Error): void {
    if (performance.now() - this.complained < COMPLAIN_MS) return;
    this.complained = performance.now();
    this.logger.warn(`Redis: ${inWords(error)}`);
  }

  private get over(): boolean {
    return this.state === 'closed';
  }
}

function inWords(error: Error): string {
  if (error.name === 'MaxRetriesPerRequestError') return 'it cannot be reached';
  return error.message || (error as NodeJS.ErrnoException).code || error.name;
}
