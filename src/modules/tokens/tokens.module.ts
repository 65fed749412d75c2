import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';

/**
 * Access tokens in GraphQL, and who is calling. What tokens are and may do stands in `auth`, which GraphQL itself
 * needs.
 */
@Module({ providers: [lazyResolvers(() => import('./token.resolver.js'))] })
export class TokensModule {}
