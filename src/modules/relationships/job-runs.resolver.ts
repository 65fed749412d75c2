import { Args, Context, Field, Int, ObjectType, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DataJob, Entity, EntityObject, NarrowEntity, readCount, RequestContext } from '../graphql/index.js';
import { RelationshipsService } from './relationships.service.js';

const DEFAULT_COUNT = 10;
const MAX_COUNT = 1_000;

@EntityObject('dataProcessInstance', 'One run of a data job, a data flow or a training.')
class DataProcessInstance extends NarrowEntity {}

@ObjectType('DataProcessInstanceResult', { description: 'A page of runs.' })
class DataProcessInstanceResult {
  @Field(() => Int, { nullable: true, description: 'How many come before the page.' }) start!: number;
  @Field(() => Int, { nullable: true, description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { nullable: true, description: 'How many there are.' }) total!: number;
  @Field(() => [DataProcessInstance], { nullable: 'itemsAndList', description: 'The runs.' })
  runs!: Entity[];
}

/** The runs of data jobs. */
@Resolver(() => DataJob)
export class JobRunsResolver {
  constructor(private readonly service: RelationshipsService) {}

  @ResolveField(() => DataProcessInstanceResult, { nullable: true, description: 'Its runs.' })
  async runs(
    @Parent() job: Entity,
    @Context() context: RequestContext,
    @Args('start', { type: () => Int, nullable: true, description: 'Default 0.' }) asked: number | null,
    @Args('count', { type: () => Int, nullable: true, description: 'Default 10.' }) size: number | null,
  ): Promise<DataProcessInstanceResult> {
    const start = readCount(asked, 0, '/start');
    const count = readCount(size, DEFAULT_COUNT, '/count', 0, MAX_COUNT);
    const loader = context.batched(`runs ${start} ${count}`, async (urns) => {
      const pages = await this.service.pages(context.principal, {
        urns,
        direction: 'INCOMING',
        types: ['InstanceOf'],
        entityTypes: ['dataProcessInstance'],
        includeSoftDeleted: false,
        start,
        count,
      });
      return urns.map((urn) => pages.get(urn));
    });
    const page = await loader.load(job.urn);
    const runs = (page?.relationships ?? []).map(({ entity }) => context.entity(entity));
    return { start, count: runs.length, total: page?.total ?? 0, runs };
  }
}
