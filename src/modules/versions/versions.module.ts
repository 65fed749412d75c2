import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { LatestVersionEffect } from './latest-version.effect.js';
import { SetMembers } from './set-members.js';
import { DeletedSetEffect, WrittenSetEffect } from './version-set.effects.js';
import { VersionsService } from './versions.service.js';

/** Sets of entities that are versions of one another. */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule],
  providers: [
    VersionsService,
    SetMembers,
    LatestVersionEffect,
    DeletedSetEffect,
    WrittenSetEffect,
    lazyResolvers(() => import('./versions.resolver.js')),
    lazyResolvers(() => import('./versions-search.resolver.js')),
  ],
})
export class VersionsModule {}
