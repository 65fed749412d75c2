import { Module } from '@nestjs/common';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { LabelsService } from './labels.service.js';

/** Tags and glossary terms on entities and columns. */
@Module({
  imports: [IngestModule],
  providers: [
    LabelsService,
    lazyResolvers(() => import('./tag-labels.resolver.js')),
    lazyResolvers(() => import('./term-labels.resolver.js')),
  ],
})
export class LabelsModule {}
