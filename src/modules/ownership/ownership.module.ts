import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { OwnerRules } from './owner-rules.js';
import { OwnerTypesCompletion } from './owner-types.completion.js';
import { OwnershipTypesService } from './ownership-types.service.js';
import { OwnershipService } from './ownership.service.js';

/** Who owns what. */
@Module({
  imports: [IngestModule, SearchModule],
  providers: [
    OwnerRules,
    OwnerTypesCompletion,
    OwnershipService,
    OwnershipTypesService,
    lazyResolvers(() => import('./ownership.resolver.js')),
    lazyResolvers(() => import('./ownership-types.resolver.js')),
  ],
  exports: [OwnerRules],
})
export class OwnershipModule {}
