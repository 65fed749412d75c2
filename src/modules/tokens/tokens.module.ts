import { Module } from '@nestjs/common';
import { IngestModule } from '../ingest/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { FirstUser } from './first-user.js';

/** Access tokens and the privileges of the caller, in GraphQL. The rules of tokens are in `auth`, which GraphQL itself needs. */
@Module({
  imports: [IngestModule],
  providers: [
    FirstUser,
    lazyResolvers(() => import('./token.resolver.js')),
    lazyResolvers(() => import('./privileges.resolver.js')),
  ],
})
export class TokensModule {}
