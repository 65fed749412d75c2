import { Args, Context, Mutation, Resolver } from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { Model } from '../../catalog/model/index.js';
import { Entity, readTypes, RequestContext, typeNamed, type FacetFilterInput } from '../graphql/index.js';
import { CreateViewInput, UpdateViewInput, type DataHubViewDefinitionInput } from './views.inputs.js';
import { ViewsService } from './views.service.js';

const urnArgument = { type: () => String, description: 'URN of the view.' };

/** Saved filters over the catalog. */
@Resolver()
export class ViewsResolver {
  constructor(
    private readonly views: ViewsService,
    private readonly model: Model,
  ) {}

  @Mutation(() => typeNamed('DataHubView'), { nullable: true, description: 'Keeps a filter as a view.' })
  async createView(
    @Context() context: RequestContext,
    @Args('input') { viewType, name, description, definition }: CreateViewInput,
  ): Promise<Entity> {
    const urn = await this.views.create(context.principal, viewType, {
      ...{ name, definition: this.stored(definition) },
      ...(typeof description === 'string' && { description }),
    });
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => typeNamed('DataHubView'), {
    nullable: true,
    description: 'Changes a view; what is left out stays as it is.',
  })
  async updateView(
    @Context() context: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('input') { definition, ...texts }: UpdateViewInput,
  ): Promise<Entity> {
    await this.views.update(context.principal, urn, {
      ...given({ ...texts }),
      ...(definition && { definition: this.stored(definition) }),
    });
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Permanently deletes a view.' })
  async deleteView(
    @Context() { principal }: RequestContext,
    @Args('urn', urnArgument) urn: string,
  ): Promise<boolean> {
    await this.views.delete(principal, urn);
    return true;
  }

  /** A definition as the aspect keeps it. */
  private stored({ entityTypes, filter: { operator, filters } }: DataHubViewDefinitionInput): object {
    const all = filters.map(criterion);
    return {
      entityTypes: readTypes(entityTypes, this.model, '/definition/entityTypes'),
      filter: { or: operator === 'OR' ? all.map((one) => ({ and: [one] })) : [{ and: all }] },
    };
  }
}

function criterion({ field, values, value, condition, negated }: FacetFilterInput): object {
  const wanted = values ?? (typeof value === 'string' ? [value] : []);
  return { field, values: wanted, condition: condition ?? 'EQUAL', negated: negated ?? false };
}
