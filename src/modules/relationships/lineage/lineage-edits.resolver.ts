import { Args, Context, Field, InputType, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../../graphql/index.js';
import { LineageEditsService, type LineageStep } from './lineage-edits.service.js';

@InputType('LineageEdge', { description: 'A step of lineage.' })
class LineageEdge {
  @Field(() => String, { description: 'URN of what is made.' }) downstreamUrn!: string;
  @Field(() => String, { description: 'URN of what it is made from.' }) upstreamUrn!: string;
}

@InputType('UpdateLineageInput', { description: 'Steps of lineage to add and to take away.' })
class UpdateLineageInput {
  @Field(() => [LineageEdge], { nullable: 'items', description: 'What is to be there.' })
  edgesToAdd!: Array<LineageEdge | null>;
  @Field(() => [LineageEdge], { nullable: 'items', description: 'What is not to be there any more.' })
  edgesToRemove!: Array<LineageEdge | null>;
}

/** Lineage that people draw by hand. */
@Resolver()
export class LineageEditsResolver {
  constructor(private readonly edits: LineageEditsService) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Adds steps of lineage between datasets, charts, dashboards and data jobs, and takes others away; all or none.',
  })
  async updateLineage(
    @Context() { principal }: RequestContext,
    @Args('input') { edgesToAdd, edgesToRemove }: UpdateLineageInput,
  ): Promise<boolean> {
    await this.edits.update(
      principal,
      stepsOf(edgesToAdd, '/edgesToAdd'),
      stepsOf(edgesToRemove, '/edgesToRemove'),
    );
    return true;
  }
}

const stepsOf = (edges: ReadonlyArray<LineageEdge | null>, at: string): LineageStep[] =>
  edges.flatMap((edge, i) =>
    edge === null ? [] : [{ upstream: edge.upstreamUrn, downstream: edge.downstreamUrn, at: `${at}/${i}` }],
  );
