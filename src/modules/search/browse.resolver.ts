import { Args, Context, Query, Resolver } from '@nestjs/graphql';
import type { Principal } from '../../catalog/auth/index.js';
import { Model } from '../../catalog/model/index.js';
import { toUrn } from '../../catalog/restli/index.js';
import { DEFAULT_COUNT, MAX_WINDOW } from '../../catalog/search/index.js';
import { EntityReader } from '../entities/index.js';
import {
  CurrentPrincipal,
  readCount,
  readPageSize,
  readTypes,
  RequestContext,
  Searches,
} from '../graphql/index.js';
import { BrowsePath } from './browse.types.js';
import { readScope } from './scope.js';
import { browseAnswer } from './search-answers.js';
import { inWindow } from './search-input.js';
import { readSearchFlags } from './search-request.inputs.js';
import { BrowseInput, BrowsePathsInput, BrowseV2Input } from './search.inputs.js';
import { SearchService } from './search.service.js';
import { BrowseResults, BrowseResultsV2 } from './search.types.js';

/** The browse trees. */
@Resolver()
export class BrowseResolver {
  constructor(
    private readonly service: SearchService,
    private readonly model: Model,
    private readonly reader: EntityReader,
  ) {}

  @Searches('browse')
  @Query(() => BrowseResults, { nullable: true, description: 'One level of the older browse tree.' })
  async browse(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => BrowseInput }) input: BrowseInput,
  ): Promise<BrowseResults> {
    const { start, count } = window(input);
    const path = input.path ?? [];
    const result = await this.service.browse(principal, {
      ...(await readScope(
        this.reader,
        principal,
        context,
        readTypes([input.type], this.model, '/type'),
        input,
      )),
      path,
      start: 0,
      count: start + count,
    });
    const page = browseAnswer(result, path.join('/'), start, count);
    return {
      entities: page.entities.map(({ urn }) => context.entity(urn)),
      groups: page.groups,
      start,
      count: page.entities.length + page.groups.length,
      total: page.numElements,
      metadata: { path: [...path], totalNumEntities: result.totalBelow },
    };
  }

  @Searches('browse')
  @Query(() => BrowseResultsV2, {
    nullable: true,
    description: 'The groups of one level of the browse tree.',
  })
  async browseV2(
    @CurrentPrincipal() principal: Principal,
    @Context() context: RequestContext,
    @Args('input', { type: () => BrowseV2Input }) input: BrowseV2Input,
  ): Promise<BrowseResultsV2> {
    const { start, count } = window(input);
    const types = readTypes(input.types, this.model);
    const one = input.type ? readTypes([input.type], this.model, '/type') : [];
    const path = input.path ?? [];
    const scope = await readScope(this.reader, principal, context, types.length > 0 ? types : one, input);
    const { includeSoftDeleted, latestOnly } = readSearchFlags(input.searchFlags);
    const result = await this.service.browse(principal, {
      ...scope,
      input: input.query?.trim() ? input.query : '*',
      includeSoftDeleted,
      latestOnly,
      path,
      secondForm: true,
      start: 0,
      count: 0,
    });
    const groups = result.groups.slice(start, start + count).map((group) => ({
      ...group,
      entity: group.name.startsWith('urn:li:') ? context.entity(group.name) : null,
    }));
    return {
      groups,
      start,
      count: groups.length,
      total: result.groups.length,
      metadata: { path: [...path], totalNumEntities: result.totalBelow },
    };
  }

  @Searches('complete')
  @Query(() => [BrowsePath], {
    nullable: true,
    description: 'The places of an entity in the older browse tree.',
  })
  async browsePaths(
    @CurrentPrincipal() principal: Principal,
    @Args('input', { type: () => BrowsePathsInput }) input: BrowsePathsInput,
  ): Promise<BrowsePath[]> {
    const paths = await this.service.browsePaths(principal, toUrn(input.urn, '/urn'));
    return paths.map((path) => ({ path: path.split('/').filter((part) => part !== '') }));
  }
}

function window(input: { start?: number | null; count?: number | null }): { start: number; count: number } {
  const start = readCount(input.start, 0, '/start');
  const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_WINDOW);
  return inWindow(start, count, '/start');
}
