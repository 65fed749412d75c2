import { Args, Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import { DataProduct, Entity, RequestContext, Searches } from '../graphql/index.js';
import { SearchAcrossEntitiesInput } from './search.inputs.js';
import { SearchPages } from './search-pages.js';
import { SearchResults } from './search.types.js';

/** What a data product is made of. */
@Resolver(() => DataProduct)
export class ProductMembersResolver extends SearchPages {
  @Searches('search')
  @ResolveField(() => SearchResults, { nullable: true, description: 'The assets of the data product.' })
  entities(
    @Parent() product: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => SearchAcrossEntitiesInput, nullable: true })
    input?: SearchAcrossEntitiesInput | null,
  ): Promise<SearchResults> {
    return this.assetsOf(context, product.urn, input);
  }
}
