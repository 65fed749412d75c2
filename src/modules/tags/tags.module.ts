import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { OwnershipModule } from '../ownership/index.js';
import { TagsService } from './tags.service.js';

/** Tags, and where they are put. */
@Module({
  imports: [IngestModule, OwnershipModule],
  providers: [
    TagsService,
    lazyResolvers(() => import('./tags.resolver.js')),
    lazyResolvers(() => import('./tag-associations.resolver.js')),
  ],
})
export class TagsModule {}
