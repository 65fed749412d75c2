import { Controller, Param } from '@nestjs/common';
import type { Principal } from '../../../catalog/auth/index.js';
import type { ValuesOf } from '../../../catalog/route/index.js';
import { QueryOf, Serves } from '../../../routing/serves.js';
import { CurrentPrincipal } from '../../auth/index.js';
import {
  getAspectSpecification,
  getEntitySpecification,
  listAspectSpecifications,
  listAspectSpecificationsOfEntity,
  listEntitySpecifications,
} from './registry.routes.js';
import { RegistryService, type RegistryPage } from './registry.service.js';

/** `/openapi/v1/registry/models`: the entities and aspects that the service knows. */
@Controller()
export class RegistryController {
  constructor(private readonly registry: RegistryService) {}

  @Serves(listEntitySpecifications)
  entities(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(listEntitySpecifications) query: ValuesOf<typeof listEntitySpecifications>,
  ): RegistryPage {
    return this.registry.entities(principal, rangeOf(query));
  }

  @Serves(getEntitySpecification)
  entity(@CurrentPrincipal() principal: Principal, @Param('entity') entity: string): object {
    return this.registry.entity(principal, entity);
  }

  @Serves(listAspectSpecificationsOfEntity)
  aspectsOf(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entity: string,
    @QueryOf(listAspectSpecificationsOfEntity) query: ValuesOf<typeof listAspectSpecificationsOfEntity>,
  ): RegistryPage {
    return this.registry.aspectsOf(principal, entity, rangeOf(query));
  }

  @Serves(listAspectSpecifications)
  aspects(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(listAspectSpecifications) query: ValuesOf<typeof listAspectSpecifications>,
  ): RegistryPage {
    return this.registry.aspects(principal, rangeOf(query));
  }

  @Serves(getAspectSpecification)
  aspect(@CurrentPrincipal() principal: Principal, @Param('aspect') aspect: string): object {
    return this.registry.aspect(principal, aspect);
  }
}

function rangeOf({ start = 0, count = 20 }: ValuesOf<typeof listAspectSpecifications>) {
  return { start, count };
}
