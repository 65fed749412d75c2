import { Args, Context, Field, Mutation, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { entriesToMap, Needs, RequestContext, StringMapEntry } from '../graphql/index.js';
import { StepStatesService } from './step-states.service.js';
import {
  BatchGetStepStatesInput,
  BatchUpdateStepStatesInput,
  BatchUpdateStepStatesResult,
} from './users.inputs.js';

@ObjectType('StepStateResult', { description: 'How far a user got in a guided tour.' })
class StepStateResult {
  @Field(() => String, { description: 'Names the user and the tour.' }) id!: string;
  @Field(() => [StringMapEntry], { description: 'What is remembered.' }) properties!: StringMapEntry[];
}

@ObjectType('BatchGetStepStatesResult', { description: 'How far users got in guided tours.' })
class BatchGetStepStatesResult {
  @Field(() => [StepStateResult], { description: 'The states that are kept, of those asked for.' })
  results!: StepStateResult[];
}

/** How far users got in the guided tours of web clients. */
@Resolver()
export class StepStatesResolver {
  constructor(private readonly states: StepStatesService) {}

  @Query(() => BatchGetStepStatesResult, { description: 'How far users got in guided tours.' })
  async batchGetStepStates(
    @Context() { principal }: RequestContext,
    @Args('input') { ids }: BatchGetStepStatesInput,
  ): Promise<BatchGetStepStatesResult> {
    const states = await this.states.read(principal, ids);
    return {
      results: states.map(({ id, properties }) => ({
        id,
        properties: Object.entries(properties).map(([key, value]) => ({ key, value })),
      })),
    };
  }

  @Needs('read', "one's own, whose ids begin with the URN of the caller and a hyphen; else `write`")
  @Mutation(() => BatchUpdateStepStatesResult, {
    description: 'Keeps how far users got in guided tours; all or none.',
  })
  async batchUpdateStepStates(
    @Context() { principal }: RequestContext,
    @Args('input') { states }: BatchUpdateStepStatesInput,
  ): Promise<BatchUpdateStepStatesResult> {
    await this.states.write(
      principal,
      states.map(({ id, properties }) => ({
        id,
        properties: entriesToMap(properties.filter((entry) => entry !== null)),
      })),
    );
    return { results: states.map(({ id }) => ({ id, succeeded: true })) };
  }
}
