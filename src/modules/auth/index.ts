export { AuthModule } from './auth.module.js';
export { AccessTokenRepository } from './access-token.repository.js';
export type { AuthOptions } from './auth-options.js';
export { BearerGuard } from './bearer.guard.js';
export { CurrentPrincipal } from './current-principal.decorator.js';
export { AccessTokenRow } from './entities/access-token.row.js';
export { Public } from './public.decorator.js';
export type { AuthenticatedRequest } from './request-of.js';
export { TokenService, type TokenInfo, type TokenRequest } from './token.service.js';
