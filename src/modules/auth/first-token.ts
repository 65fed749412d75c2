import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SYSTEM_PRINCIPAL } from '../../catalog/auth/index.js';
import { AccessTokenRepository } from './access-token.repository.js';
import { ADMINISTRATOR, AUTH_OPTIONS, FIRST_TOKEN_ID, type AuthOptions } from './auth-options.js';
import { newToken, newTokenId } from './token.js';
import { TokenService } from './token.service.js';

const YEAR_MS = 365 * 86_400_000;

/** Gives a new catalog its first administrator, and says at each start how callers are told apart. */
@Injectable()
export class FirstToken implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(FirstToken.name);
  /** What is to be printed, and where the token lies, until the service listens. */
  private made: { text: string; path: string } | undefined;

  constructor(
    @Inject(AccessTokenRepository) private readonly tokens: AccessTokenRepository,
    @Inject(TokenService) private readonly service: TokenService,
    @Inject(AUTH_OPTIONS) private readonly options: AuthOptions,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { auth, role, adminToken, now = Date.now } = this.options;
    if (role === 'worker') return;
    if (auth === 'off') {
      this.logger.warn('CATALOG_AUTH=off: every caller of this service is an administrator');
      return;
    }
    if (adminToken !== undefined) {
      if (adminToken.length < 20) this.logger.warn('CATALOG_ADMIN_TOKEN is short enough to be guessed');
      return;
    }
    const { made, valid } = await this.tokens.administrators(now());
    if (made === 0) await this.make();
    else if (valid === 0) {
      this.logger.warn(
        'no administrator token is valid any more; make one with: npm run catalog -- tokens create --user admin --role ADMIN',
      );
    }
  }

  /** To be called when the service listens: prints the token that this start made. */
  announce(): void {
    if (this.made === undefined) return;
    const print = this.options.print ?? ((text: string) => void process.stdout.write(text));
    print(this.made.text);
    this.made = undefined;
  }

  /** A start that failed takes its token back, so that the next one makes and prints its own. */
  async beforeApplicationShutdown(): Promise<void> {
    if (this.made === undefined) return;
    await this.tokens.forget(FIRST_TOKEN_ID);
    await rm(this.made.path, { force: true });
    this.made = undefined;
  }

  private async make(): Promise<void> {
    const token = newToken();
    const path = join(this.options.home, 'admin-token');
    // The file stands before the row does: a crash in between leaves a useless file, not a lost administrator.
    const draft = `${path}.${newTokenId()}`;
    await mkdir(this.options.home, { recursive: true });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(`${token}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    const row = this.service.rowFor(FIRST_TOKEN_ID, token, SYSTEM_PRINCIPAL.actor, {
      actor: this.options.administrator ?? ADMINISTRATOR,
      role: 'ADMIN',
      name: 'first administrator token',
      durationMs: YEAR_MS,
    });
    const won = await this.tokens.insert(row);
    if (!won) {
      await rm(draft, { force: true });
      return;
    }
    await rename(draft, path);
    const end = new Date(row.expiresAt).toISOString().slice(0, 10);
    const said = `Administrator token, valid until ${end}, shown this once and kept in ${path}:`;
    this.made = { path, text: `${said}\n${token}\n` };
  }
}
