import { Args, Context, Int, Mutation, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import { Entity, RequestContext, Searches } from '../graphql/index.js';
import { listEntities } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { UpdateIngestionSourceInput } from './ingestion-source.inputs.js';
import { IngestionSourcesService } from './ingestion-sources.service.js';
import {
  GetSecretValuesInput,
  IngestionSource,
  IngestionSourceExecutionRequests,
  ListIngestionSourcesInput,
  ListIngestionSourcesResult,
  SecretValue,
} from './ingestion-source.types.js';

/** Ingestion sources that are stored. The service runs none of them. */
@Resolver(() => IngestionSource)
export class IngestionSourcesResolver {
  constructor(
    private readonly search: SearchService,
    private readonly sources: IngestionSourcesService,
  ) {}

  @Searches('list')
  @Query(() => ListIngestionSourcesResult, {
    nullable: true,
    description: 'Ingestion sources that are stored. The service itself runs none of them.',
  })
  async listIngestionSources(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListIngestionSourcesInput }) input: ListIngestionSourcesInput,
  ): Promise<ListIngestionSourcesResult> {
    const { urns, ...page } = await listEntities(this.search, context, 'dataHubIngestionSource', input);
    return { ...page, ingestionSources: urns.map((urn) => context.entity(urn)) };
  }

  @Mutation(() => String, {
    nullable: true,
    description:
      'Stores an ingestion source, also one that did not exist. The service itself runs none of them. Answers its URN.',
  })
  async updateIngestionSource(
    @Context() { principal }: RequestContext,
    @Args('urn', { type: () => String, description: 'Its URN.' }) urn: string,
    @Args('input', { type: () => UpdateIngestionSourceInput }) input: UpdateIngestionSourceInput,
  ): Promise<string> {
    await this.sources.update(principal, urn, input);
    return urn;
  }

  @Query(() => [SecretValue], {
    nullable: true,
    description: 'The service hands out no secrets: always an empty list.',
  })
  getSecretValues(
    @Args('input', { type: () => GetSecretValuesInput }) _: GetSecretValuesInput,
  ): SecretValue[] {
    return [];
  }

  @Searches('list')
  @ResolveField(() => IngestionSourceExecutionRequests, {
    nullable: true,
    description: 'Its runs that were reported, the latest first.',
  })
  async executions(
    @Parent() source: Entity,
    @Context() context: RequestContext,
    @Args('start', { type: () => Int, nullable: true, description: 'Default 0.' }) start: number | null,
    @Args('count', { type: () => Int, nullable: true, description: 'Default 20.' }) count: number | null,
  ): Promise<IngestionSourceExecutionRequests> {
    const { urns, ...page } = await listEntities(this.search, context, 'dataHubExecutionRequest', {
      start,
      count,
      filters: [{ field: 'ingestionSource', values: [source.urn] }],
      sort: { field: 'requestTimeMs', sortOrder: 'DESCENDING' },
    });
    return { ...page, executionRequests: urns.map((urn) => context.entity(urn)) };
  }
}
