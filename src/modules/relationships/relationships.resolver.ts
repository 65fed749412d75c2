import {
  Args,
  Context,
  Field,
  InputType,
  Int,
  ObjectType,
  Parent,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import { Model } from '../../catalog/model/index.js';
import {
  AuditStamp,
  Entity,
  EntityType,
  optional,
  readCount,
  readPageSize,
  readTypes,
  RequestContext,
} from '../graphql/index.js';
import { RelationshipDirection } from './directions.types.js';
import { RelationshipNames } from './relationship-names.js';
import { MAX_PAGE } from './relationship.js';
import { RelationshipsService } from './relationships.service.js';

const DEFAULT_COUNT = 100;
/** A page of more neighbours becomes entities in a piece of work of its own. */
const LARGE_PAGE = 1000;

@InputType('RelationshipsInput', { description: 'Which relationships to list.' })
class RelationshipsInput {
  @Field(() => [String], { description: 'Only relationships with these names; an empty list selects all.' })
  types!: string[];
  @Field(() => RelationshipDirection) direction!: RelationshipDirection;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 100.' }) count?: number | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether soft-deleted neighbours count; default true.',
  })
  includeSoftDelete?: boolean | null;
  @Field(() => [EntityType], { nullable: true, description: 'Kinds of neighbours; all when absent.' })
  relatedEntityTypes?: EntityType[] | null;
}

@ObjectType('EntityRelationship', { description: 'A neighbour of an entity.' })
class EntityRelationship {
  @Field(() => String, { description: 'Name of the relationship.' }) type!: string;
  @Field(() => RelationshipDirection) direction!: RelationshipDirection;
  @Field(() => Entity, optional) entity!: Entity | null;
  @Field(() => AuditStamp, optional) created!: AuditStamp | null;
}

@ObjectType('EntityRelationshipsResult', { description: 'A page of neighbours.' })
class EntityRelationshipsResult {
  @Field(() => Int, optional) start!: number;
  @Field(() => Int, { nullable: true, description: 'How many the page has.' }) count!: number;
  @Field(() => Int, { nullable: true, description: 'How many there are.' }) total!: number;
  @Field(() => [EntityRelationship]) relationships!: EntityRelationship[];
}

/** The neighbours of any entity. */
@Resolver(() => Entity)
export class RelationshipsResolver {
  constructor(
    private readonly service: RelationshipsService,
    private readonly names: RelationshipNames,
    private readonly model: Model,
  ) {}

  @ResolveField(() => EntityRelationshipsResult, {
    nullable: true,
    description: 'Its relationships in one direction.',
  })
  async relationships(
    @Parent() entity: Entity,
    @Context() context: RequestContext,
    @Args('input', { type: () => RelationshipsInput }) input: RelationshipsInput,
  ): Promise<EntityRelationshipsResult> {
    const { direction } = input;
    this.names.check(input.types, (i) => `/types/${i}`);
    const start = readCount(input.start, 0, '/start');
    const count = readPageSize(input.count, DEFAULT_COUNT, '/count', MAX_PAGE);
    const kinds = readTypes(input.relatedEntityTypes, this.model, '/relatedEntityTypes');
    const query = {
      direction,
      start,
      count,
      types: input.types.length > 0 ? input.types : undefined,
      entityTypes: kinds.length > 0 ? kinds : undefined,
      includeSoftDeleted: input.includeSoftDelete ?? true,
    };
    const loader = context.batched(`relationships ${JSON.stringify(query)}`, async (urns) => {
      const pages = await this.service.pages(context.principal, { urns, ...query });
      return urns.map((urn) => pages.get(urn));
    });
    const page = await loader.load(entity.urn);
    if ((page?.relationships.length ?? 0) > LARGE_PAGE) await context.slices.turn();
    const relationships = (page?.relationships ?? []).map((found) => ({
      type: found.type,
      direction,
      entity: context.entity(found.entity),
      created: null,
    }));
    return { start, count: relationships.length, total: page?.total ?? 0, relationships };
  }
}
