import { Args, Context, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { Dataset } from '../datasets/graphql.js';
import { Entity, RequestContext } from '../graphql/index.js';
import { DataContract } from './contract.types.js';
import { UpsertDataContractInput } from './contracts.inputs.js';
import { ContractsService } from './contracts.service.js';

/** What is promised about datasets. */
@Resolver(() => Dataset)
export class ContractsResolver {
  constructor(private readonly contracts: ContractsService) {}

  @ResolveField(() => DataContract, { nullable: true, description: 'What is promised about it.' })
  async contract(@Parent() dataset: Entity, @Context() context: RequestContext): Promise<Entity | null> {
    const loader = context.batched('contract', async (urns: readonly string[]) => {
      const found = await this.contracts.of(context.principal, urns);
      return urns.map((urn) => found.get(urn));
    });
    return context.entity(await loader.load(dataset.urn)) ?? null;
  }

  @Mutation(() => DataContract, {
    description: 'Makes the contract of a dataset, or writes it anew: what is left out is none.',
  })
  async upsertDataContract(
    @Context() context: RequestContext,
    @Args('urn', {
      type: () => String,
      nullable: true,
      description: 'URN of the contract; the one of the dataset when absent, or a new one.',
    })
    urn: string | null,
    @Args('input', { type: () => UpsertDataContractInput }) input: UpsertDataContractInput,
  ): Promise<Entity> {
    const { entityUrn, freshness, schema, dataQuality, state, id } = input;
    const urnsOf = (of: ReadonlyArray<{ assertionUrn: string }> | null | undefined) =>
      of?.map(({ assertionUrn }) => assertionUrn);
    const made = await this.contracts.upsert(
      context.principal,
      { urn: urn ?? undefined, id: id ?? undefined },
      {
        dataset: entityUrn,
        promises: {
          freshness: urnsOf(freshness),
          schema: urnsOf(schema),
          dataQuality: urnsOf(dataQuality),
        },
        state: state ?? 'ACTIVE',
      },
    );
    context.refresh();
    return context.entity(made);
  }
}
