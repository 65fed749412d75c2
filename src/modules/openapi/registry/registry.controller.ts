import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { CurrentPrincipal } from '../../auth/index.js';
import type { Query as QueryValues } from '../request/query.js';
import { RegistryService, type RegistryPage } from './registry.service.js';

/** `/openapi/v1/registry/models`: the entities and aspects that the service knows. */
@Controller('openapi/v1/registry/models')
export class RegistryController {
  constructor(private readonly registry: RegistryService) {}

  @Get('entity/specifications')
  @Documented({ summary: 'Lists the kinds of entities.' })
  entities(@CurrentPrincipal() principal: Principal, @Query() query: QueryValues): RegistryPage {
    return this.registry.entities(principal, readRange(query));
  }

  @Get('entity/specifications/:entity')
  @Documented({ summary: 'Describes one kind of entities.' })
  entity(@CurrentPrincipal() principal: Principal, @Param('entity') entity: string): object {
    return this.registry.entity(principal, entity);
  }

  @Get('entity/specifications/:entity/aspects')
  @Documented({ summary: 'Lists the aspects of one kind of entities.' })
  aspectsOf(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @Query() query: QueryValues,
  ): RegistryPage {
    return this.registry.aspectsOf(principal, entity, readRange(query));
  }

  @Get('aspect/specifications')
  @Documented({ summary: 'Lists the aspects.' })
  aspects(@CurrentPrincipal() principal: Principal, @Query() query: QueryValues): RegistryPage {
    return this.registry.aspects(principal, readRange(query));
  }

  @Get('aspect/specifications/:aspect')
  @Documented({ summary: 'Describes one aspect, with its JSON Schema.' })
  aspect(@CurrentPrincipal() principal: Principal, @Param('aspect') aspect: string): object {
    return this.registry.aspect(principal, aspect);
  }
}

function readRange(query: QueryValues): { start: number; count: number } {
  const parameters = Parameters.of(query, ['start', 'count']);
  return { start: parameters.integer('start') ?? 0, count: parameters.integer('count', 0, 1000) ?? 20 };
}
