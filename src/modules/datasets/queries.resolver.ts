import {
  Args,
  Context,
  Field,
  InputType,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from '@nestjs/graphql';
import { given } from '../../catalog/json/given.js';
import { Entity, enumOf, RequestContext, Searches } from '../graphql/index.js';
import { AndFilterInput, ListedPage, listEntities, ListInput, SortCriterion } from '../search/graphql.js';
import { SearchService } from '../search/index.js';
import { CreateQueryInput, UpdateQueryInput } from './queries.inputs.js';
import { QueriesService } from './queries.service.js';
import { QueryEntity } from './queries.types.js';

const QuerySource = enumOf(['MANUAL', 'SYSTEM']);
type QuerySource = keyof typeof QuerySource;
registerEnumType(QuerySource, {
  name: 'QuerySource',
  description: 'Where a query comes from.',
  valuesMap: {
    MANUAL: { description: 'People wrote it down.' },
    SYSTEM: { description: 'It was found in what a system ran.' },
  },
});

@InputType('SortQueriesInput', { description: 'The order of queries.' })
class SortQueriesInput {
  @Field(() => SortCriterion, { description: 'The field to sort by.' }) sortCriterion!: SortCriterion;
}

@InputType('ListQueriesInput', { description: 'A page of queries.' })
class ListQueriesInput extends ListInput {
  @Field(() => QuerySource, { nullable: true, description: 'Only those of this source.' })
  source?: QuerySource | null;
  @Field(() => String, { nullable: true, description: 'URN of a dataset that they must read.' })
  datasetUrn?: string | null;
  @Field(() => SortQueriesInput, {
    nullable: true,
    description: 'The order; the best match first when absent.',
  })
  sortInput?: SortQueriesInput | null;
  @Field(() => [AndFilterInput], {
    nullable: true,
    description: 'Alternatives; the conditions of one of them must hold.',
  })
  orFilters?: AndFilterInput[] | null;
}

@ObjectType('ListQueriesResult', { description: 'A page of queries.' })
class ListQueriesResult extends ListedPage {
  @Field(() => [QueryEntity], { description: 'The queries.' }) queries!: Entity[];
}

const urnArgument = { type: () => String, description: 'URN of the query.' };

/** Queries over datasets. */
@Resolver()
export class QueriesResolver {
  constructor(
    private readonly search: SearchService,
    private readonly queries: QueriesService,
  ) {}

  @Searches('list')
  @Query(() => ListQueriesResult, {
    nullable: true,
    description: 'Queries that were run or saved, by what they read and where they come from.',
  })
  async listQueries(
    @Context() context: RequestContext,
    @Args('input', { type: () => ListQueriesInput }) input: ListQueriesInput,
  ): Promise<ListQueriesResult> {
    const { source, datasetUrn, sortInput } = input;
    const filters = [
      ...(source ? [{ field: 'source', values: [source] }] : []),
      ...(datasetUrn ? [{ field: 'entities', values: [datasetUrn] }] : []),
    ];
    const { urns, ...page } = await listEntities(this.search, context, 'query', {
      ...input,
      filters,
      sort: sortInput?.sortCriterion ?? null,
    });
    return { ...page, queries: urns.map((urn) => context.entity(urn)) };
  }

  @Mutation(() => QueryEntity, { nullable: true, description: 'Keeps a query that people wrote down.' })
  async createQuery(
    @Context() context: RequestContext,
    @Args('input') { properties, subjects }: CreateQueryInput,
  ) {
    const datasets = subjects.map(({ datasetUrn }) => datasetUrn);
    const urn = await this.queries.create(context.principal, given(properties), datasets);
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => QueryEntity, { nullable: true, description: 'Changes a query, and what it reads.' })
  async updateQuery(
    @Context() context: RequestContext,
    @Args('urn', urnArgument) urn: string,
    @Args('input') { properties, subjects }: UpdateQueryInput,
  ) {
    const datasets = subjects?.map(({ datasetUrn }) => datasetUrn);
    await this.queries.update(context.principal, urn, properties ? given(properties) : undefined, datasets);
    context.refresh();
    return context.entity(urn);
  }

  @Mutation(() => Boolean, { nullable: true, description: 'Permanently deletes a query.' })
  async deleteQuery(
    @Context() { principal }: RequestContext,
    @Args('urn', urnArgument) urn: string,
  ): Promise<boolean> {
    await this.queries.delete(principal, urn);
    return true;
  }
}
