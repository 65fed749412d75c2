import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { FirstUser } from './first-user.js';

/**
 * Access tokens in GraphQL, and who is calling. What tokens are and may do stands in `auth`, which GraphQL itself
 * needs.
 */
@Module({
  imports: [IngestModule],
  providers: [FirstUser, lazyResolvers(() => import('./token.resolver.js'))],
})
export class TokensModule {}
