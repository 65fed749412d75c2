import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { Needs, RequestContext, Searches } from '../graphql/index.js';
import { listEntities } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { PolicyUpdateInput } from './policies.inputs.js';
import { ListPoliciesInput, ListPoliciesResult } from './policies.types.js';
import { PolicyEdits } from './policy-edits.service.js';

const policyUrn = { type: () => String, description: 'URN of the policy.' };

/** Access policies in GraphQL. */
@Resolver()
export class PoliciesResolver {
  constructor(
    private readonly policies: PolicyEdits,
    private readonly search: SearchService,
  ) {}

  @Searches('list')
  @Query(() => ListPoliciesResult, {
    nullable: true,
    description: 'The policies that are stored, found by their names.',
  })
  async listPolicies(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListPoliciesInput }) input: ListPoliciesInput,
  ): Promise<ListPoliciesResult> {
    const { urns, ...page } = await listEntities(this.search, context, 'dataHubPolicy', input);
    return { ...page, policies: urns.map((urn) => context.entity(urn)) };
  }

  @Needs('manage')
  @Mutation(() => String, { nullable: true, description: 'Makes a policy; returns its URN.' })
  createPolicy(
    @Context() { principal }: RequestContext,
    @Args('input', { type: () => PolicyUpdateInput }) input: PolicyUpdateInput,
  ): Promise<string> {
    return this.policies.create(principal, infoOf(input));
  }

  @Needs('manage')
  @Mutation(() => String, { nullable: true, description: 'Replaces a policy; returns its URN.' })
  updatePolicy(
    @Context() { principal }: RequestContext,
    @Args('urn', policyUrn) urn: string,
    @Args('input', { type: () => PolicyUpdateInput }) input: PolicyUpdateInput,
  ): Promise<string> {
    return this.policies.replace(principal, urn, infoOf(input));
  }

  @Needs('manage')
  @Mutation(() => String, { nullable: true, description: 'Deletes a policy; returns its URN.' })
  deletePolicy(
    @Context() { principal }: RequestContext,
    @Args('urn', policyUrn) urn: string,
  ): Promise<string> {
    return this.policies.delete(principal, urn);
  }
}

/** The value of the aspect. */
function infoOf({
  name,
  description,
  resources,
  actors,
  ...rest
}: PolicyUpdateInput): Record<string, unknown> {
  const { filter, ...others } = resources ?? {};
  return {
    ...given({ ...rest }),
    displayName: name,
    description: description ?? '',
    ...(resources && {
      resources: { ...given(others), ...(filter && { filter: { criteria: filter.criteria ?? [] } }) },
    }),
    actors: given({ ...actors }),
  };
}
