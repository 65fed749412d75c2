import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { RelationshipsModule } from '../relationships/index.js';

/** Checks of data and their results, in GraphQL. */
@Module({
  imports: [RelationshipsModule],
  providers: [lazyResolvers(() => import('./assertions.resolver.js'))],
})
export class AssertionsModule {}
