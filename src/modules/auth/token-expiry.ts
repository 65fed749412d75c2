import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AccessTokenRepository } from './access-token.repository.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth-options.js';

const EVERY_MS = 60_000;
/** Tokens of one transaction. */
const SLICE = 500;

/** Records in the audit log that tokens have expired, within a minute. */
@Injectable()
export class TokenExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenExpiry.name);
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;

  constructor(
    @Inject(AccessTokenRepository) private readonly tokens: AccessTokenRepository,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  onApplicationBootstrap(): void {
    if (this.options.role === 'api') return;
    this.timer = setInterval(() => {
      this.running ??= this.sweep((this.options.now ?? Date.now)())
        .catch((error: unknown) => this.logger.warn(`expired tokens could not be recorded: ${String(error)}`))
        .finally(() => (this.running = undefined));
    }, EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  /** Records what has expired until now. */
  async sweep(now: number): Promise<void> {
    while ((await this.tokens.noteExpired(now, SLICE)) === SLICE);
  }
}
