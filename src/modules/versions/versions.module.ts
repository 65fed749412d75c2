import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { LatestVersionEffect } from './latest-version.effect.js';
import { VersionsService } from './versions.service.js';

/** Sets of entities that are versions of one another. */
@Module({
  imports: [EntitiesModule, IngestModule],
  providers: [VersionsService, LatestVersionEffect, lazyResolvers(() => import('./versions.resolver.js'))],
})
export class VersionsModule {}
