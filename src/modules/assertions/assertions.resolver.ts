import { Args, Context, Int, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Dataset } from '../datasets/graphql.js';
import { Entity, readCount, readPageSize, RequestContext } from '../graphql/index.js';
import { RelationshipsService } from '../relationships/index.js';
import { EntityAssertionsResult } from './assertion.types.js';

const DEFAULT_COUNT = 200;
const MAX_COUNT = 1_000;

/** What is checked about datasets. */
@Resolver(() => Dataset)
export class AssertionsResolver {
  constructor(private readonly relationships: RelationshipsService) {}

  @ResolveField(() => EntityAssertionsResult, { nullable: true, description: 'What is checked about it.' })
  async assertions(
    @Parent() dataset: Entity,
    @Context() context: RequestContext,
    @Args('start', { type: () => Int, nullable: true, description: 'Default 0.' }) asked: number | null,
    @Args('count', { type: () => Int, nullable: true, description: 'Default 200.' }) size: number | null,
    @Args('includeSoftDeleted', {
      type: () => Boolean,
      nullable: true,
      description: 'Whether soft-deleted assertions count; default false.',
    })
    includeSoftDeleted: boolean | null,
  ): Promise<EntityAssertionsResult> {
    const start = readCount(asked, 0, '/start');
    const count = readPageSize(size, DEFAULT_COUNT, '/count', MAX_COUNT);
    const query = {
      direction: 'INCOMING',
      types: ['Asserts'],
      entityTypes: ['assertion'],
      includeSoftDeleted: includeSoftDeleted ?? false,
      start,
      count,
    } as const;
    const loader = context.batched(`assertions ${JSON.stringify(query)}`, async (urns) => {
      const pages = await this.relationships.pages(context.principal, { urns, ...query });
      return urns.map((urn) => pages.get(urn));
    });
    const page = await loader.load(dataset.urn);
    const assertions = (page?.relationships ?? []).map(({ entity }) => context.entity(entity));
    return { start, count: assertions.length, total: page?.total ?? 0, assertions };
  }
}
