import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { OwnershipModule } from '../ownership/index.js';
import { DisplayPropertiesService } from './display-properties.service.js';
import { LevelListsService } from './level-lists.service.js';
import { NamesService } from './names.service.js';
import { TreeService } from './tree.service.js';

/** What glossary terms, their folders and domains share: each has a place in a tree, a name, a colour and an icon. */
@Module({
  imports: [EntitiesModule, IngestModule, OwnershipModule],
  providers: [
    TreeService,
    LevelListsService,
    NamesService,
    DisplayPropertiesService,
    lazyResolvers(() => import('./names.resolver.js')),
    lazyResolvers(() => import('./display-properties.resolver.js')),
  ],
  exports: [TreeService, LevelListsService],
})
export class TreesModule {}
