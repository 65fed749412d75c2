import type { LineageEdge } from './lineage-edge.js';
import type { LineageNode } from './lineage-walk.js';
import { Field, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Entity, enumOf, optional } from '../../graphql/index.js';
import { FacetMetadata, SearchResult } from '../../search/graphql.js';

@ObjectType('EntityPath', { description: 'A way along lineage.' })
export class EntityPath {
  @Field(() => [Entity], { nullable: 'items', description: 'From the start to the hit, both included.' })
  path!: Entity[];
}

@ObjectType('SearchAcrossLineageResult', { description: 'One hit along lineage.' })
export class SearchAcrossLineageResult extends SearchResult {
  @Field(() => Int, { description: 'How many steps away it is.' }) degree!: number;
  @Field(() => [Int], optional) degrees!: number[];
  @Field(() => Boolean, { description: 'Always true: what lies behind it was looked at as well.' })
  explored!: boolean;
  @Field(() => Boolean, {
    description: 'Whether it counts as no step: `ignoreAsHops` of the search names it.',
  })
  ignoredAsHop!: boolean;
  /** What `paths` are made of. */
  nodes!: readonly LineageNode[];
}

const LineageSearchPath = enumOf(['TORTOISE', 'LIGHTNING']);
registerEnumType(LineageSearchPath, {
  name: 'LineageSearchPath',
  description: 'By which of its ways a catalog searched lineage.',
});

@ObjectType('SearchAcrossLineageResults', { description: 'A page of hits along lineage.' })
export class SearchAcrossLineageResults {
  @Field(() => LineageSearchPath, { nullable: true, description: 'Always null: the service has one way.' })
  lineageSearchPath?: string | null;
  @Field(() => Int) start!: number;
  @Field(() => Int, { description: 'How many hits the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many hits there are.' }) total!: number;
  @Field(() => [SearchAcrossLineageResult]) searchResults!: SearchAcrossLineageResult[];
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the walk ended before everything was found: at its limit, or where policies hide something from the caller.',
  })
  isPartial!: boolean;
}

@ObjectType('ScrollAcrossLineageResults', { description: 'A page of a walk over all hits along lineage.' })
export class ScrollAcrossLineageResults {
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the next page; null after the last page.',
  })
  nextScrollId!: string | null;
  @Field(() => Int, { description: 'How many hits the page has.' }) count!: number;
  @Field(() => Int, { description: 'How many hits there are.' }) total!: number;
  @Field(() => [SearchAcrossLineageResult]) searchResults!: SearchAcrossLineageResult[];
  @Field(() => [FacetMetadata], optional) facets!: FacetMetadata[];
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the walk ended before everything was found: at its limit, or where policies hide something from the caller.',
  })
  isPartial!: boolean;
}

@ObjectType('LineageRelationship', { description: 'A neighbour in lineage.' })
export class LineageRelationship {
  @Field(() => String, { description: 'Name of the relationship between both.' }) type!: string;
  @Field(() => Entity, optional) entity!: Entity;
  @Field(() => Int) degree!: number;
  @Field(() => [EntityPath], {
    nullable: 'itemsAndList',
    description: 'Always null: it is a neighbour, with nothing between.',
  })
  paths?: null;
  /** Where the edge is stored, for what is known of it. */
  edge!: LineageEdge;
}

@ObjectType('EntityLineageResult', { description: 'A page of neighbours in lineage.' })
export class EntityLineageResult {
  @Field(() => Int, optional) start!: number;
  @Field(() => Int, optional) count!: number;
  @Field(() => Int, optional) total!: number;
  @Field(() => Int, {
    nullable: true,
    description: 'How many neighbours are left out because policies hide them from the caller.',
  })
  filtered!: number;
  @Field(() => [LineageRelationship]) relationships!: LineageRelationship[];
}
