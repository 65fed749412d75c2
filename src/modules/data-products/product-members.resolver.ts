import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { Entity, RequestContext, Searches } from '../graphql/index.js';
import { SearchAcrossEntitiesInput, SearchPages, SearchResults } from '../search/graphql.js';
import { DataProduct } from './data-product.types.js';

/** What a data product is made of. */
@Resolver(() => DataProduct)
export class ProductMembersResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, { nullable: true, description: 'The assets of the data product.' })
  entities(
    @Parent() { urn }: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput, nullable: true })
    input?: SearchAcrossEntitiesInput | null,
  ): Promise<SearchResults> {
    return this.assetsOf(context, urn, input);
  }

  @Searches('search')
  @Query(() => SearchResults, { nullable: true, description: 'Finds assets of a data product.' })
  listDataProductAssets(
    @Context() context: RequestContext,
    @Args('urn', { type: () => String, description: 'URN of the data product.' }) urn: string,
    @Args('input', { type: () => SearchAcrossEntitiesInput }) input: SearchAcrossEntitiesInput,
  ): Promise<SearchResults> {
    return this.assetsOf(context, urn, input);
  }

  private async assetsOf(
    context: RequestContext,
    product: string,
    input: SearchAcrossEntitiesInput | null | undefined,
  ): Promise<SearchResults> {
    const { principal } = context;
    const found = await this.reader.read(principal, [product], ['dataProductProperties']);
    const value = found.get(product)?.aspects.get('dataProductProperties')?.value as
      AspectValues['dataProductProperties'] | undefined;
    const assets = (value?.assets ?? []).map(({ destinationUrn }) => destinationUrn);
    const filters = [...(input?.filters ?? []), { field: 'urn', values: assets }];
    return this.page(principal, context, { query: '*', ...input, filters }, '/types');
  }
}
