import { Injectable } from '@nestjs/common';
import { authorize, type Principal } from '../../catalog/auth/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { turn } from '../../catalog/schedule/index.js';
import { RelationshipRepository } from './relationship.repository.js';
import {
  MAX_PAGE,
  type EdgeQuery,
  type NeighboursPage,
  type NeighboursQuery,
  type Relationship,
} from './relationship.js';

interface RelationshipPage {
  start: number;
  total: number;
  relationships: Relationship[];
}

/** The relationships of an entity, in both directions. An unknown entity has none. */
@Injectable()
export class RelationshipsService {
  constructor(private readonly repository: RelationshipRepository) {}

  async page(principal: Principal, query: EdgeQuery): Promise<RelationshipPage> {
    authorize(principal, 'read');
    const urn = toUrn(query.urn, '/urn').text;
    await turn();
    const found = await this.repository.page({ ...query, urn, count: Math.min(query.count, MAX_PAGE) });
    return { start: query.start, ...found };
  }

  /** Neighbours of several entities, a page of each, by one statement. */
  async pages(principal: Principal, query: NeighboursQuery): Promise<Map<string, NeighboursPage>> {
    authorize(principal, 'read');
    await turn();
    return this.repository.pages({ ...query, count: Math.min(query.count, MAX_PAGE) });
  }
}
