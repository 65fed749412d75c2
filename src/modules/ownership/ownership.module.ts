import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { OwnerTypesCompletion } from './owner-types.completion.js';
import { OwnershipService } from './ownership.service.js';

/** Who owns what. */
@Module({
  imports: [IngestModule],
  providers: [OwnerTypesCompletion, OwnershipService, lazyResolvers(() => import('./ownership.resolver.js'))],
})
export class OwnershipModule {}
