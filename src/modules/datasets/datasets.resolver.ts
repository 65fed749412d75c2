import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { RequestContext } from '../graphql/index.js';
import { readResource, refuseEmpty } from '../ingest/index.js';
import { Dataset } from './dataset.types.js';
import { DatasetUpdatesService } from './dataset-updates.service.js';
import { BatchDatasetUpdateInput, DatasetUpdateInput, DescriptionUpdateInput } from './datasets.inputs.js';
import { DescriptionsService } from './descriptions.service.js';

/** What people write about datasets, and descriptions of whatever they can describe. */
@Resolver()
export class DatasetsResolver {
  constructor(
    private readonly descriptions: DescriptionsService,
    private readonly updates: DatasetUpdatesService,
  ) {}

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Describes a column of a dataset, or an entity that people can describe, such as a container.',
  })
  async updateDescription(
    @Context() { principal }: RequestContext,
    @Args('input') input: DescriptionUpdateInput,
  ): Promise<boolean> {
    await this.descriptions.update(principal, readResource(input, ''), input.description);
    return true;
  }

  @Mutation(() => Dataset, {
    nullable: true,
    description: 'Changes several parts of a dataset.',
  })
  async updateDataset(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the dataset.' }) urn: string,
    @Args('input') update: DatasetUpdateInput,
  ) {
    const request = { type: 'dataset' as const, urn, urnAt: '/urn', update, updateAt: '' };
    await this.updates.update(context.principal, [request]);
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => [Dataset], {
    nullable: 'itemsAndList',
    description: 'Changes several datasets, all or none.',
  })
  async updateDatasets(
    @Context() context: RequestContext,
    @Args('input', { type: () => [BatchDatasetUpdateInput] }) input: BatchDatasetUpdateInput[],
  ) {
    refuseEmpty(input, '');
    await this.updates.update(
      context.principal,
      input.map(({ urn, update }, i) => ({
        type: 'dataset' as const,
        urn,
        urnAt: `/${i}/urn`,
        update,
        updateAt: `/${i}/update`,
      })),
    );
    context.refresh();
    return input.map(({ urn }) => context.entity(urn));
  }
}
