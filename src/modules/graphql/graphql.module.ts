import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { EntitiesModule } from '../entities/index.js';
import { GraphqlController } from './graphql.controller.js';
import { GraphqlEndpoint } from './graphql.endpoint.js';
import { GraphqlService } from './graphql.service.js';
import { GraphqlPreparation, lazyResolvers } from './lazy.js';
import { GRAPHQL_LIMITS, type GraphqlLimits } from './limits.js';
import { PlaygroundController } from './playground.controller.js';

/** The GraphQL surface. The engine behind its one endpoint starts with the first request. */
@Module({})
export class GraphqlModule {
  static with(limits: GraphqlLimits): DynamicModule {
    return {
      module: GraphqlModule,
      global: true,
      imports: [DiscoveryModule, EntitiesModule],
      controllers: [GraphqlController, PlaygroundController],
      providers: [
        { provide: GRAPHQL_LIMITS, useValue: limits },
        GraphqlService,
        GraphqlEndpoint,
        { provide: GraphqlPreparation, useExisting: GraphqlService },
        lazyResolvers(() => import('./entity.resolver.js')),
        lazyResolvers(() => import('./last-ingested.resolver.js')),
        lazyResolvers(() => import('./app-config.resolver.js')),
      ],
      exports: [GraphqlService, GraphqlPreparation],
    };
  }
}
