import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { TreesModule } from '../trees/index.js';
import { DomainAssignmentService } from './domain-assignment.service.js';

/** Domains, and what belongs to them. */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule, TreesModule],
  providers: [
    DomainAssignmentService,
    lazyResolvers(() => import('./domains.resolver.js')),
    lazyResolvers(() => import('./domain-members.resolver.js')),
  ],
})
export class DomainsModule {}
