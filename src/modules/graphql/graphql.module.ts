import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EntitiesModule } from '../entities/index.js';
import { GraphqlController } from './graphql.controller.js';
import { GraphqlService } from './graphql.service.js';
import { lazyResolvers } from './lazy.js';

/** The GraphQL surface. The engine behind its one endpoint starts with the first request. */
@Module({
  imports: [DiscoveryModule, EntitiesModule],
  controllers: [GraphqlController],
  providers: [GraphqlService, lazyResolvers(() => import('./entity.resolver.js'))],
})
export class GraphqlModule {}
