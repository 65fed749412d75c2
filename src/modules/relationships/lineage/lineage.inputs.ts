import { Field, InputType, Int } from '@nestjs/graphql';
import { EntityType, FacetFilterInput, Long, optional, readCount } from '../../graphql/index.js';
import { AndFilterInput, KEEP_ALIVE, SearchFlags, SearchSortInput } from '../../search/graphql.js';
import { LineageDirection } from '../directions.types.js';
import type { TimeSpan } from './lineage-edge.js';

const SINCE = {
  nullable: true,
  description:
    'Epoch milliseconds; only by edges that were reported since. Those of people, of columns, and without times count always.',
} as const;
const UNTIL = {
  nullable: true,
  description: 'Epoch milliseconds; only by edges that were made by then, with the same exceptions.',
} as const;

@InputType('EntityTypeToPlatforms', { description: 'Entities of a type on some platforms.' })
class EntityTypeToPlatforms {
  @Field(() => EntityType) entityType!: EntityType;
  @Field(() => [String], { nullable: true, description: 'URNs of the platforms; all when absent.' })
  platforms?: string[] | null;
}

@InputType('LineageFlags', { description: 'How far a walk along lineage goes.' })
export class LineageFlags {
  @Field(() => Int, {
    nullable: true,
    description: 'At least 1, and without effect: a walk explores every entity that it comes to.',
  })
  entitiesExploredPerHopLimit?: number | null;
  @Field(() => [EntityTypeToPlatforms], {
    nullable: true,
    description: 'What counts as no step: what lies behind it is as far away as the thing itself.',
  })
  ignoreAsHops?: EntityTypeToPlatforms[] | null;
  @Field(() => Long, SINCE)
  startTimeMillis?: number | null;
  @Field(() => Long, UNTIL)
  endTimeMillis?: number | null;
}

@InputType({ isAbstract: true })
abstract class AcrossLineage {
  @Field(() => String, { description: 'The entity or the column to start from.' }) urn!: string;
  @Field(() => LineageDirection) direction!: LineageDirection;
  @Field(() => [EntityType], { nullable: true, description: 'Kinds of entities; all when absent or empty.' })
  types?: EntityType[] | null;
  @Field(() => String, { nullable: true, description: 'Text, or "*" for everything, the default.' })
  query?: string | null;
  @Field(() => Int, { nullable: true, description: 'Default 10.' }) count?: number | null;
  @Field(() => [AndFilterInput], {
    nullable: true,
    description: 'Alternatives; the field `degree` with the values 1, 2 and 3+ says how many steps away.',
  })
  orFilters?: AndFilterInput[] | null;
  @Field(() => Long, SINCE)
  startTimeMillis?: number | null;
  @Field(() => Long, UNTIL)
  endTimeMillis?: number | null;
  @Field(() => SearchFlags, optional) searchFlags?: SearchFlags | null;
  @Field(() => LineageFlags, optional) lineageFlags?: LineageFlags | null;
  @Field(() => SearchSortInput, { nullable: true, description: 'The nearest come first when it is absent.' })
  sortInput?: SearchSortInput | null;
}

@InputType('SearchAcrossLineageInput', { description: 'What to look for along lineage.' })
export class SearchAcrossLineageInput extends AcrossLineage {
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => String, { nullable: true, description: 'URN of a view, which the hits must fit as well.' })
  viewUrn?: string | null;
  @Field(() => [FacetFilterInput], { nullable: true, deprecationReason: 'Use orFilters.' })
  filters?: FacetFilterInput[] | null;
}

@InputType('ScrollAcrossLineageInput', { description: 'What to walk over along lineage, page by page.' })
export class ScrollAcrossLineageInput extends AcrossLineage {
  @Field(() => String, { nullable: true, description: 'nextScrollId of the page before.' }) scrollId?:
    string | null;
  @Field(() => String, { nullable: true, description: KEEP_ALIVE })
  keepAlive?: string | null;
}

@InputType('LineageInput', { description: 'Which neighbours in lineage are wanted.' })
export class LineageInput {
  @Field(() => LineageDirection) direction!: LineageDirection;
  @Field(() => Int, { nullable: true, description: 'Default 0.' }) start?: number | null;
  @Field(() => Int, { nullable: true, description: 'Default 100.' }) count?: number | null;
  @Field(() => Boolean, { nullable: true, description: 'Accepted and ignored: siblings stay apart.' })
  separateSiblings?: boolean | null;
  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether neighbours count that do not exist, or are soft-deleted; default true.',
  })
  includeGhostEntities?: boolean | null;
  @Field(() => Long, SINCE)
  startTimeMillis?: number | null;
  @Field(() => Long, UNTIL)
  endTimeMillis?: number | null;
}

interface Times {
  startTimeMillis?: number | null;
  endTimeMillis?: number | null;
}

/** The time that edges must have been there in; undefined when none is asked for. Flags say it where the input does not. */
export function readTimeSpan(input: Times, flags?: Times | null): TimeSpan | undefined {
  const from = input.startTimeMillis ?? flags?.startTimeMillis ?? undefined;
  const to = input.endTimeMillis ?? flags?.endTimeMillis ?? undefined;
  return from === undefined && to === undefined ? undefined : { from, to };
}

/** Refuses flags that are none, also those without effect. @throws CatalogError PARAMETER_INVALID */
export function checkLineageFlags(flags: LineageFlags | null | undefined): void {
  readCount(flags?.entitiesExploredPerHopLimit, 1, '/lineageFlags/entitiesExploredPerHopLimit', 1);
}
