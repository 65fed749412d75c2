import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import type { AspectValues } from '../../catalog/model/generated/aspects.js';
import { DataProduct, Entity, RequestContext, Searches } from '../graphql/index.js';
import { SearchAcrossEntitiesInput } from './search.inputs.js';
import { SearchPages } from './search-pages.js';
import { SearchResults } from './search.types.js';

/** What a data product is made of. */
@Resolver(() => DataProduct)
export class ProductMembersResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, { nullable: true, description: 'The assets of the data product.' })
  async entities(
    @Parent() product: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput, nullable: true })
    input?: SearchAcrossEntitiesInput | null,
  ): Promise<SearchResults> {
    const { principal } = context;
    const found = await this.reader.read(principal, [product.urn], ['dataProductProperties']);
    const value = found.get(product.urn)?.aspects.get('dataProductProperties')?.value as
      AspectValues['dataProductProperties'] | undefined;
    const assets = (value?.assets ?? []).map(({ destinationUrn }) => destinationUrn);
    const filters = [...(input?.filters ?? []), { field: 'urn', values: assets }];
    return this.page(principal, context, { query: '*', ...input, filters }, '/types');
  }
}
