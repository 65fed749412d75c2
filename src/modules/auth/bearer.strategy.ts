import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import type { Principal } from '../../catalog/auth/index.js';
import type { RequestOrigin } from '../../catalog/schedule/index.js';
import { JwtService } from './oidc/jwt.service.js';
import { TokenService } from './token.service.js';

let instances = 0;

/** Passport's bearer strategy over the tokens of this service, and those of identity providers. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) implements OnApplicationShutdown {
  /** Passport keeps strategies by name and per process; two applications in one must not share theirs. */
  override readonly name = `bearer-${++instances}`;

  constructor(
    @Inject(TokenService) private readonly tokens: TokenService,
    @Inject(JwtService) private readonly jwts: JwtService,
  ) {
    super({ passReqToCallback: true });
    passport.use(this.name, this as unknown as passport.Strategy);
  }

  /** What Passport keeps would keep the whole application. */
  onApplicationShutdown(): void {
    passport.unuse(this.name);
  }

  /** @param call what the guard gives of a request */
  validate(call: { origin?: RequestOrigin }, token: string): Promise<Principal> {
    // The administrator token of the configuration may look like anything.
    const ofProvider = this.jwts.takes(token) && this.tokens.known(token) === undefined;
    return ofProvider ? this.jwts.verify(token, call.origin) : this.tokens.verify(token, call.origin);
  }
}
