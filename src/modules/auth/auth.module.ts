import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessTokenRepository } from './access-token.repository.js';
import { AUTH_OPTIONS, type AuthOptions } from './auth-options.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { FirstToken } from './first-token.js';
import { JwtService } from './oidc/jwt.service.js';
import { SessionRepository } from './sessions/session.repository.js';
import { SessionService } from './sessions/session.service.js';
import { RefusedTokens } from './refused-tokens.js';
import { TokenExpiry } from './token-expiry.js';
import { TokenService } from './token.service.js';

/** Who is calling: access tokens, and the guard in front of every endpoint. Needs a provider of `Database`. */
@Module({})
export class AuthModule {
  static forRoot(options: AuthOptions): DynamicModule {
    return {
      module: AuthModule,
      global: true,
      providers: [
        { provide: AUTH_OPTIONS, useValue: options },
        AccessTokenRepository,
        RefusedTokens,
        TokenExpiry,
        TokenService,
        SessionRepository,
        SessionService,
        JwtService,
        BearerStrategy,
        BearerGuard,
        FirstToken,
        { provide: APP_GUARD, useExisting: BearerGuard },
      ],
      exports: [TokenService, SessionService, JwtService, BearerGuard, AccessTokenRepository, RefusedTokens],
    };
  }
}
