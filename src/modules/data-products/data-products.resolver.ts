import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { RequestContext, typeNamed } from '../graphql/index.js';
import {
  BatchSetDataProductInput,
  CreateDataProductInput,
  UpdateDataProductInput,
} from './data-products.inputs.js';
import { DataProductsService } from './data-products.service.js';

const urnArgument = { type: () => String, description: 'URN of the data product.' };

/** Data products, and what belongs to them. */
@Resolver()
export class DataProductsResolver {
  constructor(private readonly products: DataProductsService) {}

  @Mutation(() => typeNamed('DataProduct'), {
    nullable: true,
    description: 'Makes a data product, which the caller owns.',
  })
  async createDataProduct(
    @Context() context: RequestContext,
    @Args('input') { id, properties, domainUrn }: CreateDataProductInput,
  ) {
    const urn = await this.products.create(context.principal, {
      id: id ?? undefined,
      name: properties.name,
      description: properties.description ?? undefined,
      domain: domainUrn,
    });
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => typeNamed('DataProduct'), {
    nullable: true,
    description: 'Changes name and description of a data product.',
  })
  async updateDataProduct(
    @Context() context: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('input') input: UpdateDataProductInput,
  ) {
    await this.products.describe(context.principal, urn, given(input));
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Permanently deletes a data product; what belongs to it stays.',
  })
  async deleteDataProduct(
    @Context() { principal }: RequestContext,
    @Args('urn', urnArgument) urn: string,
  ): Promise<boolean> {
    await this.products.delete(principal, urn);
    return true;
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description:
      'Puts several entities into a data product instead of those they were in, or takes them out of theirs; all or none.',
  })
  async batchSetDataProduct(
    @Context() { principal }: RequestContext,
    @Args('input') { dataProductUrn, resourceUrns }: BatchSetDataProductInput,
  ): Promise<boolean> {
    await this.products.assign(principal, dataProductUrn ?? undefined, resourceUrns);
    return true;
  }
}
