import { Controller, Get, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { Parameters } from '../../catalog/restli/index.js';
import { CurrentPrincipal } from '../auth/index.js';
import { ListQuery } from '../entities/index.js';
import { DIRECTIONS, type EdgeQuery } from './relationship.js';
import { RelationshipNames } from './relationship-names.js';
import { RelationshipsService } from './relationships.service.js';

type Query = Record<string, unknown>;

/** The two doors to relationships: one of the aspect API, one of the OpenAPI. */
@Controller()
export class RelationshipsController {
  constructor(
    private readonly service: RelationshipsService,
    private readonly names: RelationshipNames,
  ) {}

  @Get('relationships')
  @Documented({
    summary: 'Lists the neighbours of an entity.',
    parameters: {
      urn: 'URN of the entity',
      direction: 'INCOMING or OUTGOING',
      types: 'List(<relationship>,...) or repeated; all when absent',
      start: 'default 0',
      count: 'default 100',
    },
    answer: '{start, count, total, entities: [urn], relationships: [{type, entity}]}',
  })
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Query,
    @ListQuery('types') types: string[] | undefined,
  ): Promise<object> {
    this.names.check(types ?? [], (i) => `/types/${i}`);
    const { start, total, relationships } = await this.service.page(principal, edgeQuery(query, types, 100));
    const entities = [...new Set(relationships.map((r) => r.entity))];
    return { start, count: relationships.length, total, entities, relationships };
  }

  @Get('openapi/relationships/v1')
  @Documented({
    summary: 'Lists the neighbours of an entity, each with its relationship.',
    parameters: {
      urn: 'URN of the entity',
      direction: 'INCOMING or OUTGOING',
      relationshipTypes: 'repeated, or List(<relationship>,...); all when absent',
      start: 'default 0',
      count: 'default 200',
    },
    answer: '{start, count, total, entities: [{urn, relationshipType}]}',
  })
  async listV1(
    @CurrentPrincipal() principal: Principal,
    @Query() query: Query,
    @ListQuery('relationshipTypes') types: string[] | undefined,
  ): Promise<object> {
    this.names.check(types ?? [], (i) => `/relationshipTypes/${i}`);
    const { start, total, relationships } = await this.service.page(principal, edgeQuery(query, types, 200));
    const entities = relationships.map((r) => ({ urn: r.entity, relationshipType: r.type }));
    // Clients add `count` to `start` until it is 0, so it must be the number in this answer.
    return { start, count: entities.length, total, entities };
  }
}

function edgeQuery(query: Query, types: string[] | undefined, defaultCount: number): EdgeQuery {
  const parameters = Parameters.of(query);
  const direction = parameters.word('direction', DIRECTIONS);
  if (direction === undefined) {
    throw refuse(
      'PARAMETER_MISSING',
      `the parameter "direction" is missing: ${DIRECTIONS.join(' or ')}`,
      '/direction',
    );
  }
  return {
    urn: parameters.text('urn'),
    direction,
    types,
    start: parameters.integer('start') ?? 0,
    count: parameters.integer('count') ?? defaultCount,
  };
}
