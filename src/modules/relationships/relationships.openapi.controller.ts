import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import type { Principal } from '../../catalog/auth/index.js';
import { refuse } from '../../catalog/errors/index.js';
import { Documented } from '../../catalog/extension/documented.js';
import { isRecord } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { CurrentPrincipal } from '../auth/index.js';
import { EntityNames, namesIn, parametersOf, readPage, type Query as QueryValues } from '../openapi/index.js';
import { readEdgeFilters } from './edge-filter.js';
import type { Edge, EdgeTest } from './edge-walk.repository.js';
import { EdgeWalkService, LINEAGE_DIRECTIONS, type EdgePage } from './edge-walk.service.js';
import { RelationshipNames } from './relationship-names.js';
import { DIRECTIONS } from './relationship.js';

const ANY = '*';

/** `/openapi/v3/relationship` and its elder sister: walks over relationships. */
@Controller(['openapi/v3/relationship', 'openapi/v2/relationship'])
export class RelationshipsOpenapiController {
  constructor(
    private readonly walks: EdgeWalkService,
    private readonly names: EntityNames,
    private readonly relationships: RelationshipNames,
  ) {}

  @Get(':relationshipType')
  @Documented({ summary: 'Lists all relationships of one type, page by page.' })
  async ofType(
    @CurrentPrincipal() principal: Principal,
    @Param('relationshipType') type: string,
    @Query() query: QueryValues,
  ): Promise<object> {
    const tests: EdgeTest[] = type === ANY ? [] : [{ column: 'type', values: [type] }];
    if (type !== ANY) this.relationships.check([type], () => '/relationshipType');
    return answer(
      await this.walks.walk(principal, [tests], readPage(parametersOf(query, 'relationshipsOfType'), 1)),
    );
  }

  @Get(':entity/:urn')
  @Documented({ summary: 'Lists the relationships of one entity, page by page.' })
  async ofEntity(
    @CurrentPrincipal() principal: Principal,
    @Param('entity') entityName: string,
    @Param('urn') urnText: string,
    @Query() query: QueryValues,
  ): Promise<object> {
    const parameters = parametersOf(query, 'relationshipsOfEntity');
    const urn = this.names.urn(urnText, this.names.entity(entityName)).text;
    const outgoing = parameters.word('direction', DIRECTIONS) !== 'INCOMING';
    const types = namesIn(query, 'relationshipType', 'relationshipTypes', 'relationshipType[]');
    this.check(types, 'relationshipType');
    const tests: EdgeTest[] = [
      { column: outgoing ? 'source.urn' : 'target.urn', values: [urn] },
      ...typeTests(types),
    ];
    return answer(await this.walks.walk(principal, [tests], readPage(parameters, 1)));
  }

  @Post('scroll')
  @HttpCode(200)
  @Documented({ summary: 'Lists relationships by their types and ends, page by page.' })
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: QueryValues,
    @Body() body: unknown,
  ): Promise<object> {
    const parameters = parametersOf(query, 'relationships');
    // The direction says from which end a caller looks; the edges are the same.
    parameters.word('direction', DIRECTIONS);
    const types = namesIn(query, 'relationshipTypes', 'relationshipType');
    this.check(types, 'relationshipTypes');
    const tests: EdgeTest[] = [
      ...typeTests(types),
      ...this.endTests('source.type', namesIn(query, 'sourceTypes'), '/sourceTypes'),
      ...this.endTests('target.type', namesIn(query, 'destinationTypes'), '/destinationTypes'),
      ...readEdgeFilters(body, this.relationships),
    ];
    return answer(await this.walks.walk(principal, [tests], readPage(parameters, 1)));
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
@Controller('openapi/v3/lineage')
export class LineageOpenapiController {
  constructor(
    private readonly walks: EdgeWalkService,
    private readonly relationships: RelationshipNames,
  ) {}

  @Post('scroll')
  @HttpCode(200)
  @Documented({ summary: 'Lists lineage upstream or downstream of some entities, page by page.' })
  async scroll(
    @CurrentPrincipal() principal: Principal,
    @Query() query: QueryValues,
    @Body() body: unknown,
  ): Promise<object> {
    const parameters = parametersOf(query, 'lineage');
    const direction = parameters.word('direction', LINEAGE_DIRECTIONS) ?? 'UPSTREAM';
    const types = namesIn(query, 'relationshipTypes', 'relationshipType').filter((name) => name !== ANY);
    this.relationships.checkLineage(types, (i) => `/relationshipTypes/${i}`);
    const page = readPage(parameters, 1);
    const found = await this.walks.lineageOf(principal, readUrns(body), types, direction, page);
    return {
      scrollId: found.scrollId,
      results: found.edges.map(({ type, source, target }) => {
        const [upstream, downstream] = this.relationships.lineage.get(type)
          ? [target, source]
          : [source, target];
        return { upstream, downstream, relationshipType: type };
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
    results: edges.map(({ type, source, target }: Edge) => ({
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
  const stranger = Object.keys(body).find((name) => name !== 'urns');
  if (stranger !== undefined)
    throw refuse('PARAMETER_INVALID', `there is no "${stranger}", only "urns"`, `/${stranger}`);
  const urns = body['urns'] ?? [];
  if (!Array.isArray(urns)) throw refuse('PARAMETER_INVALID', 'must be a list of URNs', '/urns');
  return urns.map((urn: unknown, i) => {
    if (typeof urn !== 'string') throw refuse('URN_MALFORMED', 'a URN must be a text', `/urns/${i}`);
    return toUrn(urn, `/urns/${i}`).text;
  });
}
