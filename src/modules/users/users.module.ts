import { Module } from '@nestjs/common';
import { EntitiesModule } from '../entities/index.js';
import { lazyResolvers } from '../graphql/lazy.js';
import { IngestModule } from '../ingest/index.js';
import { SearchModule } from '../search/index.js';
import { ClaimedGroups } from './claimed-groups.js';
import { GroupsService } from './groups.service.js';
import { StepStatesService } from './step-states.service.js';
import { UsersService } from './users.service.js';

/** Users and groups: what people say about them, who is in which group, and what users have chosen. */
@Module({
  imports: [EntitiesModule, IngestModule, SearchModule],
  providers: [
    UsersService,
    GroupsService,
    ClaimedGroups,
    StepStatesService,
    lazyResolvers(() => import('./users.resolver.js')),
    lazyResolvers(() => import('./step-states.resolver.js')),
  ],
})
export class UsersModule {}
