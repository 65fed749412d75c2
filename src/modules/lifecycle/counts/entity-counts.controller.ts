import { Controller, Param } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import { refuse } from '../../../catalog/errors/index.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal } from '../../auth/index.js';
import { countEntities, countEntitiesOfType } from './entity-counts.routes.js';
import { EntityCountService, type EntityCount } from './entity-count.service.js';

/** `/openapi/v1/entities`: counts by type. */
@Controller()
export class EntityCountsController {
  constructor(private readonly service: EntityCountService) {}

  @Serves(countEntities)
  async counts(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(countEntities) values: ValuesOf<typeof countEntities>,
  ): Promise<object> {
    const { types, includeTotal: total = false, groupBy } = values;
    if (groupBy !== undefined)
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

  @Serves(countEntitiesOfType)
  async count(
    @CurrentPrincipal() principal: Principal,
    @Param('entityType') entityType: string,
    @QueryOf(countEntitiesOfType) { includeTotal: total = false }: ValuesOf<typeof countEntitiesOfType>,
  ): Promise<object> {
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
