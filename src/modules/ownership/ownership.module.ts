import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { OwnershipService } from './ownership.service.js';

/** Who owns what. */
@Module({
  imports: [IngestModule],
  providers: [OwnershipService, lazyResolvers(() => import('./ownership.resolver.js'))],
})
export class OwnershipModule {}
