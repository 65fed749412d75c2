import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicJob } from '../../catalog/schedule/index.js';
import { AccessTokenRepository } from './access-token.repository.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth-options.js';

const EVERY_MS = 60_000;
/** Tokens of one transaction. */
const SLICE = 500;

/** Records in the audit log that tokens have expired, within a minute. */
@Injectable()
export class TokenExpiry implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(TokenExpiry.name);
  private readonly job = new PeriodicJob(
    () => this.sweep((this.options.now ?? Date.now)()),
    (error) => this.logger.warn(`expired tokens could not be recorded: ${String(error)}`),
  );

  constructor(
    @Inject(AccessTokenRepository) private readonly tokens: AccessTokenRepository,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  onApplicationBootstrap(): void {
    if (this.options.role !== 'api') this.job.start(EVERY_MS);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.job.stop();
  }

  /** Records what has expired until now. */
  async sweep(now: number): Promise<void> {
    while ((await this.tokens.noteExpired(now, SLICE)) === SLICE);
  }
}
