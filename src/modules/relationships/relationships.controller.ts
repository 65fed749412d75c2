import { Controller } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import type { ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { RelationshipNames } from './relationship-names.js';
import { getRelationships, listNeighboursV1 } from './relationships.routes.js';
import { RelationshipsService } from './relationships.service.js';

/** The two endpoints for the neighbours of an entity: one of the aspect API, one of the OpenAPI. */
@Controller()
export class RelationshipsController {
  constructor(
    private readonly service: RelationshipsService,
    private readonly names: RelationshipNames,
  ) {}

  @Serves(getRelationships)
  async list(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(getRelationships) values: ValuesOf<typeof getRelationships>,
  ): Promise<object> {
    const { types, start: from = 0, count = 100, ...rest } = values;
    this.names.check(types ?? [], (i) => `/types/${i}`);
    const page = await this.service.pageWithColumns(principal, { ...rest, types, start: from, count });
    const { start, total, relationships } = page;
    const entities = [...new Set(relationships.map((r) => r.entity))];
    return { start, count: relationships.length, total, entities, relationships };
  }

  @Serves(listNeighboursV1)
  async listV1(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(listNeighboursV1) values: ValuesOf<typeof listNeighboursV1>,
  ): Promise<object> {
    const { relationshipTypes: types, start: from = 0, count = 200, ...rest } = values;
    this.names.check(types ?? [], (i) => `/relationshipTypes/${i}`);
    const page = await this.service.pageWithColumns(principal, { ...rest, types, start: from, count });
    const { start, total, relationships } = page;
    const entities = relationships.map((r) => ({ urn: r.entity, relationshipType: r.type }));
    // Clients add `count` to `start` until it is 0, so it must be the number in this answer.
    return { start, count: entities.length, total, entities };
  }
}
