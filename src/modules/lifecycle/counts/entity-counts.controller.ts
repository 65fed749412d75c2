import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import { Documented } from '../../../catalog/extension/documented.js';
import { Parameters } from '../../../catalog/restli/index.js';
import { CurrentPrincipal } from '../../auth/index.js';
import { ListQuery } from '../../entities/index.js';
import { EntityCountService, type EntityCount } from './entity-count.service.js';

type Query = Record<string, unknown>;

/** `/openapi/v1/entities`: counts by type. */
@Controller('openapi/v1/entities')
export class EntityCountsController {
  constructor(private readonly service: EntityCountService) {}

  @Get('counts')
  @Documented({
    summary: 'Counts the entities of several types.',
    parameters: {
      types: 'repeated, List(<type>,...) or separated by commas; all types when absent',
      includeTotal: 'true to add sums',
    },
    answer:
      '{counts: [{entityType, keyAspect, activeCount, softDeletedCount}], requestedTypes, computedAtMillis}',
  })
  async counts(
    @CurrentPrincipal() principal: Principal,
    @ListQuery('types') types: string[] | undefined,
    @Query() query: Query,
  ): Promise<object> {
    const parameters = Parameters.of(query);
    const total = parameters.flag('includeTotal') ?? false;
    parameters.flag('skipCache');
    if (parameters.get('groupBy') !== undefined)
      throw refuse('PARAMETER_INVALID', 'counts can only be had by type', '/groupBy');
    const names = types?.flatMap((name) => name.split(','));
    const counts = await this.service.counts(principal, names, () => '/types');
    return {
      counts: counts.map((count) => countAnswer(count, total)),
      requestedTypes: counts.map(({ entity }) => entity.name),
      ...(total && {
        activeTotal: sum(counts, 'active'),
        softDeletedTotal: sum(counts, 'softDeleted'),
        totalCount: sum(counts, 'active') + sum(counts, 'softDeleted'),
      }),
      computedAtMillis: Date.now(),
      cacheHit: false,
    };
  }

  @Get(':entityType/count')
  @Documented({
    summary: 'Counts the entities of one type.',
    parameters: { entityType: 'name of the entity', includeTotal: 'true to add the sum' },
    answer: '{entityType, keyAspect, activeCount, softDeletedCount, computedAtMillis}',
  })
  async count(
    @CurrentPrincipal() principal: Principal,
    @Param('entityType') entityType: string,
    @Query() query: Query,
  ): Promise<object> {
    const parameters = Parameters.of(query);
    const total = parameters.flag('includeTotal') ?? false;
    parameters.flag('skipCache');
    const counts = await this.service.counts(principal, [entityType], () => '/entityType');
    return {
      ...counts.map((count) => countAnswer(count, total))[0],
      computedAtMillis: Date.now(),
      cacheHit: false,
    };
  }
}

function countAnswer({ entity, active, softDeleted }: EntityCount, total: boolean): object {
  return {
    entityType: entity.name,
    keyAspect: entity.key.name,
    activeCount: active,
    softDeletedCount: softDeleted,
    ...(total && { totalCount: active + softDeleted }),
  };
}

function sum(counts: readonly EntityCount[], which: 'active' | 'softDeleted'): number {
  return counts.reduce((total, count) => total + count[which], 0);
}
