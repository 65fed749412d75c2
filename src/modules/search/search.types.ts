import { Field, Int, ObjectType } from '@nestjs/graphql';
import { Entity, EntityType, Long } from '../graphql/index.js';

@ObjectType({ description: 'Completions of a text.' })
export class AutoCompleteResults {
  @Field(() => String) query!: string;
  @Field(() => [String]) suggestions!: string[];
  @Field(() => [Entity]) entities!: Entity[];
}

@ObjectType({ description: 'Completions of a text with names of one type of entities.' })
export class AutoCompleteResultForEntity {
  @Field(() => EntityType) type!: EntityType;
  @Field(() => [String]) suggestions!: string[];
  @Field(() => [Entity]) entities!: Entity[];
}

@ObjectType({ description: 'Completions of a text by type.' })
export class AutoCompleteMultipleResults {
  @Field(() => String) query!: string;
  @Field(() => [AutoCompleteResultForEntity]) suggestions!: AutoCompleteResultForEntity[];
}

@ObjectType({ description: 'One group of a level of the browse tree.' })
export class BrowseResultGroup {
  @Field(() => String) name!: string;
  @Field(() => Long, { description: 'Entities below it.' }) count!: number;
}

@ObjectType({ description: 'Where in the browse tree a level is.' })
export class BrowseResultMetadata {
  @Field(() => [String]) path!: string[];
  @Field(() => Long, { description: 'Entities at the path and below it.' }) totalNumEntities!: number;
}

@ObjectType({ description: 'One page of a level of the older browse tree, the groups first.' })
export class BrowseResults {
  @Field(() => [Entity]) entities!: Entity[];
  @Field(() => [BrowseResultGroup]) groups!: BrowseResultGroup[];
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int, { description: 'Groups and entities of the level.' }) total!: number;
  @Field(() => BrowseResultMetadata) metadata!: BrowseResultMetadata;
}

@ObjectType({ description: 'One group of a level of the browse tree.' })
export class BrowseResultGroupV2 extends BrowseResultGroup {
  @Field(() => Boolean) hasSubGroups!: boolean;
  @Field(() => Entity, { nullable: true, description: 'The entity that the group stands for.' })
  entity!: Entity | null;
}

@ObjectType({ description: 'One page of the groups of a level of the browse tree.' })
export class BrowseResultsV2 {
  @Field(() => [BrowseResultGroupV2]) groups!: BrowseResultGroupV2[];
  @Field(() => Int) start!: number;
  @Field(() => Int) count!: number;
  @Field(() => Int, { description: 'Groups of the level.' }) total!: number;
  @Field(() => BrowseResultMetadata) metadata!: BrowseResultMetadata;
}
