import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';

/** The GraphQL side of authentication; apart, because the kit of GraphQL stands on the rest of this module. */
@Module({ providers: [lazyResolvers(() => import('./token.resolver.js'))] })
export class AuthGraphqlModule {}
