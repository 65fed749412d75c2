import { Body, Controller, Param } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { isRecord } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { pageOf, type ValuesOf } from '../../catalog/route/index.js';
import { QueryOf, Serves } from '../../routing/serves.js';
import { CurrentPrincipal } from '../auth/index.js';
import { EntityNames, type EdgeTest, type WalkedEdge } from '../entities/index.js';
import { readEdgeFilters } from './edge-filter.js';
import { EdgeWalkService, type EdgePage } from './edge-walk.service.js';
import { RelationshipNames } from './relationship-names.js';
import {
  listRelationships,
  listRelationshipsV2,
  relationshipsOfEntity,
  relationshipsOfEntityV2,
  scrollLineage,
  scrollRelationships,
  scrollRelationshipsV2,
} from './relationships.routes.js';

const ANY = '*';

/** `/openapi/v3/relationship` and its alias of version 2: lists of relationships. */
@Controller()
export class RelationshipsOpenapiController {
  constructor(
    private readonly walks: EdgeWalkService,
    private readonly names: EntityNames,
    private readonly relationships: RelationshipNames,
  ) {}

  @Serves(listRelationships, listRelationshipsV2)
  async ofType(
    @CurrentPrincipal() principal: Principal,
    @Param('relationshipType') type: string,
    @QueryOf(listRelationships) values: ValuesOf<typeof listRelationships>,
  ): Promise<object> {
    const tests: EdgeTest[] = type === ANY ? [] : [{ column: 'type', values: [type] }];
    if (type !== ANY) this.relationships.check([type], () => '/relationshipType');
    return answer(await this.walks.walk(principal, [tests], pageOf(values)));
  }

  @Serves(relationshipsOfEntity, relationshipsOfEntityV2)
  async ofEntity(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entityName: string,
    @Param('urn') urnText: string,
    @QueryOf(relationshipsOfEntity) values: ValuesOf<typeof relationshipsOfEntity>,
  ): Promise<object> {
    const { relationshipType = [], relationshipTypes = [], 'relationshipType[]': more = [] } = values;
    const urn = this.names.urn(urnText, this.names.entity(entityName)).text;
    const types = [...relationshipType, ...relationshipTypes, ...more];
    this.check(types, 'relationshipType');
    const tests: EdgeTest[] = [
      { column: values.direction === 'INCOMING' ? 'target.urn' : 'source.urn', values: [urn] },
      ...typeTests(types),
    ];
    return answer(await this.walks.walk(principal, [tests], pageOf(values)));
  }

  @Serves(scrollRelationships, scrollRelationshipsV2)
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(scrollRelationships) values: ValuesOf<typeof scrollRelationships>,
    @Body() body: unknown,
  ): Promise<object> {
    const { relationshipTypes = [], relationshipType = [], sourceTypes = [], destinationTypes = [] } = values;
    const types = [...relationshipTypes, ...relationshipType];
    this.check(types, 'relationshipTypes');
    const tests: EdgeTest[] = [
      ...typeTests(types),
      ...this.endTests('source.type', sourceTypes, '/sourceTypes'),
      ...this.endTests('target.type', destinationTypes, '/destinationTypes'),
    ];
    const any = readEdgeFilters(body, this.relationships).map((filter) => [...tests, ...filter]);
    return answer(await this.walks.walk(principal, any, pageOf(values)));
  }

  private check(types: readonly string[], parameter: string): void {
    const named = types.map((type, index) => ({ type, index })).filter(({ type }) => type !== ANY);
    this.relationships.check(
      named.map(({ type }) => type),
      (i) => `/${parameter}/${named[i]!.index}`,
    );
  }

  private endTests(column: EdgeTest['column'], names: string[], pointer: string): EdgeTest[] {
    if (names.length === 0) return [];
    return [{ column, values: names.map((name) => this.names.entity(name, pointer).name) }];
  }
}

/** `/openapi/v3/lineage`: walks over what makes lineage. */
@Controller()
export class LineageOpenapiController {
  constructor(
    private readonly walks: EdgeWalkService,
    private readonly relationships: RelationshipNames,
  ) {}

  @Serves(scrollLineage)
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @QueryOf(scrollLineage) values: ValuesOf<typeof scrollLineage>,
    @Body() body: unknown,
  ): Promise<object> {
    const { direction, relationshipTypes = [], relationshipType = [] } = values;
    const types = [...relationshipTypes, ...relationshipType].filter((name) => name !== ANY);
    this.relationships.checkLineage(types, (i) => `/relationshipTypes/${i}`);
    const found = await this.walks.lineageOf(principal, readUrns(body), types, direction, pageOf(values));
    return {
      scrollId: found.scrollId,
      isPartial: found.isPartial,
      results: found.edges.map(({ type, source, target }) => {
        const [upstream, downstream] = this.relationships.lineage.get(type)
          ? [target, source]
          : [source, target];
        return {
          upstream: upstream.urn,
          downstream: downstream.urn,
          relationshipType: type,
          source,
          destination: target,
        };
      }),
    };
  }
}

function typeTests(types: string[]): EdgeTest[] {
  return types.length === 0 || types.includes(ANY) ? [] : [{ column: 'type', values: types }];
}

function answer({ scrollId, edges }: EdgePage): object {
  return {
    scrollId,
    results: edges.map(({ type, source, target }: WalkedEdge) => ({
      relationshipType: type,
      source,
      destination: target,
    })),
  };
}

/** `{urns?: [urn]}`. */
function readUrns(body: unknown): string[] {
  if (body === undefined) return [];
  if (!isRecord(body)) throw refuse('PARAMETER_INVALID', 'the body must be an object with "urns"', '');
  const unknownName = Object.keys(body).find((name) => name !== 'urns');
  if (unknownName !== undefined)
    throw refuse('PARAMETER_INVALID', `unknown property "${unknownName}", known are urns`, `/${unknownName}`);
  const urns = body['urns'] ?? [];
  if (!Array.isArray(urns)) throw refuse('PARAMETER_INVALID', 'must be an array of URNs', '/urns');
  return urns.map((urn: unknown, i) => {
    if (typeof urn !== 'string') throw refuse('URN_MALFORMED', 'a URN must be a string', `/urns/${i}`);
    return toUrn(urn, `/urns/${i}`).text;
  });
}
