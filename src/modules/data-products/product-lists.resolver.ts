import { Args, Context, Field, InputType, ObjectType, Query, Resolver } from '@nestjs/graphql';
import { refuse } from '../../catalog/errors/index.js';
import type { DataProductProperties } from '../../catalog/model/generated/aspects.js';
import { EntityReader } from '../entities/index.js';
import { Entity, RequestContext, typeNamed } from '../graphql/index.js';
import { RelationshipsService } from '../relationships/index.js';

const MAX_ENTITIES = 1_000;
/** Data products of one entity; it is in few. */
const MAX_PRODUCTS = 1_000;

@InputType('BulkEntityDataProductsInput', { description: 'Entities whose data products are wanted.' })
class BulkEntityDataProductsInput {
  @Field(() => [String], { description: 'URNs of the entities, at most 1000.' }) urns!: string[];
}

@ObjectType('EntityDataProductAssociation', { description: 'A data product that an entity belongs to.' })
class EntityDataProductAssociation {
  @Field(() => typeNamed('DataProduct'), { description: 'The data product.' }) dataProduct!: Entity;
  @Field(() => Boolean, { description: 'Whether the data product offers the entity to others.' })
  isOutputPort!: boolean;
}

@ObjectType('EntityDataProducts', { description: 'The data products of one entity.' })
class EntityDataProducts {
  @Field(() => String, { description: 'URN of the entity.' }) urn!: string;
  @Field(() => [EntityDataProductAssociation], { description: 'What it belongs to.' })
  dataProductAssociations!: EntityDataProductAssociation[];
}

@ObjectType('BulkEntityDataProductsResult', { description: 'The data products of several entities.' })
class BulkEntityDataProductsResult {
  @Field(() => [EntityDataProducts], { description: 'In the order of the URNs that were asked for.' })
  entities!: EntityDataProducts[];
}

/** Which data products entities belong to. */
@Resolver()
export class ProductListsResolver {
  constructor(
    private readonly relationships: RelationshipsService,
    private readonly reader: EntityReader,
  ) {}

  @Query(() => BulkEntityDataProductsResult, { description: 'The data products of several entities.' })
  async bulkEntityDataProducts(
    @Context() context: RequestContext,
    @Args('input', { type: () => BulkEntityDataProductsInput }) { urns }: BulkEntityDataProductsInput,
  ): Promise<BulkEntityDataProductsResult> {
    if (urns.length > MAX_ENTITIES)
      throw refuse('PARAMETER_INVALID', `at most ${MAX_ENTITIES} entities at once`, '/urns');
    const { principal } = context;
    const pages = await this.relationships.pages(principal, {
      urns,
      direction: 'INCOMING',
      types: ['DataProductContains'],
      entityTypes: ['dataProduct'],
      includeSoftDeleted: false,
      start: 0,
      count: MAX_PRODUCTS,
    });
    const productsOf = (urn: string) => (pages.get(urn)?.relationships ?? []).map(({ entity }) => entity);
    const products = [...new Set(urns.flatMap(productsOf))];
    const ports = await this.outputPorts(context, products);
    return {
      entities: urns.map((urn) => ({
        urn,
        dataProductAssociations: productsOf(urn).map((product) => ({
          dataProduct: context.entity(product),
          isOutputPort: ports.get(product)?.has(urn) ?? false,
        })),
      })),
    };
  }

  /** What each data product offers to others. */
  private async outputPorts(
    { principal }: RequestContext,
    products: readonly string[],
  ): Promise<Map<string, Set<string>>> {
    const states = await this.reader.read(principal, products, ['dataProductProperties']);
    return new Map(
      [...states].map(([urn, { aspects }]) => {
        const value = aspects.get('dataProductProperties')?.value as DataProductProperties | undefined;
        const offered = (value?.assets ?? []).filter(({ outputPort }) => outputPort === true);
        return [urn, new Set(offered.map(({ destinationUrn }) => destinationUrn))];
      }),
    );
  }
}
