import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { OwnershipModule } from '../ownership/index.js';
import { SearchModule } from '../search/index.js';
import { DisplayPropertiesService } from './display-properties.service.js';
import { DomainAssignmentService } from './domain-assignment.service.js';
import { LevelListsService } from './level-lists.service.js';
import { NamesService } from './names.service.js';
import { RelatedTermsService } from './related-terms.service.js';
import { TreeService } from './tree.service.js';

/** Glossary terms and where they are attached, the folders they lie in, and domains: the order that people bring into the catalog. */
@Module({
  imports: [EntitiesModule, IngestModule, OwnershipModule, SearchModule],
  providers: [
    TreeService,
    NamesService,
    RelatedTermsService,
    LevelListsService,
    DomainAssignmentService,
    DisplayPropertiesService,
    lazyResolvers(() => import('./glossary.resolver.js')),
    lazyResolvers(() => import('./term-associations.resolver.js')),
    lazyResolvers(() => import('./domains.resolver.js')),
    lazyResolvers(() => import('./domain-members.resolver.js')),
    lazyResolvers(() => import('./display-properties.resolver.js')),
    lazyResolvers(() => import('./node-children.resolver.js')),
  ],
})
export class GlossaryModule {}
